"""What is written to standard error: lines for people, or JSON for machines. Secrets are left out of both."""

from __future__ import annotations

import copy
import logging
import re
from datetime import UTC, datetime
from typing import Any

import msgspec

TEXT, JSON = "text", "json"
KINDS = (TEXT, JSON)

#: The password of an address, the token of a link, and whatever else looks like one.
_SECRETS = (
    (re.compile(r"(://[^/@\s:]*:)[^@\s/]+@"), r"\1***@"),
    (re.compile(r"(/(?:seat|invited|unsubscribe)/)[\w.-]+"), r"\1***"),
    (re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}"), "***"),
)


def without_secrets(text: str) -> str:
    """A text with its secrets replaced by stars.

    >>> without_secrets("GET /t/abcdefghjk/seat/Zm9vYmFy at postgresql://club:geheim@db/kursbuch")
    'GET /t/abcdefghjk/seat/*** at postgresql://club:***@db/kursbuch'
    >>> without_secrets("seed 5f2b7c1e9a3d4f60b8c7d6e5f4a3b2c1 in kursbuch.web.backup.archive")
    'seed *** in kursbuch.web.backup.archive'
    """
    for pattern, stars in _SECRETS:
        text = pattern.sub(stars, text)
    return text


class TextFormatter(logging.Formatter):
    """A line with its time, for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The line, and after it the traceback if there is one."""
        return without_secrets(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
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
    """The configuration of the logs, for uvicorn."""
    from uvicorn.config import LOGGING_CONFIG

    chosen = copy.deepcopy(LOGGING_CONFIG)
    formatter = {"()": f"{__name__}.{'JsonFormatter' if kind == JSON else 'TextFormatter'}"}
    chosen["formatters"] = {"default": formatter, "access": formatter}
    chosen["loggers"]["kursbuch"] = {"handlers": ["default"], "level": "INFO", "propagate": False}
    requests = "INFO" if kind == JSON else "WARNING"
    chosen["loggers"]["kursbuch.requests"] = {"level": requests}
    return chosen
