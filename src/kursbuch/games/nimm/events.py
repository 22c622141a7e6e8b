"""What happens in Nimm den Zug. Every change of a player's money is a `Payment`; what a player pays
is a negative amount."""

from __future__ import annotations

from kursbuch.core.events import Event, Payment


class StartPlayerDrawn(Event, frozen=True, tag="start-player", kw_only=True):
    """The start player of the first round was drawn by lot."""

    seat: int


class MoneyDealt(Payment, frozen=True, tag="money-dealt", kw_only=True):
    """Everybody received the start money."""


class TargetsDealt(Event, frozen=True, tag="targets-dealt", kw_only=True):
    """A player received target tiles; only he knows which."""

    seat: int
    tiles: tuple[str, ...]


class RoundBegan(Event, frozen=True, tag="round-began", kw_only=True):
    """A round began; its type of auction was drawn."""

    round: int
    seat: int
    auction: str


class LocosShuffled(Event, frozen=True, tag="locos-shuffled", kw_only=True):
    """The locomotives set aside became the new deck."""

    count: int


class LocosTurnedUp(Event, frozen=True, tag="locos-turned-up", kw_only=True):
    """Locomotives were turned up for an auction, by the player whose turn it is to start one."""

    seat: int
    locos: tuple[str, ...]


class StarterReplaced(Event, frozen=True, tag="starter-replaced", kw_only=True):
    """A player cannot pay for any of these locomotives; `other` starts in his place."""

    seat: int
    other: int


class NobodyCanPay(Event, frozen=True, tag="nobody-can-pay", kw_only=True):
    """Locomotives were set aside because nobody can pay for one of them."""

    locos: tuple[str, ...]


class LocoOffered(Event, frozen=True, tag="loco-offered", kw_only=True):
    """The starter chose a locomotive to be auctioned."""

    seat: int
    loco: str


class BidMade(Event, frozen=True, tag="bid-made", kw_only=True):
    """A player bid openly for a locomotive."""

    seat: int
    loco: str
    amount: int


class BidPassed(Event, frozen=True, tag="bid-passed", kw_only=True):
    """A player bids no more for this locomotive."""

    seat: int


class BidHeld(Event, frozen=True, tag="bid-held", kw_only=True):
    """A player lets the highest bid stand."""

    seat: int


class BidSealed(Event, frozen=True, tag="bid-sealed", kw_only=True):
    """A player has made a secret bid."""

    seat: int


class BidsShown(Event, frozen=True, tag="bids-shown", kw_only=True):
    """All secret bids were shown: pairs of seat and amount."""

    loco: str
    bids: tuple[tuple[int, int], ...]


class SecondBidsShown(BidsShown, frozen=True, tag="second-bids-shown", kw_only=True):
    """The second of two secret bids were shown."""


class RaisesShown(BidsShown, frozen=True, tag="raises-shown", kw_only=True):
    """The secret raises were shown; whoever let the bid stand has an amount of 0."""


class TieBroken(Event, frozen=True, tag="tie-broken", kw_only=True):
    """The starter decided between equal bids."""

    seat: int
    player: int
    tied: tuple[int, ...]


class LocoSold(Payment, frozen=True, tag="loco-sold", kw_only=True):
    """A player bought a locomotive; `alone` without competition, for its power."""

    seat: int
    loco: str
    price: int
    alone: bool


class LocosShown(Event, frozen=True, tag="locos-shown", kw_only=True):
    """The locomotives of a first choice auction were turned up; players buy in this order."""

    locos: tuple[str, ...]
    order: tuple[int, ...]


class ChoiceBought(Payment, frozen=True, tag="choice-bought", kw_only=True):
    """A player bought a locomotive for his bid and its power."""

    seat: int
    loco: str
    bid: int
    power: int


class ChoiceMissed(Payment, frozen=True, tag="choice-missed", kw_only=True):
    """A player paid his bid but can pay for none of the locomotives left."""

    seat: int
    bid: int


class SparesReceived(Event, frozen=True, tag="spares-received", kw_only=True):
    """A player received unsold locomotives as spare ones."""

    seat: int
    count: int


