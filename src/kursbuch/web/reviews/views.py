"""The review of a game as a reader sees it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import msgspec
from markupsafe import Markup

from kursbuch.bots.review import BUDGETS, Line, Moment, Review, Verdict
from kursbuch.bots.review.sentences import luck_of, lucky, reasons, turned, worth_of
from kursbuch.core.game import Game, View
from kursbuch.web.ai.hints import action_label
from kursbuch.web.db.models import StoredReview
from kursbuch.web.tables import numbers
from kursbuch.web.tables.premoves import passing
from kursbuch.web.tables.viewer import Viewer


class ReviewMove(msgspec.Struct, frozen=True):
    """A decision, what it changed, the better plan or the alternative, and why; `good` if the decision was."""

    number: int
    seat: int
    label: str
    sentence: str
    better: str
    good: bool
    reasons: list[str]
    before_url: str
    after_url: str


class ReviewDraw(msgspec.Struct, frozen=True):
    """A lucky or unlucky draw."""

    number: int
    label: str
    sentence: str
    url: str


class ReviewPlayer(msgspec.Struct, frozen=True):
    """Statistics of a player."""

    seat: int
    name: str
    decisions: int
    looked_at: int
    accuracy: str
    luck: str


class ReviewMoment(msgspec.Struct, frozen=True):
    """The prospects of everyone after a move: chances to win and expected results."""

    number: int
    label: str
    url: str
    cells: list[tuple[str, str]]


class ReviewPage(msgspec.Struct, frozen=True):
    """review.html. `state` is "none", "running" (`done` of `total` seconds of processor time) or "done"; what has been
    found is there in both, once there is a `budget`. `budgets` are the names and labels on offer. `drawn` says whether
    the game has chance."""

    table_url: str
    url: str
    title_name: str
    state: str
    budgets: list[tuple[str, str]]
    budget: str = ""
    done: int = 0
    total: int = 0
    playouts: str = ""
    may_stop: bool = False
    charts: list[Markup] = []
    seats: list[tuple[int, str]] = []
    players: list[ReviewPlayer] = []
    drawn: bool = False
    turns: list[ReviewMove] = []
    costly: list[ReviewMove] = []
    draws: list[ReviewDraw] = []
    moments: list[ReviewMoment] = []


def review_page(shown: Viewer, found: StoredReview | None) -> ReviewPage:
    """Return the review as far as it is, or the offer to start one."""
    table = f"/t/{shown.table.id}"
    words = shown.words
    page = ReviewPage(
        table_url=table,
        url=f"{table}/review",
        title_name=shown.title.name,
        state="none",
        budgets=[(budget.name, words._(budget.label)) for budget in BUDGETS.values()],
    )
    if found is None:
        return page
    page = msgspec.structs.replace(
        page,
        state="running" if found.running else "done",
        budget=words._(BUDGETS[found.depth].label),
        done=found.done,
        total=found.total,
        may_stop=found.running and may_stop(shown),
    )
    if found.content is None:
        return page
    game = shown.game
    assert game is not None
    review = msgspec.convert(found.content, Review)
    return msgspec.structs.replace(
        page,
        playouts=words.number(review.playouts),
        charts=chance_charts(shown, review),
        seats=[(seat.number, seat.name) for seat in shown.seats],
        players=_players(shown, review),
        drawn=any(player.luck is not None for player in review.players),
        turns=[
            _move(shown, game, turn.number, turn.verdict, turned(turn, shown.voice))
            for turn in review.turns
        ],
        costly=[_move(shown, game, each.number, each.verdict) for each in review.costly],
        draws=[
            ReviewDraw(
                draw.number,
                decision_label(shown, game, draw.number),
                lucky(draw, shown.voice),
                move_url(shown, draw.number),
            )
            for draw in review.lucky
        ],
        moments=_moments(shown, game, review),
    )


def may_stop(shown: Viewer) -> bool:
    """Tell whether the visitor may cancel a review: players and the opener of the table may."""
    return bool(shown.own) or shown.table.creator == shown.visitor


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
        marks = [
            (turn.number, _between(review.moments, turn.number, seat.number))
            for turn in review.turns
        ]
        drawn.append(numbers.Curve(seat.name, f"seat-{seat.number % 8}", points, marks))
    rules = [turn.number for turn in review.turns]
    return [
        numbers.curves(drawn, size, lambda value: f"{value} %", rules)
        for size in (numbers.WIDE, numbers.SMALL)
    ]


def _between(moments: Sequence[Moment], number: int, seat: int) -> int:
    """Return the height of a seat's curve at a move, in percent."""
    place = bisect_left(moments, number, 1, len(moments) - 1, key=lambda moment: moment.number)
    before, after = moments[place - 1], moments[place]
    part = (number - before.number) / max(1, after.number - before.number)
    return round(100 * (before.chances[seat] + part * (after.chances[seat] - before.chances[seat])))


def _players(shown: Viewer, review: Review) -> list[ReviewPlayer]:
    found = []
    for player in review.players:
        accuracy = "–" if player.accuracy is None else f"{100 * player.accuracy:.0f} %"
        found.append(
            ReviewPlayer(
                player.seat,
                shown.seats[player.seat].name,
                player.decisions,
                player.looked_at,
                accuracy,
                luck_of(player, shown.voice),
            )
        )
    return found


def _move(
    shown: Viewer, game: Game, number: int, verdict: Verdict, sentence: str = ""
) -> ReviewMove:
    words, voice = shown.words, shown.voice
    assert verdict.rival is not None
    view = _view(game, number, verdict.seat)
    plan = _plan(shown, view, verdict.rival)
    if verdict.better is None:
        better = words._("A good move. The alternative: {action}.", action=plan)
    else:
        worth = worth_of(verdict, voice)
        better = words._("Better: {action} ({worth}).", action=plan, worth=worth)
    return ReviewMove(
        number,
        verdict.seat,
        decision_label(shown, game, number),
        sentence,
        better,
        verdict.better is None,
        reasons(verdict, voice),
        move_url(shown, number - 1),
        move_url(shown, number),
    )


def _plan(shown: Viewer, view: View, line: Line) -> str:
    """Return what a plan is in words, or its actions."""
    said = line.said.get(shown.words.language)
    if said:
        return said.rstrip(".")
    first = view.title.action_from_json(line.actions[0])
    label = action_label(shown, view, first)
    # Later actions are chosen in positions that are only imagined.
    rest = [view.title.action_from_json(action) for action in line.actions[1:]]
    texts = [view.title.format_in(shown.words.language, action) for action in rest]
    return " · ".join([label, *texts])


def _moments(shown: Viewer, game: Game, review: Review) -> list[ReviewMoment]:
    return [
        ReviewMoment(
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
