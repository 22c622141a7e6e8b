"""The rule indexes: complete in both languages, consistent, in our own words, and tested."""

from __future__ import annotations

import re

import pytest

from kursbuch.cli.titles import rule_json, whole_rule
from kursbuch.core.errors import KursbuchError
from kursbuch.core.play import GAME_END, WHOSE_TURN
from kursbuch.core.rulebook import RuleIndex, UnknownRule, parse_reference
from kursbuch.core.words import Words
from tests.rule_coverage import ROOT, Coverage, Mark, check, indexes, marks, marks_in, playable

RULEBOOKS = ROOT.parent / "shared" / "rulebooks"
BOOKS = {
    "rocket": "stephensons-rocket",
    "nimm": "nimm-den-zug",
    "dice": "railroad-dice",
}
#: This number of words in a row may not be the same as in the book.
LONGEST_QUOTATION = 7

INDEXES = indexes()
each_title = pytest.mark.parametrize("title", INDEXES)

GAME = '[game]\nid = "tram"\ntitle = "Tram"\nplayers = [2, 4]\n'
PUBLICATION = (
    '[[publication]]\nid = "faq"\nname = "FAQ"\nname_de = "Fragen"\naddress = "tram.example"\n'
)
RULE = '[[rule]]\nid = "a-1"\nkind = "rule"\nsummary = "Go."\n'


def test_there_is_an_index() -> None:
    assert "rocket" in INDEXES
    assert len(RuleIndex.load("kursbuch.games.rocket")) == 97


def test_1835_has_every_rule_of_the_book_and_the_options() -> None:
    index = RuleIndex.load("kursbuch.games.g18xx.g1835")
    options = [rule.id for rule in index if rule.id.startswith("option-")]
    assert (len(index), len(options)) == (235, 11)


def test_every_index_is_one_of_a_title() -> None:
    assert playable() <= set(INDEXES)


@each_title
def test_every_text_is_in_both_languages(title: str) -> None:
    assert INDEXES[title].untranslated() == []


@each_title
def test_the_german_text_is_german(title: str) -> None:
    """A text that is the same in both languages was not translated; titles of sections may be."""
    same = [
        f"{rule.id} {field}"
        for rule in INDEXES[title]
        for field, english, german in rule.texts()
        if field != "section" and english == german
    ]
    assert same == []


@each_title
def test_a_section_has_one_german_name(title: str) -> None:
    names: dict[str, set[str]] = {}
    for rule in INDEXES[title]:
        names.setdefault(rule.section, set()).add(rule.section_de)
    assert [name for name, german in names.items() if len(german) > 1] == []


@each_title
def test_every_ambiguity_is_ruled_on(title: str) -> None:
    assert [rule.id for rule in INDEXES[title] if rule.ambiguity and not rule.ruling] == []


@each_title
def test_ids_can_be_cited(title: str) -> None:
    for rule in INDEXES[title]:
        assert parse_reference(INDEXES[title].reference(rule.id)) == (title, rule.id)


@each_title
def test_rules_named_in_a_text_exist(title: str) -> None:
    """A word such as move-6 in a text is the id of a rule."""
    index = INDEXES[title]
    stems = {id_.rpartition("-")[0] for id_ in index.by_id} - {""}
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, stems))})-\d+[a-z]?\b")
    for rule in index:
        for field, english, german in rule.texts():
            cited = pattern.findall(english)
            assert [id_ for id_ in cited if id_ not in index] == [], f"{rule.id} {field}"
            assert sorted(cited) == sorted(pattern.findall(german)), f"{rule.id} {field}"


@each_title
def test_paragraphs_named_in_a_text_exist(title: str) -> None:
    """A number such as 2.6.3.2c in a text is the id of a rule."""
    index = INDEXES[title]
    for rule in index:
        for field, english, german in rule.texts():
            cited = re.findall(r"\b\d+(?:\.\d+){2,}[a-z]?\b", english)
            assert [id_ for id_ in cited if id_ not in index] == [], f"{rule.id} {field}"
            both = re.findall(r"\b\d+(?:\.\d+){2,}[a-z]?\b", german)
            assert sorted(cited) == sorted(both), f"{rule.id} {field}"