class LocosDealt(Event, frozen=True, tag="locos-dealt", kw_only=True):
    """A player received locomotives to choose from; only he knows which."""

    seat: int
    locos: tuple[str, ...]


class LocoKept(Event, frozen=True, tag="loco-kept", kw_only=True):
    """A player has chosen the locomotive he keeps."""

    seat: int


class DraftShown(Event, frozen=True, tag="draft-shown", kw_only=True):
    """A player turned up the locomotives he kept."""

    seat: int
    locos: tuple[str, ...]


class TurnedDown(Event, frozen=True, tag="turned-down", kw_only=True):
    """A player turned a locomotive he cannot pay into a spare one."""

    seat: int
    loco: str


class DraftPaid(Payment, frozen=True, tag="draft-paid", kw_only=True):
    """A player paid for his locomotives: their power times the highest multiplier."""

    seat: int
    power: int
    multiplier: int


class OrderSet(Event, frozen=True, tag="order-set", kw_only=True):
    """The order of phase two with the total power of each seat in it."""

    order: tuple[int, ...]
    powers: tuple[int, ...]


class CardsTurnedUp(Event, frozen=True, tag="cards-turned-up", kw_only=True):
    """Cards of the wagon deck were turned up."""

    cards: tuple[str, ...]


class BinTurnedUp(Event, frozen=True, tag="bin-turned-up", kw_only=True):
    """The bin was turned up: these open cards are discarded."""

    cards: tuple[str, ...]


class LongerTurnedUp(Event, frozen=True, tag="longer-turned-up", kw_only=True):
    """The longer train was turned up: the round ends with this wagon."""

    limit: int


class CardsShuffled(Event, frozen=True, tag="cards-shuffled", kw_only=True):
    """The discard pile became the new wagon deck."""

    count: int


class WagonCoupled(Event, frozen=True, tag="wagon-coupled", kw_only=True):
    """A player coupled a wagon; for a double wagon `kind` and `value` are those it copies."""

    seat: int
    card: str
    kind: str
    value: int
    train: int
    loco: str
    length: int


class MultiplierLaid(Event, frozen=True, tag="multiplier-laid", kw_only=True):
    """A player laid a multiplier card beside a locomotive."""

    seat: int
    train: int
    loco: str


class BonusTaken(Payment, frozen=True, tag="bonus-taken", kw_only=True):
    """A player took the bonus card."""

    seat: int


class CardsReplaced(Payment, frozen=True, tag="cards-replaced", kw_only=True):
    """A player had open cards replaced."""

    seat: int
    cards: tuple[str, ...]


class TurnPassed(Event, frozen=True, tag="turn-passed", kw_only=True):
    """A player's turn ended without a card being taken; `passes` turns in a row have."""

    seat: int
    passes: int


class RoundEnded(Event, frozen=True, tag="round-ended", kw_only=True):
    """The round ended: by a player's last wagon, or (without a seat) because all passed."""

    round: int
    seat: int | None = None
    wagons: int = 0


class TargetUsed(Payment, frozen=True, tag="target-used", kw_only=True):
    """A player handed in a target tile."""

    seat: int
    tile: str


class SaidReady(Event, frozen=True, tag="said-ready", kw_only=True):
    """A player hands in no (further) target tile now."""

    seat: int


class ProfitPaid(Payment, frozen=True, tag="profit-paid", kw_only=True):
    """A player's profit of a round, with the part of each of his trains, spare locomotives apart."""

    seat: int
    parts: tuple[int, ...]


class SparePaid(Payment, frozen=True, tag="spare-paid", kw_only=True):
    """What a player's spare locomotives bring him: the value of the best wagon of each."""

    seat: int
    parts: tuple[int, ...]


class GameEnded(Event, frozen=True, tag="game-ended", kw_only=True):
    """The game is over: everybody's money and the number of target tiles used."""

    money: tuple[int, ...]
    used: tuple[int, ...]


#: What everybody should hear of at once.
ANNOUNCED = (
    RoundBegan,
    LocoSold,
    ChoiceBought,
    DraftPaid,
    BonusTaken,
    TargetUsed,
    RoundEnded,
    GameEnded,
)
