"""The server over a real socket: concurrent requests, oversized requests, and shutdown."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from app_tab import TOKEN, story
from running_server import RunningServer, running
from typer.testing import CliRunner

from dehusk import webapp
from dehusk.cli import app
from dehusk.webapp.access import Access
from dehusk.webapp.app_state import AppState
from dehusk.webapp.serving import listen, serve
from dehusk.webapp.workspace import Workspace

AT_ONCE = 500


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("pages")
    for number in range(10):
        (folder / f"{number}.html").write_bytes(story(number))
    with running(str(folder)) as started:
        yield started


async def request_status(server: RunningServer, verb: str, path: str, body: bytes = b"") -> bytes:
    """Send a request over its own connection; returns the status line. Client libraries take longer than the server."""
    address = urlsplit(server.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    head = f"{verb} {path} HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {server.token}\r\n"
    writer.write(f"{head}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer.partition(b"\r\n")[0]


async def all_at_once(server: RunningServer) -> list[bytes]:
    pages = httpx.get(f"{server.url}/api/workspace", headers=server.bearer).json()["pages"]
    kinds = ("result", "blocks", "decision", "result?format=markdown")
    reading = [("GET", f"/api/pages/{pages[n % len(pages)]['id']}/{kinds[n % 4]}", b"") for n in range(AT_ONCE - 100)]
    cleaning = [("POST", "/api/clean", json.dumps({"html": story(n).decode()}).encode()) for n in range(100)]
    return await asyncio.gather(*(request_status(server, *request) for request in reading + cleaning))


def test_500_requests_at_once_are_all_answered(server: RunningServer) -> None:
    assert asyncio.run(all_at_once(server)) == [b"HTTP/1.1 200 OK"] * AT_ONCE


@pytest.mark.parametrize("chunked", [False, True])
def test_100_megabytes_are_refused_politely(server: RunningServer, chunked: bool) -> None:
    """The response arrives although the client sends everything first, and the server keeps none of it in memory."""
    before = memory_of(server)
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    chunk, number = b"x" * (1 << 20), 100
    headers = {**server.bearer, "Content-Type": "multipart/form-data; boundary=x"}
    if not chunked:
        headers["Content-Length"] = str(len(chunk) * number)
    begin = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.html"\r\n\r\n'
    body = iter([begin.ljust(len(chunk), b"y"), *([chunk] * (number - 1))])
    connection.request("POST", "/api/pages", body, headers, encode_chunked=chunked)
    answer = connection.getresponse()
    answer_json = json.loads(answer.read())
    connection.close()
    assert answer.status == 413
    assert answer_json["error"]["code"] == "too-large"
    assert "64 MB" in answer_json["error"]["message"]
    assert memory_of(server) - before < 50 << 20
    assert httpx.get(f"{server.url}/api/workspace", headers=server.bearer).status_code == 200


def memory_of(server: RunningServer) -> int:
    """Memory of the server's process, in bytes."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * 4096


def test_clients_that_ask_before_sending_get_the_error_at_once(server: RunningServer) -> None:
    host, port = urlsplit(server.url).netloc.split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(
            f"POST /api/pages HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {server.token}\r\n"
            "Content-Length: 200000000\r\nExpect: 100-continue\r\n\r\n".encode()
        )
        assert connection.recv(100).startswith(b"HTTP/1.1 413")


def test_the_server_answers_while_it_works(server: RunningServer) -> None:
    with httpx.Client(base_url=server.url, headers=server.bearer, timeout=60) as client:
        files = [("file", (f"{number}.html", story(number))) for number in range(100, 250)]
        assert client.post("/api/pages", files=files).status_code == 200
        job = client.post("/api/eliminate", json={}).json()["job"]["id"]
        answered = 0
        while (answer_json := client.get(f"/api/jobs/{job}?after=1000000").json())["state"] in {"waiting", "running"}:
            assert client.get("/api/workspace?since=0").status_code == 200
            answered += 1
            time.sleep(0.05)
        assert answer_json["state"] == "done"
        assert answer_json["total"] == 3 * 160  # the site, its pages, and the tree to show
        assert answered > 1, "a server that is busy would answer when the job is done"


