"""What the tests use from the machine; `python3 run.py tests` provides it."""

from __future__ import annotations

import os

import pytest


def provided(variable: str, what: str) -> str:
    value = os.environ.get(variable)
    if value:
        return value
    message = f"{what} is needed: set {variable}, or use `python3 run.py tests`"
    if os.environ.get("CI", "").lower() in ("true", "1"):
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


@pytest.fixture(scope="session")
def postgres_url() -> str:
    """An SQLAlchemy URL of a PostgreSQL database, shared by all tests and test processes."""
    return provided("KURSBUCH_TEST_POSTGRES_URL", "PostgreSQL")


@pytest.fixture(scope="session")
def redis_url() -> str:
    """The URL of a Redis server, shared by all tests and test processes."""
    return provided("KURSBUCH_TEST_REDIS_URL", "Redis")


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The path of the Chromium program."""
    return provided("KURSBUCH_TEST_CHROMIUM", "Chromium")
