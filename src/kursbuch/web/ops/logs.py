"""Logs: formats without secrets, and throttling."""

from __future__ import annotations

import copy
import logging
import re
import time
from datetime import UTC, datetime
from typing import Any

import msgspec

TEXT, JSON = "text", "json"
KINDS = (TEXT, JSON)

#: Minimum time between two lines on the same subject, in seconds.
QUIET = 10.0

#: Passwords in URLs, tokens in links, and whatever else looks like one.
_PASSWORD = (re.compile(r"(://[^/@\s:]*:)\S+@"), r"\1***@")
_SECRETS = (
    _PASSWORD,
    (re.compile(r"(/(?:seat|invited|unsubscribe)/)[\w.-]+"), r"\1***"),
    # Only from the start of a word: otherwise long words would be scanned from every position.
    (re.compile(r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}"), "***"),
)


def without_secrets(text: str) -> str:
    """Replace the secrets in a text by stars.

    >>> without_secrets("GET /t/abcdefghjk/seat/Zm9vYmFy at postgresql://club:geheim@db/kursbuch")
    'GET /t/abcdefghjk/seat/*** at postgresql://club:***@db/kursbuch'
    >>> without_secrets("seed 5f2b7c1e9a3d4f60b8c7d6e5f4a3b2c1 in kursbuch.web.backup.archive")
    'seed *** in kursbuch.web.backup.archive'
    """
    for pattern, stars in _SECRETS:
        text = pattern.sub(stars, text)
    return text


def without_password(address: str) -> str:
    """Replace the password in a service URL by stars.

    >>> without_password("redis://:geheim@localhost:6379/0")
    'redis://:***@localhost:6379/0'
    >>> without_password("postgresql://club:ge/h@im@db/kursbuch")
    'postgresql://club:***@db/kursbuch'
    """
    return _PASSWORD[0].sub(_PASSWORD[1], address)


class ThrottledLog:
    """A log for repeated problems: it repeats a subject only after `QUIET` seconds."""

    def __init__(self, log: logging.Logger, level: int = logging.WARNING) -> None:
        self._log = log
        self._level = level
        self._written: dict[str, float] = {}

    def write(self, subject: str, message: str, *args: object) -> None:
        """Write a line unless its subject was just written."""
        moment = time.monotonic()
        if moment - self._written.get(subject, -QUIET) >= QUIET:
            self._written[subject] = moment
            self._log.log(self._level, message, *args)


class TextFormatter(logging.Formatter):
    """One line of text per record."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, followed by a traceback if there is one."""
        return without_secrets(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            "process": record.process,
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["error"] = without_secrets(self.formatException(record.exc_info))
        return msgspec.json.encode(line, enc_hook=str).decode()


def config(kind: str) -> dict[str, Any]:
    """Return the logging configuration for uvicorn."""
    from uvicorn.config import LOGGING_CONFIG

    chosen = copy.deepcopy(LOGGING_CONFIG)
    formatter = {"()": f"{__name__}.{'JsonFormatter' if kind == JSON else 'TextFormatter'}"}
    chosen["formatters"] = {"default": formatter, "access": formatter}
    chosen["loggers"]["kursbuch"] = {"handlers": ["default"], "level": "INFO", "propagate": False}
    requests = "INFO" if kind == JSON else "WARNING"
    chosen["loggers"]["kursbuch.requests"] = {"level": requests}
    return chosen
