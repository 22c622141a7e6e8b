"""The chain of hashes: what was changed in a record is named, and a head that was noted proves it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import kursbuch
from kursbuch.core.chance import draw
from kursbuch.core.errors import KursbuchError, RecordError
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.core.record_format import Chain, Former, salt_for
from kursbuch.core.verification import CHANGED, CONSISTENT, PROVEN
from tests.editions.find import RECORDS
from tests.records import unchained

TESTS = Path(__file__).parents[1]
GAMES = {path.stem: path for path in (TESTS / "browser" / "games").glob("*.txt")}
TITLES = sorted(GAMES)


@lru_cache
def whole(title: str) -> Game:
    """A game that is over."""
    return kursbuch.load(GAMES[title].read_text("utf-8"))


def sentences(text: str, head: str | None = None) -> list[str]:
    """What was changed in a record."""
    return [str(one) for one in kursbuch.verify(text, head).changes]


def changed(name: str) -> str:
    return f'The line "{name}" was changed, added or left out.'


def rocket(moves: int = 40, **options: str) -> Game:
    rng = random.Random(5)
    given = options or {"money": "hidden"}
    game = kursbuch.new("rocket", ["Anna", "Bernd", "Clara"], 21, given)
    return go_on(game, moves, rng)


def go_on(game: Game, moves: int, rng: random.Random) -> Game:
    while len(game.moves) < moves and not game.over:
        decision = rng.choice(game.pending)
        choice = rng.choice(game.legal_actions(decision.seat))
        game.apply(rng.choice(list(choice.actions())))
    return game


def sealed(*bids: int) -> Game:
    """A game in which these bids are made in secret."""
    for seed in range(1000):
        game = kursbuch.new("nimm", ["Anna", "Bernd", "Clara"], seed)
        if game.state.auction == "sealed":
            break
    game.apply(next(game.legal_actions(game.pending[0].seat)[0].actions()))
    for bid in bids:
        game.apply(game.parse(f"{game.names[game.pending[0].seat]} bids {bid}"))
    return game


# ---- what is named


def test_an_option_that_was_left_out() -> None:
    text = rocket().record(reveal=True)
    broken = text.replace("option money: hidden\n", "")
    assert kursbuch.load(broken).options["money"] == "open"
    assert sentences(broken) == [changed("option money")]


def test_an_edition_that_was_left_out() -> None:
    game = rocket(30)
    older = next(path for path in RECORDS.rglob("*.txt") if path.parent.name == "dice")
    text = kursbuch.load(older.read_text("utf-8")).play_on(0, "3").record(reveal=True)
    assert "\nedition: " not in text  # it began by the first
    newer = kursbuch.new("dice", ["Anna", "Bernd"], 7).record(reveal=True)
    assert sentences(newer.replace("edition: 2\n", "")) == [changed("edition")]
    assert not sentences(game.record(reveal=True))


def test_a_losing_bid_that_was_changed() -> None:
    # Everybody has bid; the highest bid and the price are the same.
    game = sealed(1000, 1100, 2000)
    number = next(
        n for n, move in enumerate(game.moves, 1) if "bids 1000" in game.format(move.action)
    )
    text = game.record(reveal=True)
    broken = text.replace("bids 1000\n", "bids 950\n")
    assert kursbuch.load(broken).moves != game.moves
    (sentence,) = sentences(broken)
    assert sentence.startswith(f"Move {number} (")
    assert "bids 950" in sentence


def test_a_name_that_was_changed() -> None:
    text = rocket().record(reveal=True)
    everywhere = text.replace("Bernd", "Berta")
    assert kursbuch.load(everywhere).names[1] == "Berta"
    assert sentences(everywhere) == [changed("seat 2")]
    found = kursbuch.verify(text.replace("seat 2: Bernd", "seat 2: Berta"))
    assert [str(one) for one in found.changes] == [changed("seat 2")]
    assert isinstance(found.refusal, RecordError)


def test_the_end_that_was_cut_off() -> None:
    text = rocket().record(reveal=True)
    broken = text[: text.index("\n36. ")] + "\n"
    assert len(kursbuch.load(broken).moves) == 35
    assert sentences(broken) == ["The moves from number 36 on are missing; there were 40."]
    # Nor without the last move only.
    broken = re.sub(r"\n40\. (.|\n)*?check header", "\ncheck header", text)
    assert sentences(broken) == ["The moves from number 40 on are missing; there were 40."]


def test_a_move_that_was_added() -> None:
    game = rocket()
    text = game.record(reveal=True)
    game = go_on(game.branch(40), 41, random.Random(3))
    broken = text.replace("check header", f"41. {game.format(game.moves[-1].action)}\ncheck header")
    assert sentences(broken) == ["The moves from number 41 on were added."]


def test_moves_in_another_order() -> None:
    game = sealed(1000, 1100, 2000)
    text = game.record(reveal=True)
    number = next(
        n for n, move in enumerate(game.moves, 1) if "bids 1000" in game.format(move.action)
    )
    one, two = (game.format(game.moves[at].action) for at in (number - 1, number))
    broken = text.replace(f". {one}\n", ". ?\n").replace(f". {two}\n", f". {one}\n")
    broken = broken.replace(". ?\n", f". {two}\n")
    assert kursbuch.load(broken).state == game.state
    assert sentences(broken)[0].startswith(f"Move {number} (")


def test_a_draw_that_was_changed() -> None:
    game = go_on(kursbuch.new("dice", ["Anna", "Bernd"], 7), 30, random.Random(2))
    text = game.record(reveal=True)
    lines = text.splitlines()
    at = max(n for n, line in enumerate(lines) if line.startswith("draw "))
    value, sides = map(int, re.findall(r"\d+", lines[at]))
    lines[at] = f"draw {value % sides + 1} of {sides}"
    with pytest.raises(RecordError, match="does not come from the seed") as error:
        kursbuch.load("\n".join(lines))
    assert error.value.line == at + 1
    assert sentences("\n".join(lines))[0].startswith("Move ")
    # Without the seed only the chain tells it.
    lines = game.record(reveal=False).splitlines()
    assert f"salt: {salt_for('7')}" in lines
    lines[at] = f"draw {value % sides + 1} of {sides}"
    assert sentences("\n".join(lines))[0].startswith("Move ")


def other_value(title: str, line: str, position: Position[Any] | None) -> Iterator[str]:
    """The line with something else in it that can be read."""
    key, _, value = line.partition(": ")
    if key.startswith("option "):
        (option,) = (one for one in kursbuch.title(title).options if f"option {one.name}" == key)
        yield from (f"{key}: {other}" for other in option.values if other != value)
    elif key == "edition":
        yield from (f"{key}: {other}" for other in range(1, 4) if str(other) != value)
    elif key.startswith("seat "):
        yield f"{key}: Zacharias"
    elif key in ("seed", "seed hash", "data", "chain") or key.startswith("check "):
        last = len(line) - 1
        for at in {len(key) + 2, min(len(key) + 7, last), last}:
            yield line[:at] + ("1" if line[at] == "0" else "0") + line[at + 1 :]
    elif found := re.fullmatch(r"draw (\d+) of (\d+)", line):
        yield f"draw {int(found[1]) % int(found[2]) + 1} of {found[2]}"
    elif position is not None:
        number, *_ = line.split(" ")
        for seat in (one.seat for one in position.pending()):
            for choice in position.legal_actions(seat)[:2]:
                for action in list(choice.actions())[:2]:
                    other = f"{number} {whole(title).names[seat]} {position.title.format(action)}"
                    if other != line:
                        yield other


def edits(title: str, text: str) -> Iterator[str]:
    """The record with one line left out, doubled, moved or changed."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        yield "\n".join((*lines[:at], *lines[at + 1 :]))
        yield "\n".join((*lines[:at], line, *lines[at:]))
        yield "\n".join((*lines[:at], *lines[at + 1 : at + 2], line, *lines[at + 2 :]))
        found = re.match(r"(\d+)\. ", line)
        position = whole(title).at(int(found[1]) - 1) if found else None
        for other in other_value(title, line, position):
            yield "\n".join((*lines[:at], other, *lines[at + 1 :]))


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("reveal", [True, False])
def test_a_line_that_was_changed_is_refused_or_named(title: str, reveal: bool) -> None:
    game = whole(title).branch(22)
    text = game.record(reveal=reveal)
    seen = dict.fromkeys(("refused", "named", "same"), 0)
    for broken in edits(title, text):
        try:
            found = kursbuch.verify(broken)
        except KursbuchError:
            seen["refused"] += 1
            continue
        if found.changes:
            seen["named"] += 1
        else:
            # It says the same in other words.
            assert found.game.record(reveal=reveal) == text, broken
            seen["same"] += 1
    assert min(seen["refused"], seen["named"]) > 20


