"""Take screenshots of the views, with the sample site: `python tests/browser/screenshots.py docs/images [--all]`.

Without `--all` only those in the README and the documentation are written.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from driving import block_with, expect, link_to, open_page
from finding_browser import launched_browser, missing
from PIL import Image
from running_app import RunningApp, running_app

_SHOWN = ("walk", "eliminate", "result", "label", "template-dark")
"""Screenshots in the README and the documentation."""

_DESKTOP = {"width": 1360, "height": 850}
_PHONE = {"width": 360, "height": 740}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--all", action="store_true", help="all views, not only those in the documentation")
    arguments = parser.parse_args()
    lacking = missing()
    if lacking:
        raise SystemExit(lacking)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    names = ("walk", *PICTURES) if arguments.all else _SHOWN
    with running_app() as app, launched_browser() as browser:
        for name in names:
            path = arguments.folder / (f"{name}.gif" if name == "walk" else f"{name}.png")
            _record(browser, app, path) if name == "walk" else _write(browser, app, name, path)
            print(path)


def _record(browser: Any, app: RunningApp, path: Path) -> None:
    """The three steps as an animated picture: a frame after each of them, shown long enough to be read."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    tab = context.new_page()
    app.clear()
    tab.goto(app.address)
    shots: list[bytes] = []
    for step in WALK:
        step(tab)
        tab.wait_for_timeout(500)
        shots.append(tab.screenshot())
    context.close()
    frames = [Image.open(io.BytesIO(shot)).convert("RGB").resize((960, 600)) for shot in shots]
    colours = [frame.quantize(160, dither=Image.Dither.NONE) for frame in frames]
    colours[0].save(path, save_all=True, append_images=colours[1:], duration=1_800, loop=0, optimize=True)


def _write(browser: Any, app: RunningApp, name: str, path: Path) -> None:
    is_phone = name.endswith("phone")
    context = browser.new_context(
        viewport=_PHONE if is_phone else _DESKTOP,
        is_mobile=is_phone,
        has_touch=is_phone,
        device_scale_factor=2 if is_phone else 1,
        color_scheme="dark" if name.endswith("dark") else "light",
        reduced_motion="reduce",
    )
    tab = context.new_page()
    app.clear()
    if not name.startswith("welcome"):
        app.clean_sample()
    tab.goto(app.address)
    PICTURES[name](tab)
    tab.wait_for_load_state("networkidle") if name.startswith("welcome") else tab.wait_for_timeout(700)
    tab.screenshot(path=path)
    context.close()


def _view(tab: Any, name: str, ready: str) -> None:
    tab.click(f"#views [data-view={name}]")
    expect(tab.locator(ready).first).to_be_attached()


def _welcome(tab: Any) -> None:
    expect(tab.locator("#sample")).to_be_visible()


def _pages(tab: Any) -> None:
    expect(tab.locator("td.removed .kept-bar")).to_have_count(31)


def _eliminate(tab: Any) -> None:
    _view(tab, "eliminate", ".samples li")


def _result(tab: Any) -> None:
    open_page(tab, "magazine/hard-water-soft-tea")
    tab.wait_for_timeout(500)
    block_with(tab, "Oakapple Insurance").click()


def _template(tab: Any) -> None:
    _view(tab, "template", "[role=tree] .node")
    tab.click(".node:has-text('div.hfeed.site')")
    for label in ("div.site-content", "div.content-area"):
        tab.locator(".node", has_text=label).first.click()
    expect(tab.locator("#node h2")).to_have_text("div.content-area")
    expect(tab.locator("#node h3")).to_be_visible()


def _teach(tab: Any) -> None:
    _result(tab)
    tab.click("#keep")
    expect(tab.locator(".panel")).to_contain_text("taught: keep")
    block_with(tab, "What hardness is").click()
    tab.click("#drop")
    expect(tab.locator(".panel")).to_contain_text("taught: drop")
    _view(tab, "teach", ".corrections li")


def _compare(tab: Any) -> None:
    tab.click(link_to("magazine/hard-water-soft-tea"))
    _view(tab, "compare", ".compared .pane")
    tab.select_option("#side-right", "method:style-tree")
    expect(tab.locator(".compared mark").first).to_be_visible()


def _add(tab: Any) -> None:
    tab.click("#sample")
    expect(tab.locator("table.pages tbody tr")).to_have_count(31)


def _press(tab: Any) -> None:
    tab.click("#eliminate")
    expect(tab.locator("td.removed .kept-bar")).to_have_count(31)
    expect(tab.locator("#job")).to_be_hidden()


def _open(tab: Any) -> None:
    tab.click("#views [data-view=pages]")
    open_page(tab, "magazine/hard-water-soft-tea")


def _hold(tab: Any) -> None:
    block_with(tab, "Maren Holt edits").click()
    expect(tab.locator(".effect")).to_contain_text("would apply")


def _drop(tab: Any) -> None:
    tab.keyboard.press("d")
    expect(tab.locator(".panel")).to_contain_text("taught: drop")
    expect(tab.locator("#job")).to_be_hidden()


def _corrections(tab: Any) -> None:
    _view(tab, "teach", ".corrections li")


def _label(tab: Any) -> None:
    tab.click(link_to("magazine/hard-water-soft-tea"))
    _view(tab, "label", ".now .quoted")


WALK: tuple[Callable[[Any], None], ...] = (
    *(_welcome, _add, _press, _eliminate),
    *(_open, _hold, _drop, _corrections),
)
"""The three steps: add pages, eliminate, look and teach."""

PICTURES: dict[str, Callable[[Any], None]] = {
    "welcome": _welcome,
    "pages": _pages,
    "eliminate": _eliminate,
    "result": _result,
    "label": _label,
    "template": _template,
    "teach": _teach,
    "compare": _compare,
    "result-dark": _result,
    "eliminate-dark": _eliminate,
    "template-dark": _template,
    "compare-dark": _compare,
    "pages-dark": _pages,
    "teach-dark": _teach,
    "label-dark": _label,
    "pages-phone": _pages,
    "result-phone": _result,
    "template-phone": _template,
    "eliminate-phone": _eliminate,
    "teach-phone": _teach,
    "label-phone": _label,
    "compare-phone": _compare,
    "welcome-phone": _welcome,
}

if __name__ == "__main__":
    main()
