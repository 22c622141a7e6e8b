"""The end of a game: who won and by how much, where it comes from, and what turned the game."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from markupsafe import Markup

from kursbuch.bots.review.sentences import turned
from kursbuch.core.stats import GameStats
from kursbuch.core.title import Result
from kursbuch.web.accounts.ratings import rating_change
from kursbuch.web.labels import PanelRow, winners_sentence
from kursbuch.web.reviews.views import move_label, move_url
from kursbuch.web.tables import numbers
from kursbuch.web.tables.medals import places
from kursbuch.web.tables.numbers import EndingInfo, SourceLine, numbers_of
from kursbuch.web.tables.viewer import Viewer

#: Maximum number of trains that run in, and of letters on one.
MOST_TRAINS = 3
LETTERS = 4

#: What medals are made of, from the first place on.
METALS = ("gold", "silver", "bronze")


class Medal(msgspec.Struct, frozen=True):
    """A kind of medal of a player: its metal, how many, and both in words."""

    metal: str
    count: int
    label: str


class RankLine(msgspec.Struct, frozen=True):
    """A place in the ranking; `bar` shows the sources of the score, `rating` the change of the rating, if any."""

    place: int
    seat: int
    name: str
    score: str
    bar: Markup
    is_winner: bool
    rating: str
    medals: list[Medal]


class TurningPoint(msgspec.Struct, frozen=True):
    """What turned the game: a sentence; and the number of the move, `what` was done and its address, if it was one."""

    text: str
    number: int | None = None
    what: str = ""
    url: str = ""


class Train(msgspec.Struct, frozen=True):
    """A train of a winner (`seat`): `key` is the company or line that colours it, empty for the colour of the seat,
    `text` stands on it."""

    seat: int
    key: str
    text: str


class ResultInfo(msgspec.Struct, frozen=True):
    """The result: the winners, by how much, why the game ended, what turned it, the sources of the scores, worth over
    time, records. `stacked`: the names of the sources need a line of their own. `together` tells what the medals are
    for."""

    sentence: str
    margin: str
    ending: EndingInfo | None
    turning: TurningPoint | None
    trains: list[Train]
    ranking: list[RankLine]
    together: str
    sources: list[SourceLine]
    stacked: bool
    chart: Markup
    highlights: list[PanelRow]
    numbers_url: str
    review_url: str
    replay_url: str


def result(shown: Viewer) -> ResultInfo | None:
    """How the game ended; None before that, and for earlier positions."""
    if shown.game is None or shown.game.result is None or shown.at is not None:
        return None
    found, statistics = shown.game.result, numbers_of(shown)
    reached, bar = places(found.scores, found.winners), numbers.bars(statistics)
    rated = (shown.table.result or {}).get("ratings") or [None] * len(reached)
    ranking = [
        RankLine(
            place=reached[seat],
            seat=seat,
            name=shown.seats[seat].name,
            score=shown.voice.written_score(found.scores[seat]),
            bar=bar[seat],
            is_winner=seat in found.winners,
            rating=rating_change(shown.words, *rated[seat]) if rated[seat] else "",
            medals=_medals(shown, seat),
        )
        for seat in sorted(range(len(reached)), key=lambda seat: reached[seat])
    ]
    url = f"/t/{shown.table.id}"
    return ResultInfo(
        sentence=winners_sentence(shown.words, [shown.seats[seat].name for seat in found.winners]),
        margin=_margin(shown, found),
        ending=numbers.ending(shown, statistics),
        turning=_reviewed(shown, found.winners) or _lead(shown, statistics, found.winners),
        trains=_trains(shown, found.winners),
        ranking=ranking,
        together=_together(shown),
        sources=numbers.sources(statistics),
        stacked=numbers.needs_lines(statistics),
        chart=next(iter(numbers.worth_charts(statistics, [numbers.SMALL])), Markup("")),
        highlights=numbers.highlights(statistics.highlights),
        numbers_url=f"{url}/numbers",
        review_url=f"{url}/review",
        replay_url=f"{url}?move=0",
    )


def _margin(shown: Viewer, found: Result) -> str:
    """By how much the winners are ahead of the next."""
    words, voice = shown.words, shown.voice
    best = found.scores[found.winners[0]]
    score = voice.written_score(best)
    others = [seat for seat in range(len(found.scores)) if seat not in found.winners]
    shared = len(found.winners) > 1
    if not others:
        return words._("{score} each.", score=score) if shared else score
    next_best = max(found.scores[seat] for seat in others)
    names = words.join([shown.seats[s].name for s in others if found.scores[s] == next_best])
    if next_best >= best:
        return words._(
            "{score}, level with {names}; the tie-break decides.", score=score, names=names
        )
    margin = voice.written_score(best - next_best)
    if shared:
        return words._(
            "{score} each, {margin} ahead of {names}.", score=score, margin=margin, names=names
        )
    return words._("{score}, {margin} ahead of {names}.", score=score, margin=margin, names=names)


def _reviewed(shown: Viewer, winners: Sequence[int]) -> TurningPoint | None:
    """The greatest turn in favour of the winners, as soon as there is a review."""
    if not shown.snapshot.turns:
        return None

    turn = max(shown.snapshot.turns, key=lambda turn: sum(map(turn.change, winners)))
    if sum(map(turn.change, winners)) <= 0:
        return None
    return _at(shown, turn.number, turned(turn, shown.voice))


def _at(shown: Viewer, number: int, text: str) -> TurningPoint:
    """A turning point at a move, of which only the gist is told."""
    assert shown.game is not None
    what = move_label(shown, shown.game, number).partition(": ")[0].rstrip(".")
    return TurningPoint(text, number, what, move_url(shown, number))


def _lead(shown: Viewer, found: GameStats, winners: Sequence[int]) -> TurningPoint | None:
    """When the winner took the lead for good."""
    if len(winners) > 1 or len(found.known) < 2 or not found.number:
        return None
    (winner,) = winners
    own = found.worth(winner)
    others = [found.worth(seat) for seat in found.known if seat != winner]
    behind = [
        number
        for number, worth in enumerate(own)
        if number and worth <= max(other[number] for other in others)
    ]
    name, words = shown.seats[winner].name, shown.words
    if not behind:
        return TurningPoint(words._("{name} was ahead from the first move to the last.", name=name))
    number = behind[-1] + 1
    if number > found.number:
        return None
    text = (
        words._("{name} came out ahead only with the last move.", name=name)
        if number == found.number
        else words._("{name} took the lead for good.", name=name)
    )
    return _at(shown, number, text)


def _trains(shown: Viewer, winners: Sequence[int]) -> list[Train]:
    """Trains of the companies or lines that the winners lead, or have a part of; or else in their own colours."""
    assert shown.view is not None
    colours, trains = shown.title.colours, []
    for card in shown.voice.summaries(shown.view.state):
        if card.seat not in winners or card.seat is None:
            continue
        held = [chip for chip in card.chips if chip.key in colours]
        led = [chip for chip in held if chip.strong] or held[:1]
        for chip in led:
            word = chip.text.split()[0]
            trains.append(Train(card.seat, chip.key, word if len(word) <= LETTERS else ""))
    return trains[:MOST_TRAINS] or [Train(seat, "", "") for seat in winners[:MOST_TRAINS]]


def _medals(shown: Viewer, seat: int) -> list[Medal]:
    """The medals of a player. Only the players know of each other's games."""
    medals, words = shown.snapshot.medals, shown.words
    if medals is None or not shown.own:
        return []
    first, second, third = medals.counts[seat]
    labels = (
        words._("first places: {n}", n=first),
        words._("second places: {n}", n=second),
        words._("third places: {n}", n=third),
    )
    return [
        Medal(metal, count, label)
        for metal, count, label in zip(METALS, medals.counts[seat], labels, strict=True)
        if count
    ]


def _together(shown: Viewer) -> str:
    """What the medals are for."""
    medals = shown.snapshot.medals
    if medals is None or not shown.own:
        return ""
    return shown.words.ngettext(
        "Medals from {n} game together.", "Medals from {n} games together.", medals.games
    )
