"""What a machine lacks is said and skipped, but not in CI; what was started for a test is stopped."""

from __future__ import annotations

import os
import socket
from dataclasses import replace

import pytest

from tests import conftest, services

ABSENT = replace(services.REDIS, variable="KURSBUCH_TEST_ABSENT", find=lambda: None)


@pytest.fixture(autouse=True)
def outside_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)


def test_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "ALL", (ABSENT, replace(ABSENT, name="Valkey", package="valkey")))
    header = conftest.pytest_report_header()
    assert header is not None
    assert "Redis and Valkey cannot be found" in header
    assert "apt install redis-server valkey" in header
    assert "\n" not in header


def test_nothing_is_said_of_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "ALL", (ABSENT,))
    monkeypatch.setenv(ABSENT.variable, "redis://elsewhere")
    assert conftest.pytest_report_header() is None
    assert list(conftest.address(ABSENT)) == ["redis://elsewhere"]


def test_what_is_missing_is_skipped() -> None:
    with pytest.raises(pytest.skip.Exception, match="apt install redis-server"):
        list(conftest.address(ABSENT))


def test_in_ci_nothing_is_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt install redis-server"):
        list(conftest.address(ABSENT))
    monkeypatch.setattr(services, "ALL", (ABSENT,))
    monkeypatch.setattr(services, "install_debian", lambda packages: None)
    assert services.main() == 1
    assert "in CI every test must run" in capsys.readouterr().err


@pytest.mark.skipif(not services.find_redis(), reason="needs a Redis of its own")
def test_what_was_started_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(services.REDIS.variable, raising=False)
    monkeypatch.setattr(services, "ALL", (services.REDIS,))
    with services.for_all_processes():
        address = os.environ[services.REDIS.variable]
        port = int(address.removeprefix("redis://127.0.0.1:").removesuffix("/0"))
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    assert services.REDIS.variable not in os.environ
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=5)
