"""The configurations for nginx and Caddy, run by nginx and Caddy."""

from __future__ import annotations

import gzip
import os
import re
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.services import free_port

ROOT = Path(__file__).parent.parent
SCRIPT = "let files = 0; // of the folder\n" * 100


class Server(BaseHTTPRequestHandler):
    """Answers with the path and the headers it got."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{self.path}\n{self.headers}".encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@dataclass
class Answer:
    status: int
    headers: Message
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode()


@dataclass
class Proxy:
    """A running proxy, and the server behind it."""

    address: str
    server: ThreadingHTTPServer

    def get(self, path: str, **headers: str) -> Answer:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.address + path, headers=named)
        unverified = ssl._create_unverified_context()
        try:
            with urllib.request.urlopen(request, timeout=30, context=unverified) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.headers, error.read())


def for_nginx(folder: Path, program: str, port: int, server: int) -> tuple[list[str], str]:
    """The command that starts nginx, and its address."""
    made = [
        "-keyout",
        "privkey.pem",
        "-out",
        "fullchain.pem",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *made]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    text = (ROOT / "deploy" / "nginx" / "kursbuch.conf").read_text("utf-8")
    text = text.replace("/etc/letsencrypt/live/kursbuch.example.org", str(folder))
    text = text.replace("/opt/kursbuch", str(folder)).replace(":8000", f":{server}")
    text = re.sub(r".*listen \[::\].*\n", "", text)
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    text = text.replace("listen 443 ", f"listen 127.0.0.1:{port} ")
    account = "user root;" if os.geteuid() == 0 else ""
    parts = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "\n".join(f"{part}_temp_path {folder}/{part};" for part in parts)
    (folder / "nginx.conf").write_text(
        f"{account} daemon off; pid {folder}/pid;"
        f" events {{}} http {{ include /etc/nginx/mime.types; access_log off; {folders}\n{text}\n}}"
    )
    command = [program, "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]
    tested = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr
    return command, f"https://localhost:{port}"


def for_caddy(folder: Path, program: str, port: int, server: int) -> tuple[list[str], str]:
    """The command that starts Caddy, and its address."""
    address = f"https://localhost:{port}"
    text = (ROOT / "deploy" / "caddy" / "Caddyfile").read_text("utf-8")
    text = text.replace("/opt/kursbuch", str(folder))
    text = text.replace("{$KURSBUCH_ADDRESS:kursbuch.example.org}", address)
    text = text.replace("{$KURSBUCH_SERVERS:127.0.0.1:8000}", f"127.0.0.1:{server}")
    text = text.replace("lb_try_duration 5s", "lb_try_duration 1s")
    options = "admin off\nskip_install_trust\nauto_https disable_redirects"
    (folder / "Caddyfile").write_text(f"{{\n{options}\n}}\n{text}")
    return [program, "run", "--config", str(folder / "Caddyfile")], address


@pytest.fixture(params=["nginx", "caddy"])
def proxy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Proxy]:
    program = request.getfixturevalue(f"{request.param}_path")
    start = {"nginx": for_nginx, "caddy": for_caddy}[request.param]
    (tmp_path / "static" / "dist").mkdir(parents=True)
    (tmp_path / "static" / "dist" / "main.js").write_text(SCRIPT)
    (tmp_path / "static" / "icon.svg").write_text("<svg/>")
    (tmp_path / "secret.js").write_text("secret")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    command, address = start(tmp_path, program, free_port(), server.server_port)
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **home})
    try:
        running = Proxy(address, server)
        deadline = time.monotonic() + 60
        while True:
            try:
                running.get("/")
                break
            except urllib.error.URLError:
                if process.poll() is not None or time.monotonic() > deadline:
                    pytest.fail((tmp_path / "log").read_text(), pytrace=False)
                time.sleep(0.05)
        yield running
    finally:
        process.terminate()
        process.wait(timeout=30)
        server.server_close()


def test_a_proxy_serves_static_files_itself(proxy: Proxy) -> None:
    stamped = proxy.get("/static/dist/main.js?v=0123")
    assert (stamped.status, stamped.text) == (200, SCRIPT)
    assert stamped.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert stamped.headers["X-Content-Type-Options"] == "nosniff"
    assert stamped.headers["Strict-Transport-Security"]
    assert stamped.headers["Content-Type"].split(";")[0].endswith("/javascript")
    packed = proxy.get("/static/dist/main.js?v=0123", Accept_Encoding="gzip")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content).decode() == SCRIPT
    unstamped = proxy.get("/static/icon.svg")
    assert (unstamped.status, unstamped.text) == (200, "<svg/>")
    assert unstamped.headers["Cache-Control"] == "public, max-age=600"
    assert unstamped.headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_the_server_answers_everything_else(proxy: Proxy) -> None:
    for path in ("/", "/t/1", "/static/missing.js?v=1", "/static/manifest.webmanifest", "/static/"):
        answer = proxy.get(path, X_Forwarded_For="6.6.6.6")
        assert answer.status == 200
        assert answer.text.startswith(f"{path}\n")
        headers = {line.partition(": ")[::2] for line in answer.text.splitlines()[1:]}
        assert ("X-Forwarded-Proto", "https") in headers
        assert ("X-Forwarded-For", "127.0.0.1") in headers
        assert ("Host", proxy.address.removeprefix("https://")) in headers
    for path in (
        "/static/../secret.js",
        "/static/%2e%2e/secret.js",
        "/static/dist/..%2f..%2fsecret.js",
    ):
        assert "secret\n" not in f"{proxy.get(path).text}\n".removeprefix(f"{path}\n")


def test_a_page_says_that_the_server_is_away(proxy: Proxy) -> None:
    proxy.server.shutdown()
    proxy.server.server_close()
    answer = proxy.get("/")
    assert answer.status == 502
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "This page tries again by itself." in answer.text
    assert proxy.get("/static/icon.svg").text == "<svg/>"
