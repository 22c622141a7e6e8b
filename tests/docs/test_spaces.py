"""docs/spaces.md says what the encodings say."""

from __future__ import annotations

from tests.spaces_page import PAGE, page


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.spaces_page writes it anew"
