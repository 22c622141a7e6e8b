"""Settings in the environment: what cannot be used is told in one sentence, before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from kursbuch.core.errors import KursbuchError
from kursbuch.web import serve
from kursbuch.web.settings import Settings
from tests.web.visitors import free_port


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("TABLES", "many", "KURSBUCH_TABLES must be a whole number."),
        ("THINKING", "-1", "KURSBUCH_THINKING must be a whole number."),
        ("MEMORY", "1e3", "KURSBUCH_MEMORY must be a whole number."),
        ("BOT_PROCESSES", "²", "KURSBUCH_BOT_PROCESSES must be a whole number."),
        ("NOTICE_PAUSE", "5m", "KURSBUCH_NOTICE_PAUSE must be a whole number."),
        ("UNWATCHED", "no", "KURSBUCH_UNWATCHED must be one of slow, never, always."),
        ("WEBHOOKS", "no", "KURSBUCH_WEBHOOKS must be one of off, on, private."),
        ("ACCOUNTS", "nobody", "Accounts must be"),
        ("ADDRESS", "club.example", "KURSBUCH_ADDRESS must be an address such as https://"),
        ("ADDRESS", "ftp://club.example", "KURSBUCH_ADDRESS must be"),
        ("ADDRESS", "https://club.example/games", "KURSBUCH_ADDRESS must be"),
        ("ADDRESS", "https://club.example:x", "KURSBUCH_ADDRESS must be"),
        ("ADDRESS", "https://[club", "KURSBUCH_ADDRESS must be"),
        ("LIMITS", "none", "Limits are household, public, off"),
        ("HOSTS", "club/example", "club/example is not a valid host name."),
        ("SMTP", "smtp://localhost", "Set KURSBUCH_MAIL_FROM"),
        ("PUSH", "admin", "KURSBUCH_PUSH must be the mail address"),
        ("MAIL_REPLIES", "club", "The reply address must look like name@host"),
    ],
)
def test_what_cannot_be_used_is_told_before_anything_starts(
    variable: str, value: str, told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(f"KURSBUCH_{variable}", value)
    with pytest.raises(KursbuchError) as caught:
        serve(port=free_port(), database=str(tmp_path / "tables.sqlite3"))
    assert str(caught.value).startswith(told)
    assert not [*tmp_path.iterdir()]


def test_what_is_given_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "ADDRESS": "https://club.example/",
        "TABLES": "7",
        "THINKING": "0",
        "WEBHOOKS": "off",
        "NOTICE_PAUSE": "0",
    }
    for name, value in given.items():
        monkeypatch.setenv(f"KURSBUCH_{name}", value)
    found = Settings.from_environment()
    assert (found.address, found.most_open, found.thinking) == ("https://club.example", 7, None)
    assert (found.post.webhooks, found.post.pause) == ("", 0)
    monkeypatch.setenv("KURSBUCH_WEBHOOKS", "private")
    assert Settings.from_environment().post.webhooks == "private"


def test_redis_of_the_environment_is_used_and_its_password_told_to_nobody(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    database = str(tmp_path / "tables.sqlite3")
    with pytest.raises(KursbuchError, match="Several workers need Redis"):
        serve(port=free_port(), database=database, workers=2)
    monkeypatch.setenv("KURSBUCH_REDIS", "redis://:geheim@127.0.0.1:1/0")
    with pytest.raises(KursbuchError, match="Redis does not answer at redis://:") as caught:
        serve(port=free_port(), database=database, workers=2)
    assert "geheim" not in str(caught.value)
    assert not [*tmp_path.iterdir()]