@pytest.mark.parametrize("title", TITLES)
def test_a_finished_game(title: str) -> None:
    game = whole(title)
    text = game.record()
    found = kursbuch.verify(text, game.head())
    assert (found.verdict, found.proven) == (PROVEN, len(game.moves))
    for begin in ("seed: ", "chain: ", "check header: ", "check 20: "):
        (line,) = re.findall(f"^{begin}.*\n", text, re.M)
        name = begin.removesuffix(": ")
        assert f'"{name}"' in sentences(text.replace(line, ""))[0]


def test_what_does_not_belong_to_the_game() -> None:
    """The chain is one of what a record says, not of how it is written."""
    text = rocket().record(reveal=True)
    header, _, moves = text.partition("\n\n")
    lines = header.splitlines()
    rewritten = "\r\n".join((*lines[:1], *sorted(lines[1:-1]), lines[-1], "", ""))
    rewritten += moves.replace("\n", "  \r\n\r\n").replace(" takes ", "  TAKES ")
    assert kursbuch.verify(rewritten, rocket().head()).verdict == PROVEN


def test_a_line_of_checks_that_was_changed() -> None:
    text = rocket().record(reveal=True)
    found = re.findall(r"^check .*$", text, re.M)
    assert [line.partition(":")[0] for line in found] == [
        "check header",
        "check 0",
        "check 20",
        "check 40",
    ]
    for line in found:
        other = line[:-1] + ("1" if line[-1] == "0" else "0")
        name = line.partition(":")[0]
        for broken in (text.replace(line, other), text.replace(line + "\n", "")):
            (sentence,) = sentences(broken)
            assert f'"{name}"' in sentence
    assert sentences(re.sub(r"chain: .*\n", "", text)) == ['The line "chain" is missing.']
    assert sentences(text.replace("chain: 40 ", "chain: 41 ")) == [changed("chain")]
    assert sentences(text.replace("seed: 21\n", "")) == ['The line "seed" is missing.']


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("chain: ", "chain: x", "a number of moves and a hash"),
        ("check 0: ", "check 0: xyz ", "cannot be read as checks"),
        ("check 0: ", "check 1: ", "cannot be read as checks"),
        ("check header: ", "check header: title, ", "cannot be read as checks"),
        ("seed: 21", "seed: 21\nsalt: 12", "64 digits from 0 to f"),
        ("seed: 21", "seed: 21\nsalt: " + "0" * 64, "not the salt that comes from the seed"),
        ("seed hash", "seat 9 until 3: Zoe\nseed hash", "no seat 9"),
        (
            "seed hash",
            "seat 1 until 3: Zoe\nseat 2 until 2: Yvo\nseed hash",
            "must be in the order",
        ),
        ("seed hash", "seat 1 until 3: \u200b\nseed hash", "cannot be shown"),
    ],
)
def test_a_chain_that_cannot_be_read(old: str, new: str, why: str) -> None:
    text = rocket().record(reveal=True)
    assert old in text
    with pytest.raises(RecordError, match=why):
        kursbuch.load(text.replace(old, new, 1))


