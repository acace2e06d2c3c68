"""`dehusk serve`."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.reporting import fail, tell, warn

if TYPE_CHECKING:
    from dehusk.webapp.app_state import AppState


def serve_command(
    pages: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Pages to open: files, folders (searched recursively), archives."),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65_535, help="Port to listen on; 0 for any free one.")
    ] = 8765,
    workdir: Annotated[
        Path | None,
        typer.Option(
            "--workdir",
            metavar="DIR",
            help="Folder to keep pages, models and corrections in. Default: nothing is kept.",
        ),
    ] = None,
    allow_fetch: Annotated[
        bool, typer.Option("--allow-fetch", help="Allow fetching pages by URL and crawling sites.")
    ] = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Open the web app.

    Choose pages or try the sample site, press Eliminate, and see which blocks are kept or dropped, and why. Move the
    threshold, explore the site's template, correct mistakes, and compare methods. Press Ctrl-C to stop; without
    --workdir nothing is kept.

    The app is local: it listens on 127.0.0.1, and only the printed URL gives access. Pages are shown without scripts
    and load nothing from the network. Needs `dehusk[web]`.

    Exit codes: 0 stopped, 2 the port is taken, or the folder cannot be used.

    Examples:

      dehusk serve

      dehusk serve site/ --workdir my-work

      dehusk serve --allow-fetch --port 9000

      dehusk serve --no-open
    """
    from dehusk.errors import MissingExtra

    try:
        with ExitStack() as opened:
            opened.enter_context(_signals_like_ctrl_c())
            folder = workdir or Path(opened.enter_context(TemporaryDirectory(prefix="dehusk-")))
            _serve(folder, pages or [], port, allow_fetch, not no_open)
    except ModuleNotFoundError as error:
        missing = MissingExtra(error.name or "a package", "needed by the web app", "pip install 'dehusk[web]'")
        fail(str(missing))
    except KeyboardInterrupt:
        pass
    tell("stopped" + (f"; your work is in {workdir}" if workdir else ""))


@contextmanager
def _signals_like_ctrl_c() -> Iterator[None]:
    """Treat SIGTERM and SIGHUP like Ctrl-C, so that the temporary folder is removed."""
    before = {signal.SIGTERM: signal.signal(signal.SIGTERM, signal.default_int_handler)}
    # A process that ignores SIGHUP (`nohup`) keeps doing so. Windows has no such signal.
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        before[signal.SIGHUP] = signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _serve(folder: Path, pages: list[str], port: int, allow_fetch: bool, is_opened: bool) -> None:
    from dehusk.webapp.access import Access
    from dehusk.webapp.app_state import AppState
    from dehusk.webapp.serving import listen, serve
    from dehusk.webapp.workspace import Workspace

    def announce(address: str) -> None:
        tell(f"dehusk is running at {address}\nPress Ctrl-C to stop.")

    with closing(listen(port)) as listening, closing(AppState(Workspace(folder), allow_fetch=allow_fetch)) as desk:
        _add(desk, pages)
        serve(desk, listening, Access(listening.getsockname()[1]), announce, is_opened)


def _add(desk: AppState, paths: list[str]) -> None:
    from dehusk.webapp.api_errors import ApiError
    from dehusk.webapp.incoming import Skipped, pages_at

    for path in paths:
        skipped = Skipped()
        try:
            desk.workspace.add(pages_at(path, desk.bounds, skipped))
            desk.workspace.database.store_styles(skipped.styles)
        except ApiError as refusal:
            warn(f"{path}: {refusal.message}")
        for fault in skipped.as_list():
            warn(f"{fault['name']}: {fault['reason']}")
