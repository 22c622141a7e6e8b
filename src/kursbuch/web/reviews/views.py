"""The review of a game as a reader sees it."""

from __future__ import annotations

import math

import msgspec
from markupsafe import Markup

from kursbuch.bots.review import DEPTHS, Costly, Review
from kursbuch.bots.review.games import luck_of, reasons, turned, worth_of
from kursbuch.core.game import Game, View
from kursbuch.core.words import Words
from kursbuch.web.ai.hints import action_label
from kursbuch.web.db.models import StoredReview, now
from kursbuch.web.tables import numbers
from kursbuch.web.tables.premoves import passing
from kursbuch.web.tables.viewer import Viewer


class ReviewTurn(msgspec.Struct, frozen=True):
    """A turning point: move `number`, with the table before and after it."""

    number: int
    label: str
    sentence: str
    before_url: str
    after_url: str


class ReviewPlayer(msgspec.Struct, frozen=True):
    """Statistics of a player."""

    seat: int
    name: str
    decisions: int
    accuracy: str
    luck: str


class ReviewCostly(msgspec.Struct, frozen=True):
    """A costly move, the `better` one, and why."""

    number: int
    seat: int
    label: str
    better: str
    worth: str
    reasons: list[str]
    before_url: str


class ReviewMove(msgspec.Struct, frozen=True):
    """A move with everyone's prospects after it: chances to win and expected results."""

    number: int
    label: str
    url: str
    cells: list[tuple[str, str]]


class ReviewPage(msgspec.Struct, frozen=True):
    """review.html. `state` is "none", "running" (`done` of `total` parts of pass `stage`; `left` is
    the remaining time) or "done". `depths` are the names and labels on offer. `drawn` says whether
    the game has chance."""

    table_url: str
    url: str
    title_name: str
    state: str
    depths: list[tuple[str, str]]
    depth: str = ""
    stage: int = 1
    done: int = 0
    total: int = 0
    left: str = ""
    may_stop: bool = False
    charts: list[Markup] = []
    seats: list[tuple[int, str]] = []
    players: list[ReviewPlayer] = []
    drawn: bool = False
    turns: list[ReviewTurn] = []
    costly: list[ReviewCostly] = []
    moves: list[ReviewMove] = []


def review_page(shown: Viewer, found: StoredReview | None) -> ReviewPage:
    """Return the review, its progress, or the offer to start one."""
    table = f"/t/{shown.table.id}"
    words = shown.words
    page = ReviewPage(
        table_url=table,
        url=f"{table}/review",
        title_name=shown.title.name,
        state="none",
        depths=[(depth.name, words._(depth.label)) for depth in DEPTHS.values()],
    )
    if found is None:
        return page
    depth = words._(DEPTHS[found.depth].label)
    if found.content is None:
        return msgspec.structs.replace(
            page,
            state="running",
            depth=depth,
            stage=found.stage,
            done=found.done,
            total=found.total,
            left=time_left(shown.words, found),
            may_stop=may_stop(shown),
        )
    game = shown.game
    assert game is not None
    review = msgspec.convert(found.content, Review)
    return msgspec.structs.replace(
        page,
        state="done",
        depth=depth,
        charts=chance_charts(shown, review),
        seats=[(seat.number, seat.name) for seat in shown.seats],
        players=_players(shown, review),
        drawn=any(player.luck is not None for player in review.players),
        turns=[
            ReviewTurn(
                turn.number,
                decision_label(shown, game, turn.number),
                turned(turn, shown.voice),
                move_url(shown, turn.number - 1),
                move_url(shown, turn.number),
            )
            for turn in review.turns
        ],
        costly=[_costly(shown, game, each) for each in review.costly],
        moves=_moves(shown, game, review),
    )


def may_stop(shown: Viewer) -> bool:
    """Tell whether the visitor may cancel a review: players and the opener of the table may."""
    return bool(shown.own) or shown.table.creator == shown.visitor


def time_left(words: Words, found: StoredReview) -> str:
    """Return roughly the remaining time of a pass, empty while unknown."""
    if found.seconds_left is None:
        return ""
    left = found.seconds_left - (now() - found.updated_at).total_seconds()
    minutes = max(1, math.ceil(left / 60))
    return words.ngettext("about {n} minute left", "about {n} minutes left", minutes)


def move_url(shown: Viewer, number: int) -> str:
    """Return the URL of the table after a move."""
    return f"/t/{shown.table.id}?move={number}"


def move_label(shown: Viewer, game: Game, number: int) -> str:
    """Return a sentence about a move."""
    move = game.moves[number - 1]
    voice = shown.voice_at(number)
    told = (voice.describe(event) for event in move.events)
    return next((text for text in told if text), game.format(move.action))


def decision_label(shown: Viewer, game: Game, number: int) -> str:
    """Return what was decided in a move. A pass has no event of its own, so the label names the
    task ("Anna (buy trains for BY): Buy no train")."""
    action = game.moves[number - 1].action
    position = game.at(number - 1)
    asked = [each for each in position.pending() if passing(each, position) == action]
    if not asked:
        return move_label(shown, game, number)
    view = _view(game, number, action.seat)
    name, task = shown.voice.name(action.seat), shown.voice.task(view.state, asked[0])
    who = f"{name} ({task})" if task else name
    return f"{who}: {action_label(shown, view, action)}"


def _view(game: Game, number: int, seat: int) -> View:
    """Return what a seat saw before a move."""
    state = game.title.view(game.at(number - 1).state, seat)
    return View(game.title, state, seat, game.names)


def chance_charts(shown: Viewer, review: Review) -> list[Markup]:
    """Draw everyone's chance to win over the game, with lines at the turning points."""
    drawn = []
    for seat in shown.seats:
        points = [
            (moment.number, round(100 * moment.chances[seat.number])) for moment in review.moments
        ]
        marks = [points[turn.number] for turn in review.turns]
        drawn.append(numbers.Curve(seat.name, f"seat-{seat.number % 8}", points, marks))
    rules = [turn.number for turn in review.turns]
    return [
        numbers.curves(drawn, size, lambda value: f"{value} %", rules)
        for size in (numbers.WIDE, numbers.SMALL)
    ]


def _players(shown: Viewer, review: Review) -> list[ReviewPlayer]:
    found = []
    for player in review.players:
        accuracy = "–" if player.accuracy is None else f"{100 * player.accuracy:.0f} %"
        found.append(
            ReviewPlayer(
                player.seat,
                shown.seats[player.seat].name,
                player.decisions,
                accuracy,
                luck_of(player, shown.voice),
            )
        )
    return found


def _costly(shown: Viewer, game: Game, costly: Costly) -> ReviewCostly:
    verdict, number = costly.verdict, costly.number
    assert verdict.better is not None
    view = _view(game, number, verdict.seat)
    better = game.title.action_from_json(verdict.better.action)
    return ReviewCostly(
        number,
        verdict.seat,
        decision_label(shown, game, number),
        action_label(shown, view, better),
        worth_of(verdict, shown.voice),
        reasons(verdict, shown.voice),
        move_url(shown, number - 1),
    )


def _moves(shown: Viewer, game: Game, review: Review) -> list[ReviewMove]:
    return [
        ReviewMove(
            moment.number,
            move_label(shown, game, moment.number) if moment.number else shown.words._("The start"),
            move_url(shown, moment.number),
            [
                (f"{100 * chance:.0f} %", shown.voice.written_score(round(result)))
                for chance, result in zip(moment.chances, moment.results, strict=True)
            ],
        )
        for moment in review.moments
    ]