# ---- what is proven


def test_a_chain_that_was_made_again_is_not_proven() -> None:
    game = rocket()
    head = game.head()
    forged = kursbuch.load(game.record(reveal=True).replace("option money: hidden\n", ""))
    text = forged.record(reveal=True)
    assert kursbuch.verify(text).verdict == CONSISTENT
    found = kursbuch.verify(text, head)
    assert found.verdict == CHANGED
    assert "No position in this game matches the hash that was noted" in str(found.changes[0])


def test_a_head_that_was_noted_earlier_proves_what_was_played_until_then() -> None:
    game = rocket()
    heads = [game.head(number) for number in range(41)]
    assert len({*heads}) == 41
    assert heads[:21] == [rocket(20).head(number) for number in range(21)]
    text = game.record(reveal=True)
    found = kursbuch.verify(text, heads[12])
    assert (found.verdict, found.proven) == (CONSISTENT, 12)
    assert [str(one) for one in found.open_points] == [
        "The hash that was noted proves the game up to move 12 of 40."
    ]
    # Its first digits will do, however they were written down.
    noted = str(heads[40])
    assert kursbuch.verify(text, f"{noted[:8].upper()} {noted[8:16]}").verdict == PROVEN
    for head in (noted[:15], "x" * 20, noted + "0", ""):
        with pytest.raises(KursbuchError, match="16 to 64 digits"):
            kursbuch.verify(text, head)


def test_without_the_seed_it_is_not_proven() -> None:
    game = rocket()
    found = kursbuch.verify(game.record(), game.head())
    assert (found.verdict, found.proven) == (CONSISTENT, 40)
    assert "Without the seed" in str(found.open_points[0])


def test_older_records_are_consistent() -> None:
    for text in (
        (TESTS / "editions" / "first" / "rocket.txt").read_text("utf-8"),
        unchained(rocket().record(reveal=False)),
    ):
        found = kursbuch.verify(text)
        assert found.verdict == CONSISTENT
        assert "an older program wrote it" in str(found.open_points[-1])
    # A head that was noted later, at a table where the game went on, proves them nevertheless.
    text = unchained(rocket().record(reveal=True))
    assert kursbuch.verify(text, rocket().head()).verdict == PROVEN
    # Nothing can be said of it without seed and salt.
    hidden = kursbuch.load(unchained(rocket().record(reveal=False)))
    assert hidden.head() is None
    assert "chain" not in hidden.record()
    found = kursbuch.verify(hidden.record(), rocket().head())
    assert (found.verdict, found.proven) == (CONSISTENT, None)


