"""Numbers over time on pages and in files, and the end of a game."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from functools import cache
from itertools import pairwise

import pytest
from markupsafe import escape

import kursbuch
from kursbuch.bots import make
from kursbuch.core.game import Game
from kursbuch.core.stats import GameStats
from kursbuch.web.db.models import Seat, Table, now
from kursbuch.web.tables import numbers
from kursbuch.web.tables.numbers import long, numbers_csv, numbers_page
from kursbuch.web.tables.results import result
from kursbuch.web.tables.snapshot import Snapshot
from kursbuch.web.tables.viewer import Viewer
from tests.bot_games import played_out
from tests.web.visitors import Browser

NAMES = ["=Anna", "Bernd", "Clara <b>", "Dov"]
TITLES = {"rocket": {"money": "hidden"}, "nimm": {}, "dice": {}, "1835": {}, "1853": {}}


@cache
def played(title: str) -> Game:
    game = kursbuch.new(title, NAMES, 3, options=TITLES[title])
    bots = [make("random", seat) for seat in range(len(NAMES))]
    return played_out(game, bots)


def shown(
    game: Game, visitor: str = "owner-1", language: str = "en", at: int | None = None
) -> Viewer:
    """The table of a game as the owner of a seat or someone else sees it."""
    assert game.result is None or game.over
    table = Table(
        id="t1",
        title=game.title.id,
        options=game.options,
        seed=game.seed,
        seed_hash=game.seed_hash,
        status="finished" if game.over else "running",
        creator="somebody",
        number=len(game.moves),
        result={"winners": list(game.result.winners)} if game.result else None,
    )
    seats = [
        Seat(number=n, name=name, kind="person", bot="", owner=f"owner-{n}", facing=True)
        for n, name in enumerate(game.names)
    ]
    for seat in seats:
        seat.seen_at = now() - timedelta(hours=1)
    snapshot = Snapshot(table, seats, [], [], [], [])
    snapshot.game = game
    viewer = Viewer(snapshot, visitor, language, "http://here")
    if at is not None:
        viewer.look_back(at)
    return viewer


def rows(text: str, language: str = "en") -> list[list[str]]:
    lines = io.StringIO(text.removeprefix("\N{BYTE ORDER MARK}"))
    return list(csv.reader(lines, delimiter=";" if language == "de" else ","))


# ---- files


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_files_have_the_numbers_of_the_sheets(title: str, language: str) -> None:
    viewer = shown(played(title), language=language)
    found = GameStats(played(title), viewer.voice, viewer.looking)
    for sheet in found.sheets:
        head, *lines = rows(numbers_csv(viewer, sheet.id), language)
        assert len(lines) == len(sheet.lines)
        names = head[2:]
        for line, read in zip(sheet.lines, lines, strict=True):
            assert read[0] == line.label
            assert read[1] == ("" if line.number is None else str(line.number))
            by_name = dict(zip(names, read[2:], strict=True))
            for name, entry in zip(sheet.head, line.entries, strict=True):
                value = by_name["'" + name if name.startswith("=") else name]
                if entry.value is not None:
                    score = viewer.voice.score_value(entry.value)
                    assert int(value) == (score if sheet.unit == "score" else entry.value)
                else:
                    assert value == ("'" + entry.text if entry.text.startswith("=") else entry.text)
    everything = [[str(value) for value in row] for row in long(viewer, found.sheets)]
    assert rows(numbers_csv(viewer), language) == everything


@pytest.mark.parametrize("title", TITLES)
def test_no_text_of_a_file_is_a_formula(title: str) -> None:
    viewer = shown(played(title))
    texts = [text for row in rows(numbers_csv(viewer)) for text in row]
    assert "'=Anna" in texts
    for text in texts:
        assert not text.startswith(("=", "+", "@")), text
        assert not text.startswith("-") or text[1:].isdecimal(), text


# ---- the page


@pytest.mark.parametrize("title", TITLES)
def test_the_page_has_every_sheet_and_curve(title: str) -> None:
    page = numbers_page(shown(played(title)))
    ids = [sheet.id for sheet in page.sheets]
    assert ids[:2] == ["worth", "sources"]
    assert not page.hidden
    assert page.ending is not None
    assert page.ending.rule_url.startswith(f"/rules/{title}/")
    assert len(page.charts) == 2
    wide, small = page.charts
    for name in NAMES:
        assert f">{escape(name)}<" in wide
        assert f">{escape(name[:5])}" in small
    assert "<b>" not in wide + small
    worth = page.sheets[0]
    assert worth.seats == [0, 1, 2, 3]
    scores = [shown(played(title)).voice.score_value(s) for s in played(title).result.scores]  # type: ignore[union-attr]
    assert [cell.text for cell in worth.lines[-1].cells] == [f"{score:,}" for score in scores]
    # The last line is now, all others lead back.
    assert worth.lines[-1].url == "/t/t1"
    assert all("?move=" in line.url for line in worth.lines[:-1])


@pytest.mark.parametrize("title", TITLES)
def test_looking_back_shows_what_was(title: str) -> None:
    """After the end everybody may know what was secret then."""
    game = played(title)
    half = len(game.moves) // 2
    page = numbers_page(shown(game, at=half))
    assert page.number == half
    assert page.ending is None
    assert not page.hidden
    before = numbers_page(shown(game.branch(half), "owner-1"))
    assert before.number == half
    if title.isdecimal():
        assert page.sheets[0].lines[0] == before.sheets[0].lines[0]
    else:
        assert before.hidden
        assert before.sheets[0].seats == [1]
    assert "move=" in page.sheets[0].csv_url
    assert rows(numbers_csv(shown(game, at=half)))[1:] != rows(numbers_csv(shown(game)))[1:]


def test_who_watches_a_game_of_secrets_sees_no_sums() -> None:
    game = played("nimm")
    page = numbers_page(shown(game.branch(len(game.moves) // 2), "nobody"))
    assert page.hidden
    assert page.charts == []
    assert {sheet.id for sheet in page.sheets} <= {"lots"}


# ---- the end


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_result_tells_where_points_come_from(title: str, language: str) -> None:
    game = played(title)
    viewer = shown(game, language=language)
    found = result(viewer)
    assert found is not None
    assert found.ending is not None
    assert found.chart
    assert found.highlights
    assert [line.place for line in found.ranking] == sorted(line.place for line in found.ranking)
    for seat, score in enumerate(game.result.scores):  # type: ignore[union-attr]
        parts = [re.sub(r"[.,]", "", line.amounts[seat]) for line in found.sources]
        assert sum(_number(part) for part in parts if part != "–") == viewer.voice.score_value(
            score
        )
    for line in found.ranking:
        widths = [float(width) for width in re.findall(r' width="([\d.]+)%" y=', line.bar)]
        assert sum(widths) <= 100.1
        assert widths or not game.result.scores[line.seat]  # type: ignore[union-attr]
    assert result(shown(game, at=3)) is None


# ---- drawing


def test_names_at_the_ends_never_touch() -> None:
    curves = [
        numbers.Curve(f"Player {number}", f"seat-{number}", [(0, 0), (10, 5 + number)])
        for number in range(8)
    ]
    for size in (numbers.WIDE, numbers.SMALL):
        drawn = numbers.curves(curves, size, str)
        heights = sorted(
            float(y) for y in re.findall(r'class="name" x="[\d.]+" y="([\d.]+)"', drawn)
        )
        assert len(heights) == 8
        assert min(b - a for a, b in pairwise(heights)) >= numbers.ROW - 0.1
        assert heights[-1] <= size.height
        # Told apart by dashes and marks as well.
        assert len(set(re.findall(r'd="(M[^"]+)"/>', drawn)) & set(numbers.MARKS)) == 8


def test_a_bar_goes_both_ways_from_zero() -> None:
    parts = [
        (numbers.Look(name), amount) for name, amount in zip("abcd", (50, -25, 0, 25), strict=True)
    ]
    drawn = numbers.bar(parts, -25, 75)
    assert re.findall(r'class="(\w+)" x="([\d.]+)%" width="([\d.]+)%?"', drawn) == [
        ("a", "25.00", "50.00"),
        ("b", "0.00", "25.00"),
        ("d", "75.00", "25.00"),
        ("zero", "25.00", "2"),
    ]


# ---- over the network


@pytest.mark.asyncio(loop_scope="module")
async def test_pages_and_files_of_a_table(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    assert "nothing to show yet" in await anna.page(f"{table}/numbers")
    table = await anna.open("me Anna", "hotseat Bernd", "hotseat Clara", title="1835")
    for _ in range(4):
        await anna.move(table)
    page = await anna.page(f"{table}/numbers")
    assert "nothing to show" not in page
    assert '<svg class="chart wide"' in page
    assert f'href="{table}/numbers"' in await anna.page(table)
    back = await anna.page(f"{table}/numbers?move=2")
    assert f'href="{table}?move=2"' in back
    answer = await anna.client.get(f"{table}/numbers.csv?move=2")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"].startswith('attachment; filename="1835-')
    assert answer.text.startswith("\N{BYTE ORDER MARK}Sheet,")
    await anna.page(f"{table}/numbers.csv?sheet=nonsense", status=404)
    await anna.page(f"{table}/numbers?move=99", status=422)


@pytest.mark.asyncio(loop_scope="module")
async def test_there_are_no_numbers_before_the_game(anna: Browser) -> None:
    table = await anna.open("me Anna", "open")
    await anna.page(f"{table}/numbers", status=409)
    await anna.page(f"{table}/numbers.csv", status=409)
    assert "/numbers" not in await anna.page(table)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_sum_says_what_counts_in_it(anna: Browser) -> None:
    page = await anna.page(await anna.open("me", "hotseat Bernd", "hotseat Clara", title="1853"))
    note = "unpaid shares and bonds set aside count for nothing"
    assert f'{note}.">' in page
    assert page.count(note) == 3


def _number(written: str) -> int:
    """A number with the sign of readers."""
    return int(written.replace("\N{MINUS SIGN}", "-"))
