"""Events of Nimm den Zug. Every change of money is a `Payment`; paid amounts are negative."""

from __future__ import annotations

from kursbuch.core.events import Event, Payment, SeatPayment
from kursbuch.core.sentences import MONEY, NAME, NUMBER, By, Each, If, Sentence, Term
from kursbuch.games.nimm.components import AUCTION_NAMES

LOCO = By("loco")
LOCOS = Each(LOCO).of("locos")
CARDS = Each(By("card")).of("cards")
TRAIN = By("train").of("train", "loco")


class StartPlayerDrawn(Event, frozen=True, tag="start-player", kw_only=True):
    """The start player of the first round was drawn by lot."""

    SENTENCE = Sentence("{name} is drawn as start player.")

    seat: int


class MoneyDealt(Payment, frozen=True, tag="money-dealt", kw_only=True):
    """All players received their starting money."""

    SENTENCE = Sentence("Everybody receives {amount}.", amount=MONEY.of("each"))

    @property
    def each(self) -> int:
        return self.amounts[0]


class TargetsDealt(Event, frozen=True, tag="targets-dealt", kw_only=True):
    """A player received target tiles, known only to him."""

    SENTENCE = Sentence(
        "{name} receives the target tiles: {list}.", list=Each(By("target"), "; ").of("tiles")
    )

    seat: int
    tiles: tuple[str, ...]


class RoundBegan(Event, frozen=True, tag="round-began", kw_only=True):
    """A round began; its type of auction was drawn."""

    SENTENCE = Sentence(
        "Round {number}: {name} draws the auction tile “{auction}”.",
        number="round",
        auction=Term(AUCTION_NAMES),
    )

    round: int
    seat: int
    auction: str


class LocosShuffled(Event, frozen=True, tag="locos-shuffled", kw_only=True):
    """Set-aside locomotives became the new deck."""

    SENTENCE = Sentence(
        "The locomotive set aside becomes the new deck.",
        "The {n} locomotives set aside become the new deck.",
        n="count",
    )

    count: int


class LocosTurnedUp(Event, frozen=True, tag="locos-turned-up", kw_only=True):
    """Locomotives were turned up by the player who starts an auction."""

    SENTENCE = Sentence("{name} turns up {list}.", list=LOCOS)

    seat: int
    locos: tuple[str, ...]


class StarterReplaced(Event, frozen=True, tag="starter-replaced", kw_only=True):
    """A player can afford none of these locomotives; `other` starts instead."""

    SENTENCE = Sentence(
        "{name} cannot pay for any of these; {other} starts the auction instead.", other=NAME
    )

    seat: int
    other: int


class NobodyCanPay(Event, frozen=True, tag="nobody-can-pay", kw_only=True):
    """Locomotives that no player can afford were set aside."""

    SENTENCE = Sentence("No one can pay; set aside: {list}.", list=LOCOS)

    locos: tuple[str, ...]


class LocoOffered(Event, frozen=True, tag="loco-offered", kw_only=True):
    """The starter chose a locomotive for auction."""

    SENTENCE = Sentence("{name} puts {loco} up for auction.", loco=LOCO)

    seat: int
    loco: str


class BidMade(Event, frozen=True, tag="bid-made", kw_only=True):
    """A player bid openly for a locomotive."""

    SENTENCE = Sentence("{name} bids {amount} for {loco}.", amount=MONEY)

    seat: int
    loco: str
    amount: int


class BidPassed(Event, frozen=True, tag="bid-passed", kw_only=True):
    """A player stopped bidding for this locomotive."""

    SENTENCE = Sentence("{name} passes.")

    seat: int


class BidHeld(Event, frozen=True, tag="bid-held", kw_only=True):
    """A player let the highest bid stand."""

    SENTENCE = Sentence("{name} lets the bid stand.")

    seat: int


class BidSealed(Event, frozen=True, tag="bid-sealed", kw_only=True):
    """A player made a secret bid."""

    SENTENCE = Sentence("{name} has made a secret bid.")

    seat: int


class BidsShown(Event, frozen=True, tag="bids-shown", kw_only=True):
    """Secret bids were revealed: pairs of seat and amount."""

    SENTENCE = Sentence("The bids are shown: {list}.", list=Each(By("bid")).of("ranking"))

    loco: str
    bids: tuple[tuple[int, int], ...]

    @property
    def ranking(self) -> list[tuple[int, int]]:
        """The bids, highest first."""
        return sorted(self.bids, key=lambda bid: -bid[1])


class SecondBidsShown(BidsShown, frozen=True, tag="second-bids-shown", kw_only=True):
    """Second secret bids were revealed."""

    SENTENCE = Sentence("The second bids are shown: {list}.", list=Each(By("bid")).of("ranking"))


