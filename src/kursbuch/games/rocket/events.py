"""Events of Stephenson's Rocket. Hexes, towns and lines have their names on the map."""

from __future__ import annotations

from kursbuch.core.events import Event, Payment
from kursbuch.core.sentences import NAME, If, Sentence, Term
from kursbuch.games.rocket.components import KIND_NAMES


class StartPlayerDrawn(Event, frozen=True, tag="start-player", kw_only=True):
    """The start player was drawn by lot."""

    SENTENCE = Sentence("{name} is drawn as start player.")

    seat: int


class TokenTaken(Event, frozen=True, tag="token-taken", kw_only=True):
    """A player took a metropolis token."""

    SENTENCE = Sentence("{name} takes a token of {town}.", town="metropolis")

    seat: int
    metropolis: str


class StationPlaced(Event, frozen=True, tag="station-placed", kw_only=True):
    """A player placed a station."""

    SENTENCE = Sentence("{name} places a station on {hex}.")

    seat: int
    hex: str


class StationMoved(Event, frozen=True, tag="station-moved", kw_only=True):
    """A player moved a station."""

    SENTENCE = Sentence("{name} moves a station from {origin} to {hex}.")

    seat: int
    origin: str
    hex: str


class LineExtended(Event, frozen=True, tag="line-extended", kw_only=True):
    """The active player moved a locomotive; a veto may still change it."""

    SENTENCE = Sentence("{name} moves the locomotive of {line} to {hex}.")

    seat: int
    line: str
    hex: str


class ShareTaken(Event, frozen=True, tag="share-taken", kw_only=True):
    """The active player took a share for moving a locomotive."""

    SENTENCE = Sentence("{name} takes a share of {line}.")

    seat: int
    line: str


class NoShare(Event, frozen=True, tag="no-share", kw_only=True):
    """The line has no share left to take."""

    SENTENCE = Sentence("{line} has no share left for {name}.")

    seat: int
    line: str


class LetStood(Event, frozen=True, tag="let-stood", kw_only=True):
    """A player declined to call a veto round."""

    SENTENCE = Sentence("{name} does not object.")

    seat: int


class VetoCalled(Event, frozen=True, tag="veto-called", kw_only=True):
    """A player called a veto round."""

    SENTENCE = Sentence("{name} calls a veto round.")

    seat: int


class BidMade(Event, frozen=True, tag="bid-made", kw_only=True):
    """A player bid shares for a destination."""

    SENTENCE = Sentence(
        "{name} bids {n} share for {hex}.", "{name} bids {n} shares for {hex}.", n="shares"
    )

    seat: int
    hex: str
    shares: int


class BidPassed(Event, frozen=True, tag="bid-passed", kw_only=True):
    """A player passed in a veto round; `forced` for lack of shares."""

    SENTENCE = If(
        "forced", Sentence("{name} has too few shares to bid."), Sentence("{name} passes.")
    )

    seat: int
    forced: bool


class VetoDecided(Event, frozen=True, tag="veto-decided", kw_only=True):
    """A veto round ended; `seat` is None if no one bid."""

    SENTENCE = If(
        "seat",
        Sentence("No one bids: {line} goes to {hex} as intended."),
        Sentence("{name} wins the veto round: {line} goes to {hex}."),
        equals=(None,),
    )

    seat: int | None
    line: str
    hex: str
    shares: int


class SharesSwapped(Event, frozen=True, tag="shares-swapped", kw_only=True):
    """A bidder exchanged supplementary shares for another player's real ones."""

    SENTENCE = Sentence(
        "{name} exchanges {n} supplementary share of {line} for a real one of {other}.",
        "{name} exchanges {n} supplementary shares of {line} for real ones of {other}.",
        n="shares",
        other=NAME,
    )

    seat: int
    other: int
    line: str
    shares: int


class SharesReturned(Event, frozen=True, tag="shares-returned", kw_only=True):
    """The winner of a veto round returned shares; `gone` if the line is isolated."""

    SENTENCE = If(
        "gone",
        Sentence(
            "{name} returns {n} share of {line}, which leaves the game.",
            "{name} returns {n} shares of {line}, which leave the game.",
            n="shares",
        ),
        Sentence(
            "{name} returns {n} share of {line} to the stock.",
            "{name} returns {n} shares of {line} to the stock.",
            n="shares",
        ),
    )

    seat: int
    line: str
    shares: int
    gone: bool