def test_it_listens_on_this_machine_only(server: RunningServer) -> None:
    ports = Path("/proc/net/tcp").read_text().splitlines()
    wanted = f"{urlsplit(server.url).port or 0:04X}"
    listening = {
        line.split()[1] for line in ports if line.split()[1].endswith(f":{wanted}") and line.split()[3] == "0A"
    }
    assert listening == {f"0100007F:{wanted}"}


def test_ctrl_c_ends_it_and_the_token_is_not_logged(tmp_path: Path) -> None:
    with running("--workdir", str(tmp_path / "work")) as server:
        httpx.get(f"{server.url}/?token={server.token}")
        httpx.get(f"{server.url}/api/workspace", headers=server.bearer)
        httpx.get(f"{server.url}/api/workspace?token={server.token}")
        output = server.end()
        assert server.process.returncode == 0
    assert server.token not in output
    assert "Traceback" not in output
    assert "your work is in" in output
    with running("--workdir", str(tmp_path / "work")) as again:
        assert again.token != server.token


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_behind_however_it_ends(tmp_path: Path, number: signal.Signals) -> None:
    with running(TMPDIR=str(tmp_path)) as server:
        page = {"file": ("story.html", story(1))}
        assert httpx.post(f"{server.url}/api/pages", headers=server.bearer, files=page, timeout=60).is_success
        assert list(tmp_path.glob("dehusk-*/pages/*"))
        server.process.send_signal(number)
        output, _ = server.process.communicate(timeout=30)
        assert server.process.returncode == 0, output
    assert "Traceback" not in output
    assert not list(tmp_path.iterdir())


def test_ctrl_c_during_a_job_ends_it(tmp_path: Path) -> None:
    with running("--workdir", str(tmp_path / "work")) as server:
        files = [("file", (f"{number}.html", story(number))) for number in range(300)]
        httpx.post(f"{server.url}/api/pages", headers=server.bearer, files=files, timeout=60)
        httpx.post(f"{server.url}/api/eliminate", headers=server.bearer, json={}, timeout=60)
        output = server.end()
        assert server.process.returncode == 0, output


def test_a_port_that_is_taken_says_so(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        result = CliRunner().invoke(app, ["serve", "--no-open", "--port", str(port), "--workdir", str(tmp_path)])
    assert result.exit_code == 2
    assert f"port {port}" in result.output
    assert "--port" in result.output


def test_a_folder_that_is_none_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(app, ["serve", "--no-open", "--port", "0", "--workdir", str(tmp_path / "file")])
    assert result.exit_code == 2
    assert "--workdir" in result.output
    missing = CliRunner().invoke(app, ["serve", str(tmp_path / "nothing"), "--no-open", "--port", "0"])
    assert missing.exit_code == 2
    assert "no such file" in missing.output


def test_a_browser_is_opened_unless_disabled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: time.sleep(0.2))
    announced: list[str] = []
    for is_opened in (False, True):
        listening = listen(0)
        access = Access(listening.getsockname()[1], TOKEN)
        state = AppState(Workspace(tmp_path / str(is_opened)))
        serve(state, listening, access, announced.append, is_opened)
        state.close()
    assert opened == announced[1:]
    assert opened[0].endswith(f"/?token={TOKEN}")


def test_without_its_packages_it_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['starlette'] = None; sys.modules['uvicorn'] = None\n"
        "from dehusk.cli import app; app(['serve', '--no-open', '--port', '0'])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 2
    assert "dehusk[web]" in result.stderr
    assert "Traceback" not in result.stderr


def test_no_script_modules_import_each_other_in_a_circle() -> None:
    scripts = Path(webapp.__file__).parent / "static"
    imported = {
        script: {
            (script.parent / name).resolve() for name in re.findall(r'from "(\.[^"]+)"', script.read_text("utf-8"))
        }
        for script in scripts.resolve().rglob("*.js")
    }
    assert set().union(*imported.values()) <= set(imported)
    TopologicalSorter(imported).prepare()