class RaisesShown(BidsShown, frozen=True, tag="raises-shown", kw_only=True):
    """Secret raises were revealed; 0 lets the bid stand."""

    SENTENCE = Sentence("The bids are shown: {list}.", list=Each(By("bid_or_hold")).of("ranking"))


class TieBroken(Event, frozen=True, tag="tie-broken", kw_only=True):
    """The starter broke a tie."""

    SENTENCE = Sentence("{name} decides between equal bids for {player}.", player=NAME)

    seat: int
    player: int
    tied: tuple[int, ...]


class LocoSold(SeatPayment, frozen=True, tag="loco-sold", kw_only=True):
    """A player bought a locomotive; `alone` without competition, at its power."""

    SENTENCE = If(
        "alone",
        Sentence(
            "{name} buys {loco} without competition for {amount}.",
            loco=LOCO,
            amount=MONEY.of("price"),
        ),
        Sentence("{name} buys {loco} for {amount}.", loco=LOCO, amount=MONEY.of("price")),
    )

    loco: str
    price: int
    alone: bool


class LocosShown(Event, frozen=True, tag="locos-shown", kw_only=True):
    """The locomotives of a first choice auction were turned up; players buy in this order."""

    SENTENCE = Sentence(
        "{list} are turned up; the order is: {order}.", list=LOCOS, order=Each(NAME, ", ")
    )

    locos: tuple[str, ...]
    order: tuple[int, ...]


class ChoiceBought(SeatPayment, frozen=True, tag="choice-bought", kw_only=True):
    """A player paid a bid and the power of the chosen locomotive."""

    SENTENCE = Sentence(
        "{name} buys {loco} for {power} and the bid of {bid}.", loco=LOCO, power=MONEY, bid=MONEY
    )

    loco: str
    bid: int
    power: int


class ChoiceMissed(SeatPayment, frozen=True, tag="choice-missed", kw_only=True):
    """A player paid a bid but can afford none of the locomotives left."""

    SENTENCE = Sentence("{name} pays the bid of {bid} but can pay for no locomotive.", bid=MONEY)

    bid: int


class SparesReceived(Event, frozen=True, tag="spares-received", kw_only=True):
    """A player received unsold locomotives as spares."""

    SENTENCE = Sentence(
        "{name} receives {n} spare locomotive.",
        "{name} receives {n} spare locomotives.",
        n="count",
    )

    seat: int
    count: int


class LocosDealt(Event, frozen=True, tag="locos-dealt", kw_only=True):
    """A player received locomotives to choose from, known only to him."""

    SENTENCE = Sentence("{name} receives {list}.", list=LOCOS)

    seat: int
    locos: tuple[str, ...]


class LocoKept(Event, frozen=True, tag="loco-kept", kw_only=True):
    """A player chose a locomotive to keep."""

    SENTENCE = Sentence("{name} has chosen a locomotive.")

    seat: int


class DraftShown(Event, frozen=True, tag="draft-shown", kw_only=True):
    """A player revealed the locomotives kept."""

    SENTENCE = Sentence("{name} turns up {list}.", list=LOCOS)

    seat: int
    locos: tuple[str, ...]


class TurnedDown(Event, frozen=True, tag="turned-down", kw_only=True):
    """A player turned an unaffordable locomotive into a spare one."""

    SENTENCE = Sentence("{name} cannot pay and makes {loco} a spare locomotive.", loco=LOCO)

    seat: int
    loco: str


class DraftPaid(SeatPayment, frozen=True, tag="draft-paid", kw_only=True):
    """A player paid for locomotives: total power times the highest multiplier."""

    SENTENCE = Sentence(
        "{name} pays {amount} ({power} × {factor}).",
        amount=MONEY.of("paid"),
        power=NUMBER,
        factor="multiplier",
    )

    power: int
    multiplier: int


class OrderSet(Event, frozen=True, tag="order-set", kw_only=True):
    """Order of phase two with the total power of each seat."""

    SENTENCE = Sentence(
        "The order of phase two: {list}.", list=Each(By("place"), ", ").of("places")
    )

    order: tuple[int, ...]
    powers: tuple[int, ...]

    @property
    def places(self) -> list[tuple[int, int]]:
        """Seats with their power, in order."""
        return list(zip(self.order, self.powers, strict=True))


class CardsTurnedUp(Event, frozen=True, tag="cards-turned-up", kw_only=True):
    """Cards of the wagon deck were turned up."""

    SENTENCE = Sentence("Turned up: {list}.", list=CARDS)

    cards: tuple[str, ...]


class BinTurnedUp(Event, frozen=True, tag="bin-turned-up", kw_only=True):
    """The bin was turned up and discards these open cards."""

    SENTENCE = If(
        "cards",
        Sentence("The bin is turned up and clears away {list}.", list=CARDS),
        Sentence("The bin is turned up; no card lies open."),
    )

    cards: tuple[str, ...]


