"""Access control and security headers."""

from __future__ import annotations

import pytest
from app_tab import HERE, PORT, TOKEN, Tab
from starlette.testclient import TestClient

from dehusk.webapp.access import Access, new_token
from dehusk.webapp.asgi_app import create_app
from dehusk.webapp.security_middleware import APP_POLICY


@pytest.fixture
def anonymous(tab: Tab) -> TestClient:
    """A client without cookie and token."""
    return TestClient(create_app(tab.state, tab.access), HERE, raise_server_exceptions=False)


def code(answer: object) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]  # type: ignore[attr-defined]


def test_the_token_is_exchanged_for_a_cookie_and_leaves_the_url(anonymous: TestClient) -> None:
    answer = anonymous.get("/", params={"token": TOKEN}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"dehusk-{PORT}=")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    assert anonymous.get("/").status_code == 200
    assert anonymous.get("/api/workspace").status_code == 200


@pytest.mark.parametrize("path", ["/api/workspace", "/api/openapi.json", "/view/0/original", "/api/nothing", "/docs"])
def test_nothing_is_served_without_login(anonymous: TestClient, path: str) -> None:
    assert code(anonymous.get(path)) == (401, "login")


def test_the_start_page_explains_how_to_log_in(anonymous: TestClient) -> None:
    answer = anonymous.get("/")
    assert answer.status_code == 401
    assert "dehusk serve" in answer.text


@pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], TOKEN + "x", "é" * 40, "\0"])
def test_wrong_tokens_are_wrong(anonymous: TestClient, token: str) -> None:
    assert anonymous.get("/", params={"token": token}).status_code == 401
    assert "set-cookie" not in anonymous.get("/", params={"token": token}).headers
    header = {"Authorization": b"Bearer " + token.encode()}
    assert code(anonymous.get("/api/workspace", headers=header)) == (401, "login")


@pytest.mark.parametrize("cookie", ["", "=", "dehusk-8765=", "dehusk-8765=x; \x01", "dehusk-9999=" + "0" * 64, ";;;="])
def test_wrong_cookies_are_wrong(anonymous: TestClient, cookie: str) -> None:
    assert code(anonymous.get("/api/workspace", headers={"Cookie": cookie})) == (401, "login")


def test_the_cookie_of_another_server_is_wrong(tab: Tab) -> None:
    other = TestClient(create_app(tab.state, Access(PORT, "another token")), HERE)
    other.cookies = tab.client.cookies
    assert other.get("/api/workspace").status_code == 401


def test_programs_log_in_with_the_token(anonymous: TestClient) -> None:
    header = {"Authorization": f"Bearer {TOKEN}"}
    assert anonymous.get("/api/workspace", headers=header).status_code == 200
    assert anonymous.post("/api/clean", json={"html": "<p>a"}, headers=header).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:80", f"127.0.0.1.evil.example:{PORT}", ""]
)
@pytest.mark.parametrize("path", ["/", "/api/workspace", "/static/app.css"])
def test_dns_rebinding_is_refused(tab: Tab, host: str, path: str) -> None:
    assert code(tab.client.get(path, headers={"Host": host})) == (403, "host")


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"LOCALHOST:{PORT}", f"[::1]:{PORT}"])
def test_local_host_names_are_accepted(tab: Tab, host: str) -> None:
    assert tab.client.get("/api/workspace", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:1", ""]
)
@pytest.mark.parametrize("verb", ["POST", "PUT", "PATCH", "DELETE"])
def test_other_sites_change_nothing(tab: Tab, origin: str, verb: str) -> None:
    answer = tab.client.request(verb, "/api/pages/sample", headers={"Origin": origin})
    assert code(answer) == (403, "origin")
    assert tab.workspace()["pages"] == []


def test_a_cookie_without_an_origin_changes_nothing(tab: Tab) -> None:
    del tab.client.headers["Origin"]
    assert code(tab.client.post("/api/pages/sample")) == (403, "origin")
    assert tab.client.get("/api/workspace").status_code == 200


def test_a_token_with_a_foreign_origin_changes_nothing(anonymous: TestClient) -> None:
    header = {"Authorization": f"Bearer {TOKEN}", "Origin": "https://evil.example"}
    assert code(anonymous.post("/api/pages/sample", headers=header)) == (403, "origin")


@pytest.mark.parametrize("where", ["cross-site", "same-site"])
def test_other_sites_and_ports_cannot_read(tab: Tab, where: str) -> None:
    assert code(tab.client.get("/api/workspace", headers={"Sec-Fetch-Site": where})) == (403, "origin")
    assert tab.client.get("/api/workspace", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_no_response_allows_other_origins(tab: Tab) -> None:
    for path in ("/", "/api/workspace", "/static/app.css", "/api/nothing"):
        headers = tab.client.get(path, headers={"Origin": "https://evil.example"}).headers
        assert not [name for name in headers if name.lower().startswith("access-control")]
    preflight = tab.client.options("/api/pages", headers={"Access-Control-Request-Method": "POST"})
    assert preflight.status_code == 405


@pytest.mark.parametrize("path", ["/", "/api/workspace", "/api/nothing", "/static/app.js", "/static/nothing"])
def test_every_response_has_security_headers(tab: Tab, path: str) -> None:
    headers = tab.client.get(path).headers
    assert headers["content-security-policy"] == APP_POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == ("no-cache" if path.startswith("/static") else "no-store")


def test_the_policy_of_the_app_allows_only_our_own_scripts() -> None:
    rules = dict(rule.strip().split(" ", 1) for rule in APP_POLICY.split(";"))
    assert rules["script-src"] == "'self'"
    assert rules["default-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in APP_POLICY


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd"]
)
def test_static_files_are_those_of_the_folder(tab: Tab, path: str) -> None:
    assert tab.client.get(path).status_code in {401, 404}


def test_tokens_are_long_and_never_the_same() -> None:
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) >= 43
    assert TOKEN not in repr(Access(PORT, TOKEN))
