"""Many requests at once to `dehusk serve`: how many fail, and how long they take.

    python benchmarks/web_requests.py [--requests 500] [--pages FOLDER]

Starts a server on a free port with the pages (default: the sample site), lets it clean them, and then sends all
requests of a kind at the same moment, over as many connections.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import httpx

SAMPLE_SITE = Path(__file__).parent.parent / "src" / "dehusk" / "sample_site"


@dataclass(frozen=True)
class Server:
    """A running one."""

    process: int
    port: int
    token: str

    def processor_seconds(self) -> float:
        """Seconds that it has worked so far."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def wait_for(client: httpx.AsyncClient, job: str) -> None:
    while (await client.get(f"/api/jobs/{job}?after=1000000")).json()["state"] in {"waiting", "running"}:
        await asyncio.sleep(0.1)


async def ask(server: Server, verb: str, path: str, body: bytes) -> tuple[str, float]:
    """(status, seconds) of a request over its own connection. High-level clients take longer than the server."""
    begun = time.perf_counter()
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        head = f"{verb} {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
        writer.write(f"{head}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
        status = answer[9:12].decode()
    except OSError as error:
        status = type(error).__name__
    return status, time.perf_counter() - begun


async def measure(server: Server, name: str, requests: list[tuple[str, str, bytes]]) -> None:
    """Send all requests at once and print the results."""
    begun, used = time.perf_counter(), server.processor_seconds()
    answers = await asyncio.gather(*(ask(server, *request) for request in requests))
    total, used = time.perf_counter() - begun, server.processor_seconds() - used
    seconds = sorted(taken for _, taken in answers)
    at = {share: seconds[min(int(share * len(seconds)), len(seconds) - 1)] for share in (0.5, 0.9, 0.99)}
    failed = Counter(status for status, _ in answers if status != "200")
    latency = ", ".join(f"p{int(100 * share)} {1000 * value:,.0f} ms" for share, value in at.items())
    print(
        f"{name:<22} {len(answers)} at once in {total:.2f} s: {latency}, slowest {1000 * seconds[-1]:,.0f} ms; "
        f"{1000 * used / len(answers):.1f} ms of processor each; failed: {dict(failed) or 'none'}"
    )


async def run(server: Server, number: int) -> None:
    header = {"Authorization": f"Bearer {server.token}"}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", headers=header, timeout=300) as client:
        await wait_for(client, (await client.post("/api/eliminate", json={})).json()["job"]["id"])
        workspace = (await client.get("/api/workspace")).json()
        pages, site = [page["id"] for page in workspace["pages"]], workspace["sites"][0]["id"]
        paths = {
            "jobs": "/api/jobs",
            "nothing changed": f"/api/workspace?since={workspace['version']}",
            "workspace": "/api/workspace",
            "decision": "/api/pages/{page}/decision?value=0.4",
            "result": "/api/pages/{page}/result?format=markdown",
            "blocks": "/api/pages/{page}/blocks",
            "view": "/view/{page}/original",
            "threshold (20 pages)": f"/api/sites/{site}/threshold?value=0.4",
        }
        for name, path in paths.items():
            # One request of each kind first: what is read for the first time is another question.
            await client.get(path.format(page=pages[0]))
            asked = [("GET", path.format(page=pages[n % len(pages)]), b"") for n in range(number)]
            await measure(server, name, asked)
        html = (SAMPLE_SITE / "magazine" / "hard-water-soft-tea.html").read_text("utf-8")
        await measure(server, "clean", [("POST", "/api/clean", json.dumps({"html": html}).encode())] * number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--pages", default=str(SAMPLE_SITE))
    arguments = parser.parse_args()
    command = [sys.executable, "-m", "dehusk", "serve", "--no-open", "--port", "0", arguments.pages]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", process.stderr.readline())
        assert found
        asyncio.run(run(Server(process.pid, int(found[1]), found[2]), arguments.requests))
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
