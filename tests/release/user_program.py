"""A program of a user, type-checked with `mypy --strict` against the installed package; it also runs."""

from __future__ import annotations

from collections.abc import Iterator

import dehusk

PAGE = "<title>Tea</title><nav><a href=/>Home</a></nav><main><h1>Tea</h1><p>" + "Steep for three minutes. " * 8


def titles(pages: list[bytes]) -> Iterator[str]:
    """The titles of pages that can be cleaned."""
    for outcome in dehusk.clean_many([dehusk.RawPage(body) for body in pages], threads=2):
        if not isinstance(outcome, dehusk.DehuskError):
            yield outcome.metadata.title or ""


def longest_block(page: dehusk.CleanedPage) -> str:
    """The longest block that was kept."""
    return max((block.text for block in page if block.kept), key=len, default="")


def main() -> None:
    """Clean a page, learn a site, render, and find out what went wrong."""
    page = dehusk.clean(PAGE, url="https://tea.example/")
    text: str = page.text
    confidence: float | None = page.confidence
    markdown: str = page.render("markdown", dehusk.OutputOptions(links=True))
    site = dehusk.learn([dehusk.read_page(PAGE), dehusk.read_page(PAGE + "x")])
    again: dehusk.CleanedPage = dehusk.clean(PAGE, site)
    try:
        dehusk.load_model("nothing.dehusk")
    except dehusk.ModelError as error:
        cause: str = error.cause
        print(cause)
    print(len(text), confidence, markdown, again.text, longest_block(page), list(titles([PAGE.encode()])))


if __name__ == "__main__":
    main()
