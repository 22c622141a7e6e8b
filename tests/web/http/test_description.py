"""The JSON interface answers as its description says: a short run of `python -m tests.fuzz_api`."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz_api import ANSWERS, BROWSER, STRANGER, TOKEN, run


def test_every_answer_is_as_described(tmp_path: Path) -> None:
    assert list(run(tmp_path, 2, (BROWSER,))) == []
    # It has met what it should: things done, refused, not found, not readable.
    assert {200, 201, 400, 404, 409} <= ANSWERS[BROWSER].keys()
    assert not any(status >= 500 for status in ANSWERS[BROWSER])


def test_so_it_does_for_accounts_and_tokens(tmp_path: Path) -> None:
    assert list(run(tmp_path, 1, (TOKEN, STRANGER))) == []
    assert {200, 201, 400, 404} <= ANSWERS[TOKEN].keys()
    assert 401 not in ANSWERS[TOKEN]
    assert 401 in ANSWERS[STRANGER]
    assert not ANSWERS[STRANGER].keys() & {200, 201, 204}
