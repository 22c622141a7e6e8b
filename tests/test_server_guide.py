"""`docs/server.md`, followed on fresh Debian machines: installed, upgraded, backed up and restored.

The machines are containers in which systemd runs the units of `deploy`. What they run is what the guide says,
command by command; `MEANT` and the stand-ins below tell what is different, and `LEFT_OUT` what is not run.
"""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from tests.podman import Podman
from tests.services import free_port, in_ci
from tests.test_wheel import copy_tracked_files

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "server.md").read_text("utf-8")

#: The commands that are run, by the heading above them and their place below it.
FOLLOWED = {
    ("The program", 0),
    ("TLS", 0),
    ("TLS", 1),
    ("Several workers and machines", 0),
    ("Upgrading", 0),
    ("Backups", 0),
}
LEFT_OUT = {
    (
        "At home",
        0,
    ): "serves until Ctrl-C; `test_wheel.py` installs a wheel, and `run.py` starts these tests",
    ("In containers", 0): "`test_container.py` builds and runs `compose.yaml`",
}

#: Caddy makes the certificates of such a name itself.
HOST = "kursbuch.localhost"
#: Words that the guide leaves to the reader.
MEANT = {
    "ADDRESS-OF-THE-SOURCE": "/srv/source.git",
    "kursbuch.example.org": HOST,
    "NAME": "ada",
    "FILE": "/root/backup.gz",
}
#: Answers yes to apt; edits files without a screen; makes certificates without the internet.
STAND_INS = {
    "/etc/apt/apt.conf.d/90yes": 'APT::Get::Assume-Yes "true";\n',
    "/usr/local/bin/editor": '#!/bin/sh\nexec sed -i -f /root/edits "$1"\n',
    "/usr/local/bin/certbot": """#!/bin/sh -e
        while [ "$1" != -d ]; do shift; done
        folder=/etc/letsencrypt/live/$2
        mkdir -p $folder
        exec openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=$2 \\
            -keyout $folder/privkey.pem -out $folder/fullchain.pem
        """,
}

#: In a container systemd cannot give Redis the user namespace and the limit of Debian's unit.
REDIS = """
    folder=/etc/systemd/system/redis-server.service.d
    mkdir -p $folder
    printf '[Service]\\nPrivateUsers=no\\nLimitNOFILE=10240\\n' >$folder/container.conf
    """

#: The commit upgraded from while there is no release.
FIRST = "2b097c4e"


def sections(guide: str) -> dict[str, str]:
    """The text below each heading."""
    _, *parts = re.split(r"^##+ (.+)\n", guide, flags=re.M)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def commands(section: str) -> list[str]:
    """The indented blocks of a section.

    >>> commands("Do this:\\n\\n    cd /\\n    ls\\n\\nor that:\\n\\n    pwd\\n")
    ['cd /\\nls', 'pwd']
    """
    blocks = re.findall(r"(?<=\n\n)(?: {4}.*\n)+", f"\n\n{section}")
    return [re.sub(r"^ {4}", "", block, flags=re.M).strip() for block in blocks]


def test_every_command_of_the_guide_is_followed() -> None:
    assert "```" not in GUIDE
    found = {
        (heading, number)
        for heading, text in sections(GUIDE).items()
        for number in range(len(commands(text)))
    }
    assert found == FOLLOWED | set(LEFT_OUT)
    assert not FOLLOWED & set(LEFT_OUT)
    followed = "\n".join(commands(sections(GUIDE)[heading])[number] for heading, number in FOLLOWED)
    for word in MEANT:
        assert re.search(rf"\b{re.escape(word)}\b", followed), word
    for path in STAND_INS:
        assert path.rpartition("/")[2] in f"{followed} 90yes"


# --- Followed ---


Found = TypeVar("Found")


