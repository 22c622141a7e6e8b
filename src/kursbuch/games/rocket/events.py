"""What happens in Stephenson's Rocket. Hexes, towns and lines are named as on the map."""

from __future__ import annotations

from kursbuch.core.events import Event, Payment


class StartPlayerDrawn(Event, frozen=True, tag="start-player", kw_only=True):
    """The start player was drawn by lot."""

    seat: int


class TokenTaken(Event, frozen=True, tag="token-taken", kw_only=True):
    """A player took a metropolis token."""

    seat: int
    metropolis: str


class StationPlaced(Event, frozen=True, tag="station-placed", kw_only=True):
    """A player placed a station."""

    seat: int
    hex: str


class StationMoved(Event, frozen=True, tag="station-moved", kw_only=True):
    """A player moved a station."""

    seat: int
    origin: str
    hex: str


class LineExtended(Event, frozen=True, tag="line-extended", kw_only=True):
    """The active player moved a locomotive; a veto may still change it."""

    seat: int
    line: str
    hex: str


class ShareTaken(Event, frozen=True, tag="share-taken", kw_only=True):
    """The active player took a share for moving a locomotive."""

    seat: int
    line: str


class NoShare(Event, frozen=True, tag="no-share", kw_only=True):
    """The line has no share left to take."""

    seat: int
    line: str


class LetStood(Event, frozen=True, tag="let-stood", kw_only=True):
    """A player does not call a veto round."""

    seat: int


class VetoCalled(Event, frozen=True, tag="veto-called", kw_only=True):
    """A player called a veto round."""

    seat: int


class BidMade(Event, frozen=True, tag="bid-made", kw_only=True):
    """A player bid shares for a destination."""

    seat: int
    hex: str
    shares: int


class BidPassed(Event, frozen=True, tag="bid-passed", kw_only=True):
    """A player passed in a veto round; `forced` if he had too few shares to bid."""

    seat: int
    forced: bool


class VetoDecided(Event, frozen=True, tag="veto-decided", kw_only=True):
    """The veto round is over; without a bid `seat` is None."""

    seat: int | None
    line: str
    hex: str
    shares: int


class SharesSwapped(Event, frozen=True, tag="shares-swapped", kw_only=True):
    """A bidder exchanged supplementary shares for another player's real ones."""

    seat: int
    other: int
    line: str
    shares: int


class SharesReturned(Event, frozen=True, tag="shares-returned", kw_only=True):
    """The winner of a veto round returned shares; `gone` if the line is isolated."""

    seat: int
    line: str
    shares: int
    gone: bool


class TrackLaid(Event, frozen=True, tag="track-laid", kw_only=True):
    """The locomotive moved for good; `tiles` is what is left of the supply."""

    line: str
    origin: str
    hex: str
    covered: bool
    tiles: int


class PassengerTaken(Event, frozen=True, tag="passenger-taken", kw_only=True):
    """The active player got a passenger token."""

    seat: int
    hex: str


class Connected(Event, frozen=True, tag="connected", kw_only=True):
    """A line was newly connected to a town."""

    line: str
    town: str


class Scored(Payment, frozen=True, kw_only=True):
    """Players were paid for what each has of something: `counts`."""

    counts: tuple[int, ...]


class MetropolisScored(Scored, frozen=True, tag="metropolis-scored", kw_only=True):
    """The tokens of a metropolis were scored."""

    metropolis: str


class StationsScored(Scored, frozen=True, tag="stations-scored", kw_only=True):
    """The stations on a line were scored; `town` is the railway town, empty in the final scoring."""

    line: str
    town: str
    towns: int


class SharesScored(Scored, frozen=True, tag="shares-scored", kw_only=True):
    """The shares of a line were scored; `final` in the final scoring, else in a merger."""

    line: str
    towns: int
    final: bool


class KindScored(Scored, frozen=True, tag="kind-scored", kw_only=True):
    """One kind of token was scored at the end."""

    kind: str


class Merged(Event, frozen=True, tag="merged", kw_only=True):
    """A line was dissolved into another."""

    line: str
    into: str


class SharesExchanged(Event, frozen=True, tag="shares-exchanged", kw_only=True):
    """A player exchanged shares of a dissolved line."""

    seat: int
    line: str
    into: str
    given: int
    shares: int
    supplementary: int


class LineIsolated(Event, frozen=True, tag="line-isolated", kw_only=True):
    """A line cannot reach anything new; its stock left the game."""

    line: str
    shares: int


class EndReached(Event, frozen=True, tag="end-reached", kw_only=True):
    """The game ends: `tiles` if the track tiles are used up, else for want of shares."""

    tiles: bool


class TokensReturned(Event, frozen=True, tag="tokens-returned", kw_only=True):
    """Tokens of an unconnected metropolis do not count."""

    seat: int
    metropolis: str
    count: int
