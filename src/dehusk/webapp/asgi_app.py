"""The ASGI app: the table of the API, the page, and the gate before both."""

from __future__ import annotations

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
from dehusk.webapp.api_errors import Refusal, invalid, of_error, of_status
from dehusk.webapp.api_request import Call
from dehusk.webapp.app_state import Desk
from dehusk.webapp.openapi import openapi_description
from dehusk.webapp.responses import json_answer
from dehusk.webapp.routes import ROUTES, ApiRoute
from dehusk.webapp.security_middleware import Gate

Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]

_FORM: Final = "multipart/form-data"
_THREADS: Final = 16
"""Handlers at work at the same time. More would only wait for each other."""


def describe(call: Call) -> Mapping[str, Any]:
    """What there is to ask for."""
    return openapi_description(API)


API: Final = (*ROUTES, ApiRoute("GET", "/api/openapi.json", describe, "This description"))
"""All routes but the page itself and its static files."""


def create_app(desk: Desk, access: Access) -> ASGIApp:
    """The app for one workspace. Whoever makes the desk closes it; a server that ends does, too."""
    templates = Environment(loader=PackageLoader("dehusk.webapp"), autoescape=select_autoescape(default=True))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = _THREADS
        yield
        await run_in_threadpool(desk.close)

    routes: list[BaseRoute] = [
        Route("/", _start_page(templates, access), methods=["GET"]),
        *(Route(route.path, _endpoint(route, desk), methods=[route.verb]) for route in API),
        Mount("/static", StaticFiles(packages=[("dehusk.webapp", "static")])),
    ]
    handlers: Mapping[Any, Any] = {
        Refusal: _refused,
        DehuskError: _failed,
        HTTPException: _framework_refused,
        Exception: _broken,
    }
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    return Gate(app, access, desk.bounds)


def _start_page(templates: Environment, access: Access) -> Endpoint:
    async def start(request: Request) -> Response:
        if access.is_token(request.query_params.get("token", "")):
            answer: Response = RedirectResponse("/", 303)
            answer.set_cookie(access.cookie, access.session, httponly=True, samesite="strict", path="/")
            return answer
        is_known = access.is_known(request.headers)
        name = "index.html" if is_known else "login.html"
        page = templates.get_template(name).render(version=__version__)
        return HTMLResponse(page, 200 if is_known else 401)

    return start


def _endpoint(route: ApiRoute, desk: Desk) -> Endpoint:
    """Reads the request, lets the handler work in a thread, and says which version the answer is of."""

    async def endpoint(request: Request) -> Response:
        if route.takes == _FORM:
            answer = await _answer_form(route, desk, request)
        else:
            call = await _call(desk, request)
            answer = _handled(route, call) if route.is_light else await run_in_threadpool(_handled, route, call)
        answer.headers["X-Dehusk-Version"] = str(desk.workspace.state.version)
        return answer

    return endpoint


async def _call(desk: Desk, request: Request) -> Call:
    body = await request.body()
    return Call(desk, request.path_params, request.query_params, body, request.headers.get("content-type", ""))


async def _answer_form(route: ApiRoute, desk: Desk, request: Request) -> Response:
    if not request.headers.get("content-type", "").startswith(_FORM):
        raise invalid("not a form", f"send {_FORM}")
    try:
        async with request.form(max_files=desk.bounds.files, max_fields=20) as form:
            call = Call(desk, request.path_params, request.query_params, form=form)
            return await run_in_threadpool(_handled, route, call)
    except MultiPartException as error:
        raise invalid("not a readable form") from error


def _handled(route: ApiRoute, call: Call) -> Response:
    answer = route.handler(call)
    return answer if isinstance(answer, Response) else json_answer(answer, route.status)


async def _refused(request: Request, refusal: Refusal) -> Response:
    return json_answer(refusal.as_dict(), refusal.status)


async def _failed(request: Request, error: DehuskError) -> Response:
    refusal = of_error(error)
    return json_answer(refusal.as_dict(), refusal.status)


async def _framework_refused(request: Request, error: HTTPException) -> Response:
    refusal = of_status(error.status_code, error.detail)
    return json_answer(refusal.as_dict(), refusal.status)


async def _broken(request: Request, error: Exception) -> Response:
    """A fault of ours. The server's log has it; clients are told no more than that there was one."""
    refusal = Refusal(500, "fault", "something went wrong in the server", "see its log, and report it")
    return json_answer(refusal.as_dict(), refusal.status)