@dataclass
class Machine:
    """A machine with Debian and systemd on which someone does what the guide says."""

    podman: Podman
    container: str
    port: int
    followed: set[tuple[str, int]] = field(default_factory=set)

    @property
    def address(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def run(self, script: str) -> str:
        """Run a script as root in a new shell, up to the first command that fails."""
        return self.podman("exec", self.container, "bash", "-c", f"exec 2>&1; cd; {script}")

    def write(self, path: str, content: str) -> None:
        self.podman("exec", self.container, "bash", "-c", 'echo "$2" >"$1"', "write", path, content)

    def type(self, script: str, edits: str = "") -> None:
        """Run commands of a guide in one shell; *edits* are what is changed with the editor besides the host name."""
        self.write("/root/edits", f"s/kursbuch[.]example[.]org/{HOST}/g\n{edits}")
        for word, meant in MEANT.items():
            script = re.sub(rf"\b{re.escape(word)}\b", meant, script)
        print(f"\n===== {self.container}:\n{self.run(f'set -ex; {script}')}")

    def follow(self, heading: str, number: int = 0, edits: str = "") -> None:
        """Run a block of the guide."""
        self.type(commands(sections(GUIDE)[heading])[number], edits)
        self.followed.add((heading, number))

    def status(self) -> dict[str, Any]:
        """What `kursbuch admin status` tells once nothing is wrong."""
        script = "kursbuch admin status --json || true"
        told: dict[str, Any] = until(
            lambda: json.loads(self.run(script)), lambda told: not told["problems"]
        )
        print(f"\n===== {self.container}:\n{self.run('kursbuch admin status')}")
        return told


def until(
    ask: Callable[[], Found], holds: Callable[[Found], object], seconds: float = 120
) -> Found:
    """Ask until the answer is the wanted one."""
    ends = time.monotonic() + seconds
    while not holds(found := ask()):
        assert time.monotonic() < ends, found
        time.sleep(0.5)
    return found


class AtThisMachine(httpx.HTTPTransport):
    """Asks this machine for what is at `HOST`."""

    def __init__(self) -> None:
        super().__init__(verify=False)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.headers["Host"] = HOST
        request.extensions["sni_hostname"] = HOST
        return super().handle_request(request)


@dataclass
class Visitor:
    """A person at a table, with the cookies of one browser."""

    browser: httpx.Client
    table: str = ""

    def arrive(self, machine: Machine) -> None:
        """Go to a machine, and wait until it is ready."""
        self.browser.base_url = httpx.URL(machine.address)
        until(lambda: self.is_ready, bool)

    @property
    def is_ready(self) -> bool:
        try:
            return self.browser.get("/ready").text == "ready"
        except httpx.TransportError:
            return False

    def open_table(self) -> None:
        """Open a table with a bot."""
        seats = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": "greedy"}]
        wanted = {"title": "rocket", "seats": seats, "pace": 0}
        answer = self.browser.post("/api/tables", json=wanted)
        assert answer.is_success, answer.text
        self.table = f"/api/tables/{answer.json()['id']}"

    def game(self) -> dict[str, Any]:
        """The game when it is this person's turn."""
        return until(
            lambda: self.browser.get(self.table).raise_for_status().json(),
            lambda game: game["choices"],
        )

    def play(self) -> None:
        """Make a move, and wait for those of the bot."""
        game = self.game()
        seen = {"number": game["number"], "version": game["version"]}
        move = {**seen, "action": game["choices"][0]["action"]}
        answer = self.browser.post(f"{self.table}/move", json=move)
        assert answer.is_success, answer.text
        assert self.game()["number"] > game["number"]

    def look_at_static_files(self) -> None:
        """Find the program of the page, which the proxy reads from the disk."""
        (path,) = re.findall(r'src="(/static/dist/main\.js\?v=[^"]+)"', self.browser.get("/").text)
        answer = self.browser.get(path).raise_for_status()
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert len(answer.text) > 10_000


def git(where: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=where, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@dataclass
class Source:
    """The repository from which the machines get the program, with the release before this one."""

    folder: Path
    before: str

    @property
    def guide(self) -> str:
        """The guide of the release before."""
        return git(self.folder, "show", f"{self.before}:docs/server.md")

    def publish(self, changed: Path) -> None:
        """Put this program there, with what is not committed; *changed* is a folder for it."""
        git(ROOT, "clone", "--quiet", str(ROOT), str(changed))
        copy_tracked_files(changed)
        me = ("-c", "user.name=test", "-c", "user.email=test@localhost")
        git(changed, "add", "--update")
        git(changed, *me, "commit", "--quiet", "--allow-empty", "--message", "Test")
        git(changed, "push", "--quiet", str(self.folder), "HEAD:refs/heads/main")


@pytest.fixture
def source(tmp_path: Path) -> Source:
    releases = subprocess.run(
        ["git", "describe", "--tags", "--abbrev=0", "--match=v[0-9]*", "HEAD^"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    folder, before = tmp_path / "source.git", releases.stdout.strip() or FIRST
    if subprocess.run(["git", "cat-file", "-e", before], cwd=ROOT, check=False).returncode:
        assert not in_ci(), f"{before} is missing"
        pytest.skip(f"{before} is missing in this checkout")
    git(ROOT, "clone", "--quiet", "--bare", str(ROOT), str(folder))
    git(folder, "update-ref", "refs/heads/main", f"{before}^{{commit}}")
    git(folder, "symbolic-ref", "HEAD", "refs/heads/main")
    return Source(folder, before)


@pytest.fixture
def start(podman: Podman, source: Source) -> Iterator[Callable[[str], Machine]]:
    """Starts a machine with a release of Debian."""
    started = []
    #: What systemd needs to start services with the limits of their units.
    rights = ("--systemd=always", "--cap-add=SYS_ADMIN", "--security-opt=seccomp=unconfined")

    def start(release: str) -> Machine:
        podman.import_debian(release, f"localhost/{release}")
        port = free_port()
        podman(
            "run",
            "--detach",
            f"--name={release}",
            "--hostname=server",
            f"--publish=127.0.0.1:{port}:443",
            f"--volume={source.folder}:/srv/source.git:ro",
            *rights,
            f"localhost/{release}",
            "/sbin/init",
        )
        started.append(release)
        machine = Machine(podman, release, port)
        for path, content in STAND_INS.items():
            machine.write(path, content)
        machine.run("chmod +x /usr/local/bin/*")
        machine.run(REDIS)
        until(lambda: machine.run("systemctl is-system-running || true"), "running".__eq__)
        return machine

    yield start
    for release in started:
        podman("rm", "--force", "--volumes", release, fails=True)


def browsing() -> Iterator[Visitor]:
    with httpx.Client(transport=AtThisMachine(), timeout=30) as browser:
        yield Visitor(browser)


visitor = pytest.fixture(browsing, name="visitor")
stranger = pytest.fixture(browsing, name="stranger")


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_the_guide_leads_from_one_machine_to_the_next(
    start: Callable[[str], Machine],
    visitor: Visitor,
    stranger: Visitor,
    source: Source,
    tmp_path: Path,
) -> None:
    old = start("bookworm")
    # The release before, as its own guide says.
    earlier = sections(source.guide)
    old.type("\n".join([*commands(earlier["The program"]), commands(earlier["TLS"])[0]]))
    visitor.arrive(old)
    visitor.open_table()
    visitor.play()
    game = visitor.game()

    source.publish(tmp_path / "changed")
    old.follow("Upgrading")
    old.follow("TLS", 0)
    visitor.arrive(old)
    visitor.look_at_static_files()
    assert visitor.game()["number"] == game["number"]
    visitor.play()
    game = visitor.game()
    assert old.status()["database"]["kind"] == "SQLite"

    moving = "Several workers and machines"
    settings = re.findall(r"`(KURSBUCH_\w+)=([^`\s]+)`", sections(GUIDE)[moving])
    assert len(settings) == 2
    edits = [f"s|^#*{name}=.*|{name}={value}|" for name, value in settings]
    (options,) = re.findall(r"add `(.*?)` to `KURSBUCH_OPTIONS`", sections(GUIDE)[moving])
    edits.append(f"/^KURSBUCH_OPTIONS=/s|'$| {options}'|")
    old.follow(moving, edits="\n".join(edits))
    visitor.arrive(old)
    assert position(visitor.game()) == position(game)
    visitor.play()
    game = visitor.game()
    # As the timer does it at night.
    assert old.run("systemctl is-active kursbuch-backup.timer") == "active"
    old.run("set -e; systemctl start kursbuch-backup.service")
    status = old.status()
    assert status["database"]["kind"] == "PostgreSQL"
    assert len(status["workers"]) == 2
    backup = status["backup"]["path"]

    new = start("trixie")
    new.follow("The program")
    new.follow("TLS", 1)
    stranger.arrive(new)
    assert stranger.browser.get(visitor.table).status_code == 404
    old.podman("cp", f"{old.container}:{backup}", str(tmp_path / "backup.gz"))
    old.podman("cp", str(tmp_path / "backup.gz"), f"{new.container}:{MEANT['FILE']}")
    new.follow("Backups")
    visitor.arrive(new)
    visitor.look_at_static_files()
    assert position(visitor.game()) == position(game)
    visitor.play()
    assert new.status()["database"]["kind"] == "SQLite"
    assert old.followed | new.followed == FOLLOWED


def position(game: dict[str, Any]) -> dict[str, Any]:
    """What a restored game has in common with the one that was backed up."""
    return {
        name: value
        for name, value in game.items()
        if name not in ("version", "revision", "rewound")
    }
