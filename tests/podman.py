"""Podman for the long tests: containers on a Debian made by debootstrap."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent

#: What this machine trusts when it fetches packages.
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
#: The variables with which pip, uv, npm and curl are told what to trust.
TRUSTING = ("PIP_CERT", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE")


@dataclass
class Podman:
    """Podman with a storage of its own."""

    program: str
    debootstrap: str
    folder: Path

    def __post_init__(self) -> None:
        import resource  # not on Windows

        # Where root is not allowed to raise limits, containers start with those there are.
        names = {"nofile": resource.RLIMIT_NOFILE, "nproc": resource.RLIMIT_NPROC}
        ulimits = [
            f"{name}={min(most, 20000)}:{min(most, 20000)}"
            for name, most in ((name, resource.getrlimit(one)[0]) for name, one in names.items())
        ]
        (self.folder / "containers.conf").write_text(
            f"[containers]\ndefault_ulimits = {json.dumps(ulimits)}\n"
            '[engine]\ncgroup_manager = "cgroupfs"\nruntime = "runc"\n'
        )
        (self.folder / "storage.conf").write_text(
            f'[storage]\ndriver = "overlay"\ngraphroot = "{self.folder}/storage"\n'
            f'runroot = "{self.folder}/run"\n'
        )

    @property
    def environment(self) -> dict[str, str]:
        own = {
            "CONTAINERS_CONF": str(self.folder / "containers.conf"),
            "CONTAINERS_STORAGE_CONF": str(self.folder / "storage.conf"),
        }
        return {**os.environ, **own}

    def __call__(self, *arguments: str, fails: bool = False) -> str:
        return self.run(self.program, *arguments, fails=fails)

    def run(self, *command: str, fails: bool = False, where: Path = ROOT) -> str:
        done = subprocess.run(
            command, cwd=where, env=self.environment, capture_output=True, text=True, check=False
        )
        assert fails or done.returncode == 0, (
            f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
        return done.stdout.strip()

    def import_debian(
        self, release: str, image: str, *options: str, prepare: Sequence[Sequence[str]] = ()
    ) -> None:
        """Make an image of a Debian release with debootstrap and its *options*.

        The commands of *prepare* run in it before.
        """
        root = self.folder / "root"
        try:
            self.run(self.debootstrap, *options, release, str(root))
            for command in prepare:
                self.run("chroot", str(root), *command)
            changes = []
            if CERTIFICATES.is_file():
                kept = "/etc/trusted.crt"
                shutil.copy(CERTIFICATES, root / kept[1:])
                changes = [f"--change=ENV {name}={kept}" for name in TRUSTING]
            archive = f"{self.folder}/root.tar"
            xattrs = ("--xattrs", "--xattrs-include=*")
            self.run("tar", "-C", str(root), *xattrs, "-cf", archive, ".")
            self("import", *changes, archive, image)
            Path(archive).unlink()
        finally:
            shutil.rmtree(root, ignore_errors=True)


@contextlib.contextmanager
def own_podman(program: str, debootstrap: str, folder: Path) -> Iterator[Podman]:
    """Podman with an empty storage, which is removed at the end."""
    podman = Podman(program, debootstrap, folder)
    try:
        yield podman
    finally:
        podman("system", "reset", "--force", fails=True)


def fetch(address: str, deadline: float = 90) -> tuple[str, dict[str, str]]:
    """The text at an address that may not answer yet, and the headers."""
    unverified = ssl._create_unverified_context()
    ends = time.monotonic() + deadline
    while True:
        try:
            with urllib.request.urlopen(address, timeout=10, context=unverified) as answer:
                return answer.read().decode(), dict(answer.headers.items())
        except OSError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.5)