@each_title
def test_the_words_are_our_own(title: str) -> None:
    book = RULEBOOKS / f"{BOOKS.get(title, title)}.txt"
    if not book.is_file():
        pytest.skip(f"the rulebook is not here to compare with ({book})")
    window = LONGEST_QUOTATION + 1
    printed = set(word_runs(book.read_text("utf-8"), window))
    quoted = [
        f"{rule.id} {field}: {' '.join(run)}"
        for rule in INDEXES[title]
        for field, english, german in rule.texts()
        for text in (english, german)
        for run in word_runs(text, window)
        if run in printed
    ]
    assert quoted == []


def word_runs(text: str, length: int) -> list[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return [tuple(words[i : i + length]) for i in range(len(words) - length + 1)]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (GAME + RULE + 'sumary = "x"', "t.toml, rule a-1: contains unknown field `sumary`."),
        (
            GAME + '[[rule]]\nid = "a-1"\nkind = "rule"',
            "t.toml, rule a-1: missing required field `summary`.",
        ),
        (
            GAME + '[[rule]]\nkind = "rule"\nsummary = ""',
            "t.toml, rule no. 1: missing required field `id`.",
        ),
        (GAME + RULE + RULE, "t.toml, rule a-1: the id is used 2 times."),
        (GAME + RULE + 'depends = ["b-1"]', "t.toml, rule a-1: there is no rule b-1."),
        (
            GAME + '[[hidden]]\nid = "h"\nwhat = "cards"\nrules = ["b-1"]',
            "t.toml, hidden h: there is no rule b-1.",
        ),
        (GAME + RULE + 'publication = "faq"', "t.toml, rule a-1: there is no publication faq."),
        (
            GAME + PUBLICATION + RULE + 'publication = "faq"',
            "t.toml, rule a-1: neither the rule nor the ruling is from a publication.",
        ),
        (GAME + PUBLICATION + PUBLICATION, "t.toml, publication faq: the id is used 2 times."),
        (RULE, "t.toml has no table game."),
        (
            GAME + RULE + 'columns = ["a", "b"]\ndata = [[1, 2], [3]]',
            "t.toml, rule a-1: the rows of the table are not all the same length.",
        ),
        (GAME + "[rules]", "t.toml has an unknown table rules."),
        (GAME + "[rule]", "t.toml: rule must be a list of tables, [[rule]]."),
    ],
)
def test_errors_name_the_file_and_the_entry(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)) as error:
        RuleIndex.parse(text, "t.toml")
    assert str(error.value) == sentence


def test_a_broken_file_is_named() -> None:
    with pytest.raises(KursbuchError, match=r"t\.toml is not valid TOML: .*line 2"):
        RuleIndex.parse("[game]\nid = tram", "t.toml")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(
        KursbuchError, match=r"no rule index nothing\.toml in kursbuch\.games\.rocket"
    ):
        RuleIndex.load("kursbuch.games.rocket", "nothing.toml")
    with pytest.raises(KursbuchError, match=r"no rule index rules\.toml in kursbuch\.nowhere"):
        RuleIndex.load("kursbuch.nowhere")


@pytest.mark.parametrize("text", ["", "move-6", "rocket:", ":move-6", "rocket:move 6", "a:b:c"])
def test_a_bad_reference_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="cited as TITLE:ID"):
        parse_reference(text)


def test_an_unknown_rule_is_refused() -> None:
    index = RuleIndex.parse(GAME + RULE, "t.toml")
    with pytest.raises(UnknownRule) as error:
        index["zz"]
    assert str(error.value) == "Tram has no rule zz."
    assert index.by_id.get("zz") is None


def test_texts_fall_back_to_english() -> None:
    rule = RuleIndex.parse(GAME + RULE, "t.toml")["a-1"]
    assert rule.text("de") == rule.text("en") == "Go."


def test_search_reads_both_languages_and_the_id() -> None:
    index = INDEXES["rocket"]
    assert [rule.id for rule in index.search("move-6")][:1] == ["move-6"]
    assert "merge-2" in [rule.id for rule in index.search("MEHRFACHFUSION")]
    assert "merge-2" in [rule.id for rule in index.search("multiple merger")]
    assert index.search("Dampfnudel") == []


def test_where_a_rule_was_published_is_shown() -> None:
    index = INDEXES["rocket"]
    address = "freespace.virgin.net/chris.lawson/rk/rocket/faq.htm"
    shown = " ".join(whole_rule(index, index["veto-8"], Words("de")).split())
    assert f"Veröffentlicht in: {index.publications[0].name_de} ({address})" in shown
    assert address in str(rule_json(index, index["veto-8"], Words("en"))["publication"])
    assert rule_json(index, index["veto-7"], Words("en"))["publication"] == ""
    assert "Published in" not in whole_rule(index, index["veto-7"], Words("en"))


