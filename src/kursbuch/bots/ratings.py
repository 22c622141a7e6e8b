"""What the games of a match say of those who played: shares of wins, margins, places, Elo."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import mean, stdev

import msgspec

from kursbuch.bots.estimates import Estimate, Z, average, clustered_rate
from kursbuch.bots.match_games import Outcome

Block = Sequence[Outcome]

#: How often each specification came in before each other.
Beaten = list[list[float]]

#: How often blocks are drawn anew for the intervals of Elo.
RESAMPLES = 200

#: Strengths are brought closer to what was played until none moves further than this, in Elo, or so often.
NEAR = 0.001
ROUNDS = 20_000


class Standing(msgspec.Struct, frozen=True):
    """What one specification achieved, wherever it sat."""

    bot: str
    games: int
    #: Its share of the wins of the games it played in (a shared victory counts as an equal part of one
    #: for each winner), and what that would be among equals.
    wins: Estimate
    equal: float
    #: How far it was ahead of the mean of the other specifications, in the unit of the score.
    margin: Estimate | None
    score: Estimate
    place: Estimate
    #: Rating against the mean of all specifications: 400 more is ten to one.
    elo: Estimate | None
    #: How long it computed on average for a decision.
    milliseconds: float


class SeatStanding(msgspec.Struct, frozen=True):
    """What was achieved from a seat, whoever sat there."""

    seat: int
    wins: Estimate
    score: Estimate


class Standings(msgspec.Struct, frozen=True):
    """All of a match."""

    games: int
    blocks: int
    moves: int
    bots: tuple[Standing, ...]
    seats: tuple[SeatStanding, ...]
    errors: int = 0
    first_error: str = ""


def standings(
    bots: Sequence[str], blocks: Sequence[Block], failed: Sequence[Outcome] = ()
) -> Standings:
    """What these blocks say. Games of a block are not independent, blocks are: intervals come from
    them."""
    specs = list(dict.fromkeys(bots))
    games = [outcome for block in blocks for outcome in block]
    ratings = elo(specs, blocks)
    return Standings(
        len(games),
        len(blocks),
        sum(outcome.moves for outcome in games),
        tuple(_standing(spec, blocks, ratings[place]) for place, spec in enumerate(specs)),
        tuple(_seat(seat, blocks) for seat in range(len(games[0].bots))),
        len(failed),
        failed[0].error if failed else "",
    )


def precision(bots: Sequence[str], blocks: Sequence[Block]) -> float:
    """How far the widest interval of a share of wins reaches to either side: of those of bots, or of seats
    if there is only one bot."""
    specs = list(dict.fromkeys(bots))
    if len(specs) > 1:
        wins = [_wins(spec, _played(spec, blocks)) for spec in specs]
    else:
        wins = [_seat_wins(seat, blocks) for seat in range(len(blocks[0][0].bots))]
    return max(each.reach for each in wins)


def _played(spec: str, blocks: Sequence[Block]) -> list[list[Outcome]]:
    return [[outcome for outcome in block if spec in outcome.bots] for block in blocks]


def _wins(spec: str, played: Sequence[Block]) -> Estimate:
    shares = [mean(_won(each, spec) for each in block) for block in played]
    return clustered_rate(shares, sum(map(len, played)))


def _seat_wins(seat: int, blocks: Sequence[Block]) -> Estimate:
    shares = [mean(_share(outcome, seat) for outcome in block) for block in blocks]
    return clustered_rate(shares, sum(map(len, blocks)))


def _standing(spec: str, blocks: Sequence[Block], rating: Estimate | None) -> Standing:
    played = _played(spec, blocks)
    games = [outcome for block in played for outcome in block]
    seconds = decisions = 0.0
    for outcome in games:
        for seat in _seats(outcome, spec):
            seconds += outcome.seconds[seat]
            decisions += outcome.decisions[seat]
    mixed = all(len(set(outcome.bots)) > 1 for outcome in games)
    return Standing(
        spec,
        len(games),
        _wins(spec, played),
        mean(len(_seats(outcome, spec)) / len(outcome.bots) for outcome in games),
        average([mean(_margin(each, spec) for each in block) for block in played])
        if mixed
        else None,
        average([mean(_score(each, spec) for each in block) for block in played]),
        average([mean(_place(each, spec) for each in block) for block in played]),
        rating,
        1000 * seconds / max(decisions, 1),
    )


def _seat(seat: int, blocks: Sequence[Block]) -> SeatStanding:
    scores = [mean(outcome.scores[seat] for outcome in block) for block in blocks]
    return SeatStanding(seat, _seat_wins(seat, blocks), average(scores))


def _seats(outcome: Outcome, spec: str) -> list[int]:
    return [seat for seat, other in enumerate(outcome.bots) if other == spec]


def _share(outcome: Outcome, seat: int) -> float:
    return 1 / len(outcome.winners) if seat in outcome.winners else 0.0


def _won(outcome: Outcome, spec: str) -> float:
    return sum(_share(outcome, seat) for seat in _seats(outcome, spec))


def _score(outcome: Outcome, spec: str) -> float:
    return mean(outcome.scores[seat] for seat in _seats(outcome, spec))


def _margin(outcome: Outcome, spec: str) -> float:
    others = [
        score for score, other in zip(outcome.scores, outcome.bots, strict=True) if other != spec
    ]
    return _score(outcome, spec) - mean(others)


def _rank(outcome: Outcome, seat: int) -> tuple[bool, int]:
    return seat in outcome.winners, outcome.scores[seat]


def _place(outcome: Outcome, spec: str) -> float:
    """The mean place of a specification; who is equal shares the places."""
    ranks = [_rank(outcome, seat) for seat in range(len(outcome.scores))]
    return mean(
        1
        + sum(other > ranks[seat] for other in ranks)
        + (sum(other == ranks[seat] for other in ranks) - 1) / 2
        for seat in _seats(outcome, spec)
    )


# ---- Elo


def elo(specs: Sequence[str], blocks: Sequence[Block]) -> list[Estimate | None]:
    """The ratings that fit best who came in before whom (Bradley and Terry), every two having also
    drawn once. The intervals come from blocks drawn anew, but are no narrower than those of
    independent games."""
    if len(specs) < 2:
        return [None] * len(specs)
    found = [_beaten(specs, block) for block in blocks]
    ratings = _fitted([0.0] * len(specs), found)
    if len(found) < 2:
        return [Estimate(rating) for rating in ratings]
    rng = random.Random(0)
    drawn = [_fitted(ratings, rng.choices(found, k=len(found))) for _ in range(RESAMPLES)]
    estimates: list[Estimate | None] = []
    for place, rating in enumerate(ratings):
        error = max(stdev(sample[place] for sample in drawn), _error(place, ratings, found))
        estimates.append(Estimate(rating, rating - Z * error, rating + Z * error))
    return estimates


def _error(place: int, ratings: Sequence[float], blocks: Sequence[Beaten]) -> float:
    """The standard error of a rating if all that was played were independent."""
    told = 0.0
    for other, rating in enumerate(ratings):
        if other != place:
            games = 1 + sum(block[place][other] + block[other][place] for block in blocks)
            expected = 1 / (1 + 10 ** ((rating - ratings[place]) / 400))
            told += games * expected * (1 - expected)
    return 400 / math.log(10) * (1 - 1 / len(ratings)) / math.sqrt(told)


def _beaten(specs: Sequence[str], block: Block) -> Beaten:
    """How often each specification came in before each other."""
    number = {spec: place for place, spec in enumerate(specs)}
    found = [[0.0] * len(specs) for _ in specs]
    for outcome in block:
        ranks = [_rank(outcome, seat) for seat in range(len(outcome.bots))]
        for seat, bot in enumerate(outcome.bots):
            for other, rival in enumerate(outcome.bots):
                if bot != rival and ranks[seat] >= ranks[other]:
                    tied = ranks[seat] == ranks[other]
                    found[number[bot]][number[rival]] += 0.5 if tied else 1.0
    return found


def _fitted(start: Sequence[float], blocks: Sequence[Beaten]) -> list[float]:
    """The ratings that fit best, looked for from some on."""
    places = range(len(start))
    beaten = [
        [0.5 * (one != two) + sum(block[one][two] for block in blocks) for two in places]
        for one in places
    ]
    strengths = [10 ** (rating / 400) for rating in start]
    for _ in range(ROUNDS):
        before = strengths
        strengths = [
            sum(beaten[one])
            / sum(
                (beaten[one][two] + beaten[two][one]) / (strengths[one] + strengths[two])
                for two in places
                if two != one
            )
            for one in places
        ]
        middle = math.exp(mean(map(math.log, strengths)))
        strengths = [strength / middle for strength in strengths]
        moved = zip(before, strengths, strict=True)
        if max(abs(400 * math.log10(now / then)) for then, now in moved) < NEAR:
            break
    return [400 * math.log10(strength) for strength in strengths]
