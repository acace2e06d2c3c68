"""`dehusk serve`."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.exit_codes import USAGE

if TYPE_CHECKING:
    from dehusk.webapp.app_state import AppState


def serve_command(
    pages: Annotated[
        list[str] | None,
        typer.Argument(help="Pages to begin with: files, folders (with all below them), archives."),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65_535, help="Where to listen; 0 takes any free port.")
    ] = 8765,
    workdir: Annotated[
        Path | None,
        typer.Option(
            "--workdir",
            metavar="DIR",
            help="Where pages, models and corrections are kept, to be found again. Default: nowhere.",
        ),
    ] = None,
    allow_fetch: Annotated[
        bool, typer.Option("--allow-fetch", help="Let pages be fetched by address, and sites be crawled.")
    ] = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """See the noise of pages and take it away, in a browser.

    Choose pages or try the sample site, press Eliminate, and see what is kept and what went, block by block and why;
    move the threshold, look at the site's template, say where it is wrong, and compare with other methods. Ends with
    Ctrl-C; without --workdir nothing is left behind.

    The app is for this machine alone: it listens on 127.0.0.1, and only who has the address that is printed can use
    it. Pages are shown without script and load nothing. Needs `pip install 'dehusk\\[web]'`.

    Exit codes: 0 ended, 2 the port is taken, or the folder cannot be used.

    Examples:

      dehusk serve

      dehusk serve site/ --workdir my-work

      dehusk serve --allow-fetch --port 9000

      dehusk serve --no-open
    """
    from dehusk.cli.reporting import errors, fail
    from dehusk.errors import DehuskError, MissingExtra

    try:
        with ExitStack() as opened:
            opened.enter_context(_any_end_like_ctrl_c())
            folder = workdir or Path(opened.enter_context(TemporaryDirectory(prefix="dehusk-")))
            _serve(folder, pages or [], port, allow_fetch, not no_open)
    except ModuleNotFoundError as error:
        missing = MissingExtra(error.name or "a package", "needed by the web app", "pip install 'dehusk[web]'")
        fail(str(missing), USAGE)
    except DehuskError as error:
        fail(str(error), USAGE)
    except KeyboardInterrupt:
        pass
    errors().print("ended" + (f"; what was done is kept in {workdir}" if workdir else ""), markup=False)


@contextmanager
def _any_end_like_ctrl_c() -> Iterator[None]:
    """What else ends a program, as closing its terminal does, would leave the temporary folder behind."""
    before = {signal.SIGTERM: signal.signal(signal.SIGTERM, signal.default_int_handler)}
    # Who is to survive the end of the terminal ignores it, and goes on doing so. (Windows knows no such signal.)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        before[signal.SIGHUP] = signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _serve(folder: Path, pages: list[str], port: int, allow_fetch: bool, is_opened: bool) -> None:
    from dehusk.cli.reporting import errors
    from dehusk.webapp.access import Access
    from dehusk.webapp.app_state import AppState
    from dehusk.webapp.serving import listen, serve
    from dehusk.webapp.workspace import Workspace

    def tell(address: str) -> None:
        errors().print(f"dehusk is at {address}\nEnd it with Ctrl-C.", markup=False, soft_wrap=True)

    with closing(listen(port)) as listening, closing(AppState(Workspace(folder), allow_fetch=allow_fetch)) as desk:
        _add(desk, pages)
        serve(desk, listening, Access(listening.getsockname()[1]), tell, is_opened)


def _add(desk: AppState, paths: list[str]) -> None:
    from dehusk.cli.reporting import warn
    from dehusk.webapp.api_errors import ApiError
    from dehusk.webapp.incoming import Skipped, pages_at

    for path in paths:
        skipped = Skipped()
        try:
            desk.workspace.add(pages_at(path, desk.bounds, skipped))
        except ApiError as refusal:
            warn(f"{path}: {refusal.message}")
        for fault in skipped.as_list():
            warn(f"{fault['name']}: {fault['reason']}")