def test_the_sources_name_every_rule_that_a_publication_decides() -> None:
    """The list of sources says of the clarifications which rules they decide."""
    rows = (ROOT / "docs" / "sources.md").read_text("utf-8").splitlines()
    index = INDEXES["rocket"]
    decided = [rule.id for rule in index if rule.publication == "lawson"]
    row = next(row for row in rows if "Chris Lawson" in row)
    assert re.findall(r"[a-z]+-\d+", row.split("|")[1]) == decided
    for title in INDEXES.values():
        for publication in title.publications:
            site = publication.address.partition("/")[0]
            assert any(site in row for row in rows), publication.id


def test_tables_are_shown_in_both_languages() -> None:
    index = RuleIndex.load("kursbuch.games.g18xx.g1835")
    shown = whole_rule(index, index["3.1.1"], Words("de"))
    assert "  Privatbahn  Name                    Farbe\n" in shown
    assert "  LD          Leipzig-Dresdner Bahn   rot\n" in shown
    record = rule_json(index, index["table-yellow-tiles"], Words("en"))
    assert record["columns"] == ["tile", "count", "replaced by", "by our ruling"]
    data = record["data"]
    assert isinstance(data, list)
    assert data[5] == [6, 3, (12, 13, 14, 15, 205), (206,)]
    assert [rule.id for rule in index.search("Köln-Mindener 160")] == ["3.2.1"]


def test_marks_are_found_wherever_pytest_allows_them() -> None:
    source = """
import pytest
pytestmark = [pytest.mark.rule("g:1"), pytest.mark.slow]
@pytest.mark.rule("g:2", "g:3")
def test_a(): ...
@pytest.mark.rule("g:4")
class TestB:
    @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rule("g:5"))])
    async def test_c(self, x): ...
@pytest.mark.skip(reason="not yet")
@pytest.mark.rule("g:6")
def test_d(): ...
@pytest.mark.long
@pytest.mark.rule("g:7")
def test_e(): ...
@pytest.mark.parametrize("x", [pytest.param(1, marks=[pytest.mark.rule("g:8"), pytest.mark.long])])
def test_f(x): ...
"""
    assert {mark.reference for mark in marks_in(source, "m")} == {f"g:{n}" for n in range(1, 6)}


def test_marks_that_name_no_rule_are_complaints() -> None:
    found = [*marks_in("import pytest\npytest.mark.rule(X)\npytest.mark.rule()\n", "m")]
    assert found == [Mark("", "m:2"), Mark("", "m:3")]
    known = {"tram": RuleIndex.parse(GAME + RULE, "t.toml")}
    found += [Mark("tram:a-1", "m:4"), Mark("tram:b", "m:5"), Mark("bus:a-1", "m:6")]
    coverage, complaints = check(known, [*found, Mark("a-1", "m:7")])
    assert coverage["tram"].gaps == []
    assert [complaint.split(":")[1] for complaint in complaints] == ["2", "3", "5", "6", "7"]


def test_a_rule_needs_a_test_or_a_reason() -> None:
    second = RULE.replace("a-1", "a-2") + 'untested = "only a wish"\n'
    index = RuleIndex.parse(GAME + RULE + second, "t.toml")
    assert Coverage(index).gaps == ["a-1"]
    assert Coverage(index).excused == ["a-2"]
    assert Coverage(index, {"a-1", "a-2"}).needless == ["a-2"]


def test_every_rule_is_tested() -> None:
    coverage, complaints = check(INDEXES, marks())
    for covered in coverage.values():
        print(covered)
    assert complaints == []
    coverage = {title: covered for title, covered in coverage.items() if title in playable()}
    gaps = [f"{title}:{id_}" for title, covered in coverage.items() for id_ in covered.gaps]
    assert not gaps, f"{len(gaps)} rules have neither a test nor a reason: {', '.join(gaps)}"
    assert [id_ for covered in coverage.values() for id_ in covered.needless] == []


@each_title
def test_what_the_core_cites_is_stated(title: str) -> None:
    assert {WHOSE_TURN, GAME_END} <= set(INDEXES[title].stated)