# ---- games that do not simply go on


def test_moves_that_are_taken_back_and_made_again() -> None:
    game = rocket()
    heads = [game.head(number) for number in range(41)]
    actions = [move.action for move in game.moves[30:]]
    game.rewind(30)
    assert game.head() == heads[30]
    for action in actions:
        game.apply(action)
    assert game.head() == heads[40]
    game.rewind(35)
    go_on(game, 40, random.Random(77))
    assert game.head(35) == heads[35]
    assert game.head() != heads[40]
    assert kursbuch.verify(game.record(reveal=True), game.head()).verdict == PROVEN


def test_copies_begin_chains_of_their_own() -> None:
    game = go_on(kursbuch.new("dice", ["Anna", "Bernd"], 7), 30, random.Random(1))
    copy = go_on(game.play_on(12, "8"), 30, random.Random(2))
    assert copy.head(12) != game.head(12)
    for one in (copy, go_on(copy.play_on(20, "9"), 25, random.Random(1)), copy.branch(20)):
        assert kursbuch.verify(one.record(reveal=True), one.head()).verdict == PROVEN
    text = copy.record(reveal=True)
    assert sentences(text.replace("copied: 12", "copied: 11"))
    # What was copied is gone, and with it the line that says so.
    copy.rewind(8)
    go_on(copy, 20, random.Random(2))
    assert kursbuch.verify(copy.record(reveal=True), copy.head()).verdict == PROVEN


def test_corrections_belong_to_it() -> None:
    game = rocket(money="open")
    game.apply(game.parse_correction("Correction by Anna: money 1000 from bank to Bernd"))
    text = game.record(reveal=True)
    assert kursbuch.verify(text, game.head()).verdict == PROVEN
    for old, new in (("money 1000", "money 2000"), ("by Anna:", "by Clara:")):
        (sentence,) = sentences(text.replace(old, new))
        assert sentence.startswith("Move 41 (Correction")


def test_seats_that_got_other_names() -> None:
    game = rocket()
    early, late = game.head(10), game.head(30)
    game.names = ("Anna", "Dora", "Clara")
    game.former = (Former(1, 30, "Bernd"),)
    middle = game.head(35)
    game.names = ("Emil", "Dora", "Clara")
    game.former += (Former(0, 37, "Anna"),)
    text = game.record(reveal=True)
    assert "\nseat 2 until 30: Bernd\nseat 1 until 37: Anna\n" in text
    again = kursbuch.load(text)
    assert (again.former, again.record(reveal=True)) == (game.former, text)
    for head, moves in ((early, 10), (late, 30), (middle, 35), (game.head(), 40)):
        assert kursbuch.verify(text, head).proven == moves
    assert sentences(text.replace("30: Bernd", "30: Berta")) == [changed("seat 2 until 30")]
    forged = kursbuch.load(text.replace("30: Bernd", "30: Berta")).record(reveal=True)
    assert kursbuch.verify(forged, late).verdict == CHANGED
    assert game.play_on(40, "8").former == ()


# ---- secrets


def test_a_secret_bid_cannot_be_found_by_trying() -> None:
    """All is known of the game but the seed and one bid."""
    game, other = sealed(1000), sealed(1100)
    number = len(game.moves)
    assert game.seed == other.seed
    assert game.head(number - 1) == other.head(number - 1)
    assert game.head() != other.head()
    heads = set()
    for salt in ("", game.seed_hash, str(game.head(number - 1))):
        for bid in range(900, 2000, 50):
            guess = sealed(bid)
            guess.salt = salt
            heads.add(guess.head())
    assert game.head() not in heads


def test_a_bid_that_is_made_again_does_not_show() -> None:
    """Who has seen a bid that was taken back could else tell whether the next one is the same."""
    game = sealed(1000)
    head = game.head(rewound=0)
    assert game.head(rewound=7) != head != game.head(rewound=9)
    text = game.record(reveal=True)
    for rewound in (0, 7):
        found = kursbuch.verify(text, game.head(rewound=rewound))
        assert (found.verdict, found.proven) == (PROVEN, len(game.moves))
    digits = str(game.head(rewound=7)).partition("-")[0]
    assert kursbuch.verify(text, digits).verdict == CHANGED


def test_the_salt_does_not_tell_the_seed() -> None:
    assert salt_for("7") != salt_for("8")
    assert draw("7", 0, 1 << 60) != int(salt_for("7")[:15], 16)
    assert kursbuch.load(rocket().record(reveal=False)).salt == rocket().salt


def test_a_chain() -> None:
    chain = Chain("12", "title: x")
    chain.add("1. x")
    assert chain.first(0).states == Chain("12", "title: x").states != Chain("13", "title: x").states
    assert chain.head(1, ["A", "B"]) != chain.head(1, ["B", "A"])
