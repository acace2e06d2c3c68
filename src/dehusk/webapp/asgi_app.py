"""The ASGI app: API routes, the start page and static files, behind the security middleware."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from anyio.to_thread import current_default_thread_limiter
from jinja2 import Environment, PackageLoader, select_autoescape
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from dehusk.errors import DehuskError
from dehusk.version import __version__
from dehusk.webapp.access import Access
from dehusk.webapp.api_errors import ApiError, invalid, of_error, of_status
from dehusk.webapp.api_request import ApiRequest
from dehusk.webapp.app_state import AppState
from dehusk.webapp.responses import error_response, error_view, json_response
from dehusk.webapp.routes import FORM, ROUTES, ApiRoute
from dehusk.webapp.security_middleware import SecurityMiddleware
from dehusk.workers.whole_files import TEMPORARY_FILES, output_errors

Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]

_THREADS: Final = 16
"""Handlers that run at once. More would only wait for each other."""
_VIEW: Final = re.compile("/view/[^/]*/(?:original|styled|cleaned)")
"""Paths that frames of the app show."""


def create_app(state: AppState, access: Access) -> ASGIApp:
    """The ASGI app for one workspace. It closes `state` when the server shuts down."""
    templates = Environment(loader=PackageLoader("dehusk.webapp"), autoescape=select_autoescape(default=True))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = _THREADS
        yield
        await run_in_threadpool(state.close)

    routes: list[BaseRoute] = [
        Route("/", _start_page(templates, access), methods=["GET"]),
        *(Route(route.path, _endpoint(route, state), methods=[route.verb]) for route in ROUTES),
        Mount("/static", StaticFiles(packages=[("dehusk.webapp", "static")])),
    ]
    handlers: Mapping[Any, Any] = {
        ApiError: _on_api_error,
        DehuskError: _on_dehusk_error,
        HTTPException: _on_framework_error,
        Exception: _on_unexpected_error,
    }
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    return SecurityMiddleware(app, access, state.bounds)


def _start_page(templates: Environment, access: Access) -> Endpoint:
    async def start(request: Request) -> Response:
        if access.is_token(request.query_params.get("token", "")):
            response: Response = RedirectResponse("/", 303)
            response.set_cookie(access.cookie, access.session, httponly=True, samesite="strict", path="/")
            return response
        is_known = access.is_known(request.headers)
        name = "index.html" if is_known else "login.html"
        page = templates.get_template(name).render(version=__version__)
        return HTMLResponse(page, 200 if is_known else 401)

    return start


def _endpoint(route: ApiRoute, state: AppState) -> Endpoint:
    """Read the request, run the handler in a thread, and add the workspace version to the response."""

    async def endpoint(request: Request) -> Response:
        if route.request_type == FORM:
            response = await _handle_form(route, state, request)
        elif route.is_light:
            response = _handle(route, await _api_request(state, request))
        else:
            response = await run_in_threadpool(_handle, route, await _api_request(state, request))
        response.headers["X-Dehusk-Version"] = str(state.workspace.state.version)
        return response

    return endpoint


async def _api_request(state: AppState, request: Request) -> ApiRequest:
    body = await request.body()
    return ApiRequest(state, request.path_params, request.query_params, body, request.headers.get("content-type", ""))


async def _handle_form(route: ApiRoute, state: AppState, request: Request) -> Response:
    if not request.headers.get("content-type", "").startswith(FORM):
        raise invalid("not a form", f"send {FORM}")
    try:
        with output_errors("the file sent", TEMPORARY_FILES):
            form = await request.form(max_files=state.bounds.files, max_fields=20)
    except MultiPartException as error:
        raise invalid("malformed form") from error
    try:
        api_request = ApiRequest(state, request.path_params, request.query_params, form=form)
        return await run_in_threadpool(_handle, route, api_request)
    finally:
        await request.close()


def _handle(route: ApiRoute, request: ApiRequest) -> Response:
    result = route.handler(request)
    return result if isinstance(result, Response) else json_response(result, route.status)


async def _on_api_error(request: Request, error: ApiError) -> Response:
    return _failed(request, error)


async def _on_dehusk_error(request: Request, error: DehuskError) -> Response:
    return _failed(request, of_error(error))


async def _on_framework_error(request: Request, error: HTTPException) -> Response:
    return _failed(request, of_status(error.status_code, error.detail))


async def _on_unexpected_error(request: Request, error: Exception) -> Response:
    """A bug of ours. The details go to the server's log, never to the client."""
    return _failed(request, ApiError(500, "fault", "internal server error", "see the server's log, and report it"))


def _failed(request: Request, error: ApiError) -> Response:
    """Frames show what went wrong; programs get JSON."""
    return error_view(error) if _VIEW.fullmatch(request.url.path) else error_response(error)
