"""What is printed is accepted as input: forms of moves, the moves of the notation, citations."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kursbuch
from kursbuch.cli import main
from kursbuch.cli.titles import whole_rule
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.record import setup_position
from kursbuch.core.title import Title
from kursbuch.core.words import Words, catalogue
from kursbuch.games.dice.actions import ReturnDice

DOCS = Path(__file__).parents[2] / "docs"
NAMES = ("Anna", "Bernd", "Clara")
TITLES = kursbuch.titles()
each_title = pytest.mark.parametrize("title", TITLES.values(), ids=list(TITLES))

#: What a reader puts for the words in capitals.
VALUES = {
    "METROPOLIS": "Manchester",
    "LINE": "GWR",
    "LOCOMOTIVE": "E3",
    "CARD": "coal200",
    "TARGET": "target-9",
    "SQUARE": "e4",
    "SIDE": "N",
    "END": "A",
    "TERRAIN": "meadow",
    "COST": "3",
    "PERCENT": "10",
    "PAPER": "NF",
    "TRAIN": "2",
    "PRIVATE": "NF",
    "STOP": "0",
    "CITY": "Delhi",
    "AMOUNT": "100",
    "NUMBER": "1",
}
#: What has other names in a title.
OTHERS = {
    "rocket": {"HEX": "K16"},
    "nimm": {},
    "dice": {"COMPANY": "insel", "TILE": "lake"},
    "1835": {"HEX": "F14", "COMPANY": "BY", "TILE": "57"},
    "1853": {"HEX": "F14", "COMPANY": "GIP", "TILE": "57"},
}


def forms(title: Title[Any]) -> list[str]:
    """The forms of moves that a refusal of a line lists."""
    return list(title.notation.shapes)


def written(form: str, values: dict[str, str]) -> Iterator[str]:
    """All lines that a form stands for: with and without what is in brackets, with each of the words between
    which a stroke stands."""
    parts = re.split(r"(\[[^]]*\]|\S+\|\S+)", form)
    ways = [
        ["", part[1:-1]] if part[:1] == "[" else part.split("|") if "|" in part else [part]
        for part in parts
    ]
    for chosen in product(*ways):
        text = " ".join("".join(chosen).replace(" …", "").replace(", …", "").split())
        yield re.sub(r"\b[A-Z]{3,}\b", lambda found: values.get(found[0], found[0]), text)


@each_title
def test_every_form_of_a_move_is_accepted(title: Title[Any]) -> None:
    game = Game(title, NAMES, seed="1")
    values = VALUES | OTHERS[title.id]
    told = refusal(title, game)
    for form in forms(title):
        assert form in told
        for line in written(form, values):
            for text in (line, line.lower(), line.capitalize()):
                action = title.parse(text, 0, game.state)
                assert title.parse(title.format(action), 0, game.state) == action, text
                german = title.format_in("de", action)
                for other in (german, text):
                    assert title.parse_in("de", other, 0, game.state) == action, other


@each_title
def test_a_refusal_lists_forms_in_the_language(title: Title[Any]) -> None:
    state = Game(title, NAMES, seed="1").state
    with pytest.raises(KursbuchError) as error:
        title.parse_in("de", "trödelt", 0, state)
    for english, german in zip(title.notation.shapes, title.notation_in("de").shapes, strict=True):
        assert german in str(error.value)
        assert german != english


@each_title
def test_corrections_are_read_in_german(title: Title[Any]) -> None:
    game = Game(title, NAMES, seed="1")
    translate = catalogue("de").gettext
    for kind in title.corrections:
        values = {field.name: "1" if field.is_number else "x" for field in kind.fields}
        form = translate(kind.form)
        assert form != kind.form
        action = game.parse_correction(form.format(**values), "de")
        assert (action.kind, action.values) == (kind.name, tuple(values.values()))
        assert game.parse_correction(kind.form.format(**values), "de") == action


def test_a_position_is_set_up_in_german() -> None:
    lines = (
        "Geld 3000 von Bank an Anna",
        "Aktien 2 GWR von Aktienvorrat an Spieler 2",
        "Korrektur von Clara: Bahnhof von bernd auf K16",
        "turn of Bernd action 2",
    )
    made = setup_position(Game(TITLES["rocket"], NAMES, seed="1"), "\n".join(lines), language="de")
    assert [(each.kind, *each.values) for each in made] == [
        ("money", "bank", "player 1", "3000"),
        ("share", "GWR", "stock", "player 2", "2"),
        ("station", "player 2", "K16"),
        ("turn", "player 2", "2"),
    ]
    assert made[2].by == "Clara"


def refusal(title: Title[Any], game: Game) -> str:
    with pytest.raises(KursbuchError) as error:
        title.parse("dawdles", 0, game.state)
    return str(error.value)


def documented() -> Iterator[tuple[str, str, str]]:
    """The moves of docs/notation.md: the title, the text and the JSON."""
    heading = ""
    page = (DOCS / "notation.md").read_text("utf-8").partition("\n## Corrections")[0]
    names = {title.name: title.id for title in TITLES.values()}
    for line in page.splitlines():
        if line.startswith("## "):
            heading = names[line[3:]]
        cells = line.split(" | ")
        texts = re.findall(r"`(\w+ [^`]+)`", cells[0])
        if len(cells) == 3 and texts:
            yield heading, texts[0], cells[1].strip("`")
            for text in texts[1:]:
                yield heading, text, ""


def test_every_move_of_the_notation_is_accepted() -> None:
    found = list(documented())
    assert {title for title, _, _ in found} == set(TITLES)
    for name, text, data in found:
        game = Game(TITLES[name], NAMES, seed="1")
        action = game.parse(text)
        assert game.format(action) == text
        if data:
            assert action == game.title.action_from_json(msgspec.json.decode(data)), text


@given(st.lists(st.integers(1, 99), min_size=4, max_size=4), st.lists(st.booleans(), min_size=3))
def test_dice_are_returned_in_the_singular_and_the_plural(
    counts: list[int], plural: list[bool]
) -> None:
    faces = [
        face + "s" * more
        for face, more in zip(("straight", "curve", "share"), plural, strict=False)
    ]
    parts = [f"{count} {face}" for count, face in zip(counts, [*faces, "?"], strict=True)]
    assert TITLES["dice"].notation.parse(f"returns {', '.join(parts)}", 0) == ReturnDice(0, *counts)


@each_title
def test_corrections_are_read_in_the_singular_and_the_plural(title: Title[Any]) -> None:
    game = Game(title, NAMES, seed="1")
    for kind in title.corrections:
        noun, _, rest = kind.form.partition(" ")
        if not rest.startswith("{count}"):
            continue
        values = ["1" if field.name == "count" else "x" for field in kind.fields]
        line = kind.write(values)
        other = {"dice": "die"}.get(noun, noun + "s")
        for text in (line, line.replace(noun, other, 1), line.replace(noun, other, 1).upper()):
            action = game.parse_correction(text)
            assert (action.kind, action.values[-1]) == (kind.name, "1")


# ---- citations


@each_title
def test_every_rule_is_found_as_it_is_cited(title: Title[Any]) -> None:
    index = title.rules
    for rule in index:
        reference = index.reference(rule.id)
        for text in (
            rule.id,
            reference,
            f"[{reference}]",
            f"({rule.id})",
            f"{reference}.",
            reference.upper(),
        ):
            assert index.find(text) is rule
            assert index.is_citation(text)
        assert rule in index.search(reference)
        for language in ("en", "de"):
            shown = whole_rule(index, rule, Words(language))
            first, _, others = shown.partition("\n")
            assert index.find(first.split()[0]) is rule
            related = re.split(r"(?:See also|Siehe auch): ", others)[1:]
            for cited in " ".join(related).split():
                index.find(cited)


@each_title
def test_the_rules_are_shown_by_citation(
    title: Title[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    rule = list(title.rules)[-1]
    reference = title.rules.reference(rule.id)
    assert main(["rules", title.id, rule.id]) == 0
    wanted = capsys.readouterr().out
    assert wanted.startswith(reference)
    for words in ([reference], [f"({reference})"], [title.id, reference]):
        assert main(["rules", *words]) == 0
        assert capsys.readouterr().out == wanted
    assert main(["rules", title.id, "--search", reference]) == 0
    assert rule.id in capsys.readouterr().out


@each_title
def test_every_rule_that_a_refusal_cites_is_found(title: Title[Any]) -> None:
    """Every rule that is named in the sources as a first argument of `IllegalAction`."""
    index = title.rules
    package = title.package.split(".")
    named = set()
    for file in (Path(kursbuch.__file__).parent / Path(*package[1:])).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == IllegalAction.__name__
                and isinstance(node.args[0], ast.Constant)
                and isinstance(node.args[0].value, str)
                and node.args[0].value
            ):
                named.add(index.cite(node.args[0].value))
    for rule in named:
        assert index.find(f"{title.id}:{rule}").id == rule


def test_a_citation_of_another_game_is_refused() -> None:
    with pytest.raises(KursbuchError, match=r"^move-6 is a rule of rocket, not of nimm\.$"):
        TITLES["nimm"].rules.find("rocket:move-6")
    assert not TITLES["nimm"].rules.is_citation("multiple merger")