class LongerTurnedUp(Event, frozen=True, tag="longer-turned-up", kw_only=True):
    """The longer train was turned up: the round ends at this wagon."""

    SENTENCE = Sentence(
        "The longer train is turned up: the round ends only with wagon number {number}.",
        number="limit",
    )

    limit: int


class CardsShuffled(Event, frozen=True, tag="cards-shuffled", kw_only=True):
    """The discard pile became the wagon deck."""

    SENTENCE = Sentence(
        "The discard pile of {n} card becomes the new wagon deck.",
        "The discard pile of {n} cards becomes the new wagon deck.",
        n="count",
    )

    count: int


class WagonCoupled(Event, frozen=True, tag="wagon-coupled", kw_only=True):
    """A player coupled a wagon; `kind` and `value` of a double wagon are copied."""

    SENTENCE = Sentence(
        "{name} couples {card} to {train}, wagon number {number}.",
        card=By("wagon").of("card", "kind", "value"),
        train=TRAIN,
        number="length",
    )

    seat: int
    card: str
    kind: str
    value: int
    train: int
    loco: str
    length: int


class MultiplierLaid(Event, frozen=True, tag="multiplier-laid", kw_only=True):
    """A player placed a multiplier card beside a locomotive."""

    SENTENCE = Sentence("{name} lays the multiplier card beside {train}.", train=TRAIN)

    seat: int
    train: int
    loco: str


class BonusTaken(SeatPayment, frozen=True, tag="bonus-taken", kw_only=True):
    """A player took the bonus card."""

    SENTENCE = Sentence("{name} takes the bonus of {amount}.", amount=MONEY.of("received"))


class CardsReplaced(SeatPayment, frozen=True, tag="cards-replaced", kw_only=True):
    """A player replaced open cards."""

    SENTENCE = Sentence(
        "{name} pays {amount} to replace {list}.", amount=MONEY.of("paid"), list=CARDS
    )

    cards: tuple[str, ...]


class TurnPassed(Event, frozen=True, tag="turn-passed", kw_only=True):
    """A turn ended without taking a card; `passes` counts such turns in a row."""

    SENTENCE = Sentence("{name} takes no card.")

    seat: int
    passes: int


class RoundEnded(Event, frozen=True, tag="round-ended", kw_only=True):
    """A round ended by a player's last wagon or, without a seat, because all passed."""

    SENTENCE = If(
        "seat",
        Sentence("All players pass: round {number} is over.", number="round"),
        Sentence(
            "{name} has coupled wagon number {length}: round {number} is over.",
            length="wagons",
            number="round",
        ),
        equals=(None,),
    )

    round: int
    seat: int | None = None
    wagons: int = 0


class TargetUsed(SeatPayment, frozen=True, tag="target-used", kw_only=True):
    """A player handed in a target tile."""

    SENTENCE = Sentence(
        "{name} hands in a target tile ({condition}) and receives {amount}.",
        condition=By("condition").of("tile"),
        amount=MONEY.of("received"),
    )

    tile: str


class SaidReady(Event, frozen=True, tag="said-ready", kw_only=True):
    """A player hands in no more target tiles now."""

    SENTENCE = Sentence("{name} hands in no target tile.")

    seat: int


class ProfitPaid(SeatPayment, frozen=True, tag="profit-paid", kw_only=True):
    """A player's profit of a round, by train, without spare locomotives."""

    SENTENCE = Sentence(
        "{name} receives {amount} for the trains ({parts}).",
        amount=MONEY.of("received"),
        parts=Each(NUMBER, " + "),
    )

    parts: tuple[int, ...]


class SparePaid(SeatPayment, frozen=True, tag="spare-paid", kw_only=True):
    """Income of a player's spare locomotives: the best wagon of each."""

    SENTENCE = Sentence(
        "{name} receives {amount} for the best wagon of a spare locomotive.",
        "{name} receives {amount} for the best wagons of {n} spare locomotives.",
        n="parts",
        amount=MONEY.of("received"),
    )

    parts: tuple[int, ...]


class GameEnded(Event, frozen=True, tag="game-ended", kw_only=True):
    """The game is over: money and target tiles used of each player."""

    SENTENCE = Sentence("The game is over: {list}.", list=Each(By("final_sum"), ", ").of("ranking"))

    money: tuple[int, ...]
    used: tuple[int, ...]

    @property
    def ranking(self) -> list[tuple[int, int, int]]:
        """Seats with money and target tiles used, richest first."""
        found = [(seat, *sums) for seat, sums in enumerate(zip(self.money, self.used, strict=True))]
        return sorted(found, key=lambda row: -row[1])


#: Events announced to all at once.
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
