"""Many requests at once to `dehusk serve`: how many fail, and how long they take.

    python benchmarks/web_requests.py [--requests 500] [--pages FOLDER]

Starts a server on a free port with the pages (default: the sample site), lets it clean them, and then sends all
requests of a kind at the same moment, over as many connections.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

SAMPLE_SITE = Path(__file__).parent.parent / "src" / "dehusk" / "sample_site"


async def wait_for(client: httpx.AsyncClient, job: str) -> None:
    while (await client.get(f"/api/jobs/{job}?after=1000000")).json()["state"] in {"waiting", "running"}:
        await asyncio.sleep(0.1)


async def measure(client: httpx.AsyncClient, name: str, requests: list[tuple[str, str, Any]]) -> None:
    """Send all at once; print what came of it."""

    async def ask(verb: str, path: str, body: Any) -> tuple[int | str, float]:
        begun = time.perf_counter()
        try:
            status: int | str = (await client.request(verb, path, json=body)).status_code
        except httpx.HTTPError as error:
            status = type(error).__name__
        return status, time.perf_counter() - begun

    begun = time.perf_counter()
    answers = await asyncio.gather(*(ask(*request) for request in requests))
    total = time.perf_counter() - begun
    seconds = sorted(taken for _, taken in answers)
    at = {share: seconds[min(int(share * len(seconds)), len(seconds) - 1)] for share in (0.5, 0.9, 0.99)}
    failed = Counter(status for status, _ in answers if status != 200)
    latency = ", ".join(f"p{int(100 * share)} {1000 * value:,.0f} ms" for share, value in at.items())
    print(
        f"{name:<22} {len(answers)} at once in {total:.2f} s ({len(answers) / total:,.0f}/s): {latency}, "
        f"slowest {1000 * seconds[-1]:,.0f} ms; failed: {dict(failed) or 'none'}"
    )


async def run(url: str, token: str, number: int) -> None:
    limits = httpx.Limits(max_connections=number, max_keepalive_connections=number)
    header = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=url, headers=header, limits=limits, timeout=300) as client:
        await wait_for(client, (await client.post("/api/eliminate", json={})).json()["job"]["id"])
        workspace = (await client.get("/api/workspace")).json()
        pages, site = [page["id"] for page in workspace["pages"]], workspace["sites"][0]["id"]
        html = (SAMPLE_SITE / "magazine" / "hard-water-soft-tea.html").read_text("utf-8")
        # One request of each kind first: what is read for the first time is another question.
        paths = {
            "jobs": "/api/jobs",
            "since": f"/api/workspace?since={workspace['version']}",
            "workspace": "/api/workspace",
            "decision": "/api/pages/{page}/decision?value=0.4",
            "result": "/api/pages/{page}/result?format=markdown",
            "blocks": "/api/pages/{page}/blocks",
            "view": "/view/{page}/original",
            "threshold (20 pages)": f"/api/sites/{site}/threshold?value=0.4",
        }
        for name, path in paths.items():
            await client.get(path.format(page=pages[0]))
            asked = [("GET", path.format(page=pages[n % len(pages)]), None) for n in range(number)]
            await measure(client, name, asked)
        await measure(client, "clean", [("POST", "/api/clean", {"html": html})] * number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--pages", default=str(SAMPLE_SITE))
    arguments = parser.parse_args()
    command = [sys.executable, "-m", "dehusk", "serve", "--no-open", "--port", "0", arguments.pages]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    try:
        found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", server.stderr.readline())
        assert found
        asyncio.run(run(found[1], found[2], arguments.requests))
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