class TrackLaid(Event, frozen=True, tag="track-laid", kw_only=True):
    """The move became final; `tiles` is the supply left."""

    SENTENCE = If(
        "covered",
        Sentence(
            "{line} goes to {hex}; {origin} is covered with track, {n} tile is left.",
            "{line} goes to {hex}; {origin} is covered with track, {n} tiles are left.",
            n="tiles",
        ),
        Sentence("{line} leaves its start town for {hex}; no tile is needed."),
    )

    line: str
    origin: str
    hex: str
    covered: bool
    tiles: int


class PassengerTaken(Event, frozen=True, tag="passenger-taken", kw_only=True):
    """The active player got a passenger token."""

    SENTENCE = Sentence("{name} receives a passenger token for the station on {hex}.")

    seat: int
    hex: str


class Connected(Event, frozen=True, tag="connected", kw_only=True):
    """A line was connected to a town."""

    SENTENCE = Sentence("{line} is connected to {town}.")

    line: str
    town: str


class Scored(Payment, frozen=True, kw_only=True):
    """Players were paid by their `counts`. Its sentence is followed by the payments."""

    counts: tuple[int, ...]


class MetropolisScored(Scored, frozen=True, tag="metropolis-scored", kw_only=True):
    """The tokens of a metropolis were scored."""

    SENTENCE = Sentence("Tokens of {town}:", town="metropolis")

    metropolis: str


class StationsScored(Scored, frozen=True, tag="stations-scored", kw_only=True):
    """Stations on a line were scored; `town` is the railway town, empty in the final scoring."""

    SENTENCE = If(
        "town",
        Sentence(
            "Stations on {line}, which reaches {town}, {n} town:",
            "Stations on {line}, which reaches {town}, {n} towns:",
            n="towns",
        ),
        Sentence(
            "Final scoring, stations on {line}, {n} town:",
            "Final scoring, stations on {line}, {n} towns:",
            n="towns",
        ),
    )

    line: str
    town: str
    towns: int


class SharesScored(Scored, frozen=True, tag="shares-scored", kw_only=True):
    """Shares of a line were scored, in the `final` scoring or a merger."""

    SENTENCE = If(
        "final",
        Sentence(
            "Final scoring, shares of {line}, {n} town:",
            "Final scoring, shares of {line}, {n} towns:",
            n="towns",
        ),
        Sentence(
            "Shares of {line}, which is dissolved, {n} town:",
            "Shares of {line}, which is dissolved, {n} towns:",
            n="towns",
        ),
    )

    line: str
    towns: int
    final: bool


class KindScored(Scored, frozen=True, tag="kind-scored", kw_only=True):
    """One kind of token was scored at the end."""

    SENTENCE = Sentence("Final scoring, tokens of {kind}:", kind=Term(KIND_NAMES))

    kind: str


class Merged(Event, frozen=True, tag="merged", kw_only=True):
    """A line was merged into another."""

    SENTENCE = Sentence("{line} is dissolved into {into}.")

    line: str
    into: str


class SharesExchanged(Event, frozen=True, tag="shares-exchanged", kw_only=True):
    """A player exchanged shares of a dissolved line."""

    SENTENCE = If(
        "gained",
        Sentence(
            "{name} exchanges {n} share of {line} for {gained} of {into}.",
            "{name} exchanges {n} shares of {line} for {gained} of {into}.",
            n="given",
        ),
        Sentence(
            "{name} gives back {n} share of {line} and receives nothing.",
            "{name} gives back {n} shares of {line} and receives nothing.",
            n="given",
        ),
    )

    seat: int
    line: str
    into: str
    given: int
    shares: int
    supplementary: int

    @property
    def gained(self) -> int:
        """Shares received, including supplementary ones."""
        return self.shares + self.supplementary


class LineIsolated(Event, frozen=True, tag="line-isolated", kw_only=True):
    """A line can reach nothing new; its stock left the game."""

    SENTENCE = Sentence(
        "{line} is isolated; {n} share leaves the game.",
        "{line} is isolated; {n} shares leave the game.",
        n="shares",
    )

    line: str
    shares: int


class EndReached(Event, frozen=True, tag="end-reached", kw_only=True):
    """The game ends: the track `tiles` or the shares are used up."""

    SENTENCE = If(
        "tiles",
        Sentence("The track tiles are used up: the game ends."),
        Sentence("At most one line has shares in stock: the game ends."),
    )

    tiles: bool


class TokensReturned(Event, frozen=True, tag="tokens-returned", kw_only=True):
    """Tokens of an unconnected metropolis do not count."""

    SENTENCE = Sentence(
        "{name} returns {n} token of {town}, which is connected to no line.",
        "{name} returns {n} tokens of {town}, which is connected to no line.",
        n="count",
        town="metropolis",
    )

    seat: int
    metropolis: str
    count: int
