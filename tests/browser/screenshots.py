"""Take screenshots of the views, with the sample site: `python tests/browser/screenshots.py docs/images [--all]`.

Without `--all` only those in the README are written.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from driving import block_with, expect, link_to, open_page
from finding_browser import launched_browser, missing
from running_app import RunningApp, running_app

_SHOWN = ("eliminate", "result", "template-dark")
"""Screenshots in the README."""

_DESKTOP = {"width": 1360, "height": 850}
_PHONE = {"width": 360, "height": 740}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--all", action="store_true", help="all views, not only those in the README")
    arguments = parser.parse_args()
    lacking = missing()
    if lacking:
        raise SystemExit(lacking)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    names = tuple(PICTURES) if arguments.all else _SHOWN
    with running_app() as app, launched_browser() as browser:
        for name in names:
            _write(browser, app, name, arguments.folder / f"{name}.png")
            print(arguments.folder / f"{name}.png")


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
    if name != "welcome":
        app.clean_sample()
    tab.goto(app.address)
    PICTURES[name](tab)
    tab.wait_for_load_state("networkidle") if name == "welcome" else tab.wait_for_timeout(700)
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
    block_with(tab, "Maren Holt edits").click()
    tab.click("#drop")
    expect(tab.locator(".panel")).to_contain_text("taught: drop")
    _view(tab, "teach", ".corrections li")


def _compare(tab: Any) -> None:
    tab.click(link_to("magazine/hard-water-soft-tea"))
    _view(tab, "compare", ".compared .pane")
    tab.select_option("#side-right", "method:style-tree")
    expect(tab.locator(".compared mark").first).to_be_visible()


PICTURES: dict[str, Callable[[Any], None]] = {
    "welcome": _welcome,
    "pages": _pages,
    "eliminate": _eliminate,
    "result": _result,
    "template": _template,
    "teach": _teach,
    "compare": _compare,
    "result-dark": _result,
    "eliminate-dark": _eliminate,
    "template-dark": _template,
    "compare-dark": _compare,
    "pages-phone": _pages,
    "result-phone": _result,
    "template-phone": _template,
}

if __name__ == "__main__":
    main()
