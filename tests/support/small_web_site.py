"""A site for crawls, with everything that a crawl must not fall for."""

from __future__ import annotations

import re

from local_server import Answer, redirect

STORIES = 12
WORDS = "amber basil cedar delta ember fjord grove haven inlet jetty kelp lagoon".split()


def html(title: str, *links: str, text: str = "", head: str = "") -> Answer:
    anchors = "".join(f"<li><a href='{link}'>to {link}</a></li>" for link in links)
    return Answer(f"<title>{title}</title>{head}<h1>{title}</h1><p>{text}</p><ul>{anchors}</ul>".encode())


def story(number: int) -> Answer:
    word = WORDS[number % len(WORDS)]
    related = f"/news/{(number + 1) % STORIES}"
    return html(f"Story of {word}", related, "/", text=f"{word} " * (20 + number))


HOME_LINKS = (
    *(f"/news/{number}" for number in range(0, STORIES, 2)),
    "/calendar/2024/1",
    "/about",
    "/print/3",
    "/copy/4",
    "/moved",
    "/moved-away",
    "/private/diary",
    "/report",
    "/photo.jpg",
    "/slow-down",
    "https://elsewhere.example/",
    "mailto:a@a.example",
)

PAGES = {
    "/": html("Home", *HOME_LINKS, text="Welcome to the site of stories."),
    "/robots.txt": Answer(
        b"User-agent: *\nDisallow: /private/\nSitemap: /sitemap-of-site.xml\n", content_type="text/plain"
    ),
    "/sitemap-of-site.xml": Answer(b"<urlset><url><loc>BASE/hidden/page</loc></url></urlset>", content_type="text/xml"),
    "/hidden/page": html("Hidden", text="Only the sitemap knows."),
    "/about": html("About", "/", text="Who we are and what we do."),
    "/print/3": html("To print", head="<link rel=canonical href=/news/3>", text="printed words"),
    "/copy/4": story(4),
    "/moved": redirect("/about"),
    "/moved-away": redirect("http://elsewhere.example/"),
    "/private/diary": html("Diary", text="Nobody should read this."),
    "/report": Answer(b"%PDF-1.4", content_type="application/pdf"),
    "/slow-down": Answer(b"", 503),
}


def answer(path: str) -> Answer | None:
    """Stories, the pages above, and a calendar without end."""
    if found := re.fullmatch(r"/news/(\d+)", path):
        return story(int(found[1])) if int(found[1]) < STORIES else None
    if found := re.fullmatch(r"/calendar/(\d+)/(\d+)", path):
        year, month = int(found[1]), int(found[2])
        following = [f"/calendar/{year + 1}/{month}", f"/calendar/{year}/{month + 1}"]
        return html(f"Calendar {year} {month}", *following, text=f"Nothing on day {year * 37 % 1000} of {month}.")
    return PAGES.get(path)
