"""What is asked when Prussia is formed and trains are surplus, answered from the actions of
Rails-18xx."""

from __future__ import annotations

from collections.abc import Iterator

from kursbuch.games.g18xx.actions import Discard, Exchange
from kursbuch.games.g18xx.g1835.actions import OpenPrussia
from kursbuch.games.g18xx.g1835.book import OPENER, PRUSSIA
from kursbuch.games.g18xx.g1835.rails.course import Course
from kursbuch.games.g18xx.g1835.rails.names import unknown
from kursbuch.games.g18xx.g1835.state import Folding, PrussiaOffer
from kursbuch.games.g18xx.pieces import POOL
from kursbuch.games.g18xx.state import Surplus


def _near(course: Course, kind: str) -> Iterator[int]:
    """The places of actions of a kind before the turn goes on."""
    for place in course.rest():
        if course.actions[place].kind == kind:
            yield place
        elif course.actions[place].kind not in ("DiscardTrain", "FoldIntoPrussian"):
            return


def surplus(course: Course, step: Surplus) -> None:
    """The trains a company hands in."""
    company, state, terms = step.companies[0], course.state, course.terms
    count = len(course.book.trains(state, company)) - course.book.depot.train_limit(state, company)
    places = [
        place
        for place in _near(course, "DiscardTrain")
        if terms.names.get(course.actions[place].company) == company
        and course.actions[place]["discardedTrainUniqueId"]
    ][:count]
    if len(places) < count:
        raise course.unfit(course.next())
    names = [str(course.actions[place]["discardedTrainUniqueId"]) for place in places]
    course.memory.trains |= dict.fromkeys(names, POOL)
    trains = [terms.train(name) for name in names]
    for place, train in zip(places, trains, strict=True):
        if train not in course.book.components.train_order:
            raise unknown(course.actions[place]["discardedTrainUniqueId"], course.actions[place])
    trains.sort(key=course.book.components.train_order.index)
    course.take(places, Discard(course.decider(), company, tuple(trains)))


def prussia(course: Course, step: PrussiaOffer) -> None:
    """Whether Prussia opens."""
    for place in _near(course, "FoldIntoPrussian"):
        act = course.actions[place]
        foldable = str(act["foldableCompanyNames"] or "").split(",")
        if OPENER in (course.terms.names.get(name) for name in foldable):
            papers = course.terms.folded(act)
            # What else is exchanged with it counts when its owner is asked.
            course.memory.also = [paper for paper in papers if paper != OPENER]
            course.take([place], OpenPrussia(course.decider(), OPENER in papers))
            return
    seat = course.decider()
    course.choose(PRUSSIA, [OpenPrussia(seat, False), OpenPrussia(seat, True)])


def folding(course: Course, step: Folding) -> None:
    """What a player exchanges."""
    seat, memory = course.decider(), course.memory
    for place in _near(course, "FoldIntoPrussian"):
        act = course.actions[place]
        if act.seat == seat:
            course.take([place], Exchange(seat, tuple(course.terms.folded(act))))
            return
    own = [paper for paper in memory.also if course.book.owner(course.state, paper) == seat]
    first = Exchange(seat, tuple(own))
    choices = [choice.action for choice in course.game.legal_actions(seat)]
    course.choose(PRUSSIA, [first, *(other for other in choices if other != first)])
