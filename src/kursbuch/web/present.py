"""Makes what the templates get from a table as one visitor may see it.

Everything about a game comes from `Game.view` and from the events visible to the visitor.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

import msgspec
from markupsafe import Markup

import kursbuch
from kursbuch.bots import hints, strengths
from kursbuch.core.actions import Choice as Possible
from kursbuch.core.errors import KursbuchError
from kursbuch.core.events import Event, Payment, visible_to
from kursbuch.core.game import View
from kursbuch.core.rules import Rule, RuleIndex, written
from kursbuch.core.title import Asking, Title
from kursbuch.core.voice import Grid, Voice
from kursbuch.core.words import N_, Words
from kursbuch.web import contexts
from kursbuch.web.errors import Conflict, Forbidden, Refused
from kursbuch.web.models import Seat, Table, now
from kursbuch.web.requests import is_local
from kursbuch.web.strengths import bot_label
from kursbuch.web.tables import (
    CLOSED,
    FINISHED,
    GRACE,
    LOBBY,
    OBJECTION_TIMES,
    PACES,
    PRESENT,
    RUNNING,
    UNDO_POLICIES,
    USUAL_PACE,
    Snapshot,
    asks_for_undo,
    undo_target,
)

STATUS = {
    LOBBY: N_("waiting for players"),
    RUNNING: N_("in progress"),
    FINISHED: N_("finished"),
    CLOSED: N_("closed"),
}

SEAT_KINDS = {"person": N_("person"), "hotseat": N_("at the same device"), "bot": N_("computer")}

SEAT_FIELDS = {
    "me": N_("I"),
    "open": N_("somebody with the link"),
    "hotseat": N_("somebody at my device"),
    "bot": N_("computer"),
}

RULE_KINDS = {
    "rule": N_("rule"),
    "table": N_("table"),
    "example": N_("example"),
    "definition": N_("definition"),
    "option": N_("option"),
}

SOURCES = {
    "rulebook": N_("the rulebook"),
    "public": N_("public records of the printed game"),
    "component": N_("printed on the components"),
    "reconstructed": N_("decided here, because nothing is recorded"),
}


#: Stands for a score the visitor may not know.
HIDDEN = "–"

#: So many lines of the log are on the page until the whole log is asked for.
SHOWN_LOG = 60


class Boards:
    """Drawn boards, so that all who look at the same position share one drawing."""

    def __init__(self, kept: int = 100) -> None:
        self._kept: OrderedDict[tuple[object, ...], Markup] = OrderedDict()
        self._most = kept

    def draw(
        self, key: tuple[object, ...], view: View, words: Words, marks: Sequence[str]
    ) -> Markup:
        """The board of a view as SVG. `key` names the position and who looks at it."""
        key = (*key, words.language, words.names, tuple(marks))
        drawn = self._kept.get(key)
        if drawn is None:
            # The title's own drawing escapes every text it contains.
            drawn = Markup(view.title.draw(view.state, words, marks))
            self._kept[key] = drawn
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return drawn


BOARDS = Boards()


# ---- small things


def rule_link(title: str, rule: str) -> tuple[str, str]:
    """The reference of a rule and the address of its page; empty for no rule."""
    return (f"{title}:{rule}", f"/rules/{title}/{rule}") if rule else ("", "")


def objection_label(words: Words, title: Title[Any], seconds: int | None) -> str:
    """A time for objections in words."""
    if not seconds:
        return words._(title.asking.unlimited) if title.asking else ""
    if seconds % 60 == 0:
        return words.ngettext("{n} minute", "{n} minutes", seconds // 60)
    return words.ngettext("{n} second", "{n} seconds", seconds)


def ago(words: Words, moment: datetime) -> str:
    """How long ago something was, roughly."""
    minutes = int((now() - moment).total_seconds() // 60)
    if minutes < 1:
        return words._("just now")
    if minutes < 60:
        return words.ngettext("{n} minute ago", "{n} minutes ago", minutes)
    if minutes < 48 * 60:
        return words.ngettext("{n} hour ago", "{n} hours ago", minutes // 60)
    return words.ngettext("{n} day ago", "{n} days ago", minutes // (24 * 60))


# ---- start page


def table_line(
    words: Words, table: Table, seats: Sequence[Seat], visitor: str
) -> contexts.TableLine:
    """A table in a list."""
    title = kursbuch.titles().get(table.title)
    own = [seat.number for seat in seats if seat.owner == visitor]
    result = ""
    if table.result is not None:
        names = [seats[number].name for number in table.result["winners"]]
        result = winners_sentence(words, names)
    return contexts.TableLine(
        id=table.id,
        url=f"/t/{table.id}",
        title=table.title,
        title_name=title.name if title else table.title,
        status=table.status,
        status_label=words._(STATUS[table.status]),
        players=[seat.name for seat in seats if seat.name],
        free_seats=sum(seat.is_free for seat in seats),
        seats=len(seats),
        my_turn=table.status == RUNNING and any(number in table.turn for number in own),
        is_mine=bool(own) or table.creator == visitor,
        moves=table.number,
        updated=ago(words, table.updated_at),
        result=result,
    )


def winners_sentence(words: Words, names: Sequence[str]) -> str:
    """Who won."""
    if len(names) == 1:
        return words._("{name} wins.", name=names[0])
    return words._("{names} share the victory.", names=words.join(names))


def home_page(
    words: Words,
    lists: dict[str, list[tuple[Table, list[Seat]]]],
    counts: dict[str, int],
    visitor: str,
) -> contexts.HomePage:
    """The start page."""

    def lines(name: str) -> list[contexts.TableLine]:
        return [table_line(words, table, seats, visitor) for table, seats in lists[name]]

    mine = lines("mine")
    mine.sort(key=lambda line: not line.my_turn)
    return contexts.HomePage(
        mine=mine,
        waiting=lines("waiting"),
        running=lines("running"),
        finished=lines("finished"),
        titles=[title_line(words, title) for title in kursbuch.titles().values()],
        tables_count=sum(counts.values()),
        running_count=counts.get(RUNNING, 0),
        finished_count=counts.get(FINISHED, 0),
    )


def title_line(words: Words, title: Title[Any]) -> contexts.TitleLine:
    """A game in the list of games."""
    low, high = title.seats[0], title.seats[-1]
    return contexts.TitleLine(
        id=title.id,
        name=title.name,
        edition=title.rules.game.in_language("edition", words.language),
        players=words._("{low} to {high} players", low=low, high=high),
        minutes=title.minutes,
        new_url=f"/new?title={title.id}",
        rules_url=f"/rules/{title.id}",
        routes_url=f"/routes/{title.id}" if title.planner else "",
    )


# ---- new table


def new_table_page(
    words: Words, title: Title[Any], given: dict[str, str], error: str = ""
) -> contexts.NewTablePage:
    """The form for a new table; `given` are the fields of a refused form."""
    low, high = title.seats[0], title.seats[-1]
    fresh = not error

    def choices(values: Iterable[tuple[str, str]], chosen: str) -> list[contexts.Choice]:
        return [contexts.Choice(value, label, value == chosen) for value, label in values]

    try:
        count = min(high, max(low, int(given.get("seats", ""))))
    except ValueError:
        count = min(high, max(low, 3))
    seats = []
    for number in range(high):
        usual = "me" if number == 0 else "bot"
        kind = given.get(f"seat{number}_kind", usual)
        bots = [(spec, words._(label)) for spec, label in strengths(title)]
        usual_bot = bots[min(1, len(bots) - 1)][0]
        seats.append(
            contexts.SeatField(
                number=number,
                kinds=choices(((k, words._(label)) for k, label in SEAT_FIELDS.items()), kind),
                name=given.get(f"seat{number}_name", ""),
                bots=choices(bots, given.get(f"seat{number}_bot", usual_bot)),
            )
        )
    options = []
    for option in title.options:
        name = f"option_{option.name}"
        reference, url = rule_link(title.id, option.rule)
        labels = [words._(label) for label in option.labels]
        options.append(
            contexts.OptionField(
                name=name,
                label=words._(option.label),
                rule=reference,
                rule_url=url,
                choices=choices(
                    zip(option.values, labels, strict=True), given.get(name, option.values[0])
                ),
            )
        )
    times = [(str(time or ""), objection_label(words, title, time)) for time in OBJECTION_TIMES]
    languages = [
        ("", words._("each reader's own")),
        ("de", "Deutsch"),
        ("en", "English"),
    ]
    return contexts.NewTablePage(
        titles=choices(((other.id, other.name) for other in kursbuch.titles().values()), title.id),
        title=title.id,
        title_name=title.name,
        least=low,
        most=high,
        count=count,
        seats=seats,
        options=options,
        undo=choices(
            ((policy, words._(label)) for policy, label in UNDO_POLICIES.items()),
            given.get("undo", next(iter(UNDO_POLICIES))),
        ),
        objection_name=words._(title.asking.time) if title.asking else "",
        objection=choices(times, given.get("objection", "")),
        languages=choices(languages, given.get("language", "")),
        paces=choices(
            ((f"{pace:g}", words._(label)) for pace, label in PACES.items()),
            given.get("pace", f"{USUAL_PACE:g}"),
        ),
        help=fresh or "help" in given,
        listed=fresh or "listed" in given,
        error=error,
    )


# ---- the table


class Presenter:
    """A table as one visitor sees it. Made and used without awaiting anything in between."""

    def __init__(
        self,
        snapshot: Snapshot,
        visitor: str,
        language: str,
        base_url: str,
        curtain: bool = True,
    ) -> None:
        self.table = snapshot.table
        self.seats = snapshot.seats
        self.snapshot = snapshot
        self.visitor = visitor
        self.base_url = base_url.rstrip("/")
        self.words = Words(language, [seat.name for seat in snapshot.seats])
        self.own = snapshot.seats_of(visitor)
        self.game = snapshot.game
        pending = self.game.position.deciders() if self.game and self.running() else ()
        self.deciding = tuple(pending)
        #: Whether several people share the device and one of them must not see what another may.
        self.shares = curtain and len(self.own) > 1 and self.hides()
        #: The seats whose players sit in front of the device.
        self.here = [one for one in self.own if not self.shares or self.seats[one].facing]
        deciding = [number for number in self.here if number in pending]
        self.acting: int | None = deciding[0] if deciding else None
        #: The seat of the visitor that may act although nobody waits for it. What another seat at the
        #: same device may do is not shown to the one that decides.
        self.volunteer: int | None = None
        if self.acting is None and self.game is not None and self.running():
            position = self.game.position
            willing = [
                one
                for one in position.volunteers()
                if one in self.here and position.legal_actions(one)
            ]
            self.volunteer = next(iter(willing), None)
        #: The seat whose knowledge the page shows.
        self.looking = next(
            (one for one in (self.acting, self.volunteer, *self.here) if one is not None), None
        )
        self.view = self.game.view(self.looking) if self.game is not None else None

    def face(self) -> str:
        """Who sits in front of a shared device, as the page's script tells them apart."""
        return str(self.looking if self.looking is not None else "nobody") if self.shares else ""

    def position(self) -> str:
        """A name of the position that no other position of this table ever has."""
        number = len(self.game.moves) if self.game is not None else 0
        return f"{self.table.rewound}.{number}"

    def running(self) -> bool:
        """Whether moves can be made."""
        return self.table.status == RUNNING and self.game is not None and not self.game.over

    def hides(self) -> bool:
        """Whether players of this game do not know the same at the moment."""
        game = self.game
        return game is not None and not game.over and game.title.hides(game.options)

    @property
    def title(self) -> Title[Any]:
        """The title, with the table's component data once there is a game."""
        return self.game.title if self.game is not None else kursbuch.title(self.table.title)

    @cached_property
    def voice(self) -> Voice[Any]:
        """What the title says to the visitor."""
        return self.title.voice(self.words)

    def shared(self) -> tuple[object, ...] | None:
        """What the page depends on if it is the same for all who only watch, else None."""
        if self.own or self.table.creator == self.visitor or self.table.deadline is not None:
            return None
        return (
            self.table.id,
            self.table.version,
            len(self.game.moves) if self.game is not None else 0,
            self.words.language,
            self.base_url,
            *(self._heard(seat.number) for seat in self.seats),
        )

    def own_view(self) -> View:
        """The view of the seat that has to decide; refused if the visitor has none."""
        if not self.own:
            raise Forbidden(N_("Only players at this table can do that."))
        if not self.here:
            raise Conflict(N_("Say first who sits in front of this device."))
        if self.acting is None or self.view is None:
            raise Conflict(N_("It is not your turn."))
        return self.view

    # ---- parts of the page

    def table_info(self) -> contexts.TableInfo:
        """The table itself."""
        table, words = self.table, self.words
        options = [
            contexts.Fact(
                words._(option.label),
                words._(option.labels[option.values.index(table.options[option.name])]),
            )
            for option in self.title.options
            if table.options.get(option.name) in option.values
        ]
        url = f"/t/{table.id}"
        return contexts.TableInfo(
            id=table.id,
            url=url,
            link=self.base_url + url,
            title=table.title,
            title_name=self.title.name,
            status=table.status,
            status_label=words._(STATUS[table.status]),
            options=options,
            language=table.language,
            undo=table.undo,
            undo_label=words._(UNDO_POLICIES[table.undo]),
            help=table.help,
            listed=table.listed,
            objection_time=table.objection_seconds,
            objection_name=words._(self.title.asking.time) if self.title.asking else "",
            objection_label=objection_label(words, self.title, table.objection_seconds),
            seed_hash=table.seed_hash,
            seed=table.seed if table.status == FINISHED else None,
            own_data=table.data_hash is not None,
            rules_url=f"/rules/{table.title}",
            record_url=f"{url}/record" if self.may_record() else "",
            check_url=f"{url}/check",
            routes_url=self.routes_url(),
            events_url=f"{url}/events",
            pieces_url=f"{url}/pieces.svg?{self.title.data_hash[:12]}" if self.title.pieces else "",
        )

    def routes_url(self) -> str:
        """Where the best trains on this position are found, empty if that is not possible."""
        table = self.table
        if self.game is None or not table.help or table.data_hash or self.title.planner is None:
            return ""
        return f"/routes/{table.title}?table={table.id}"

    def score(self, number: int) -> str:
        """The score of a seat, a dash if the visitor may not know it."""
        if self.view is None or self.game is None:
            return ""
        return self._score(self.title.scores(self.view.state), number)

    def _score(self, scores: Sequence[int], number: int) -> str:
        if self.hides() and number != self.looking and scores[number] == 0:
            return HIDDEN
        return self.voice.written_score(scores[number])

    def seat_note(self, number: int) -> str:
        """What is always in sight of a seat besides its score."""
        if self.view is None:
            return ""
        return self.voice.seat_note(self.view.state, number)

    def seat_infos(self) -> list[contexts.SeatInfo]:
        """The seats."""
        table, words = self.table, self.words
        winners = table.result["winners"] if table.result else []
        infos = []
        for seat in self.seats:
            mine = seat.owner == self.visitor
            handing_on = mine and seat.token is not None
            infos.append(
                contexts.SeatInfo(
                    number=seat.number,
                    name=seat.name,
                    kind=seat.kind,
                    kind_label=words._(SEAT_KINDS[seat.kind]),
                    bot=words._(bot_label(self.title, seat.bot)) if seat.is_bot else "",
                    is_free=seat.is_free,
                    is_mine=mine,
                    is_turn=seat.number in self.deciding,
                    connected=seat.is_bot or self._heard(seat.number),
                    score=self.score(seat.number),
                    note=self.seat_note(seat.number),
                    hand_on_link=(
                        f"{self.base_url}/t/{table.id}/seat/{seat.token}" if handing_on else ""
                    ),
                    is_winner=seat.number in winners,
                )
            )
        return infos

    def _heard(self, number: int) -> bool:
        seen_at = self.snapshot.seen[number]
        return seen_at is not None and seen_at > now() - PRESENT

    def me(self) -> contexts.Me:
        """The visitor at this table."""
        lobby = self.table.status == LOBBY
        creator = self.table.creator == self.visitor
        free = any(seat.is_free for seat in self.seats)
        return contexts.Me(
            seats=self.own,
            acting=self.acting,
            is_spectator=not self.own,
            is_creator=creator,
            may_start=lobby and not free and (creator or bool(self.own)),
            may_join=lobby and free,
        )

    def events(self, start: int = 0, end: int | None = None) -> list[tuple[int, Event]]:
        """What happened and may be known, with the number of its move."""
        if self.game is None:
            return []
        return [
            (number, event)
            for number, event in self.game.events(self.looking)
            if number >= start and (end is None or number <= end)
        ]

    def log(self, events: Iterable[tuple[int, Event]]) -> list[contexts.LogLine]:
        """What happened, in words."""
        assert self.game is not None
        lines = []
        previous = 0
        for number, event in events:
            reference, url = rule_link(self.title.id, event.rule)
            # What follows from a move may be about others than the one who made it.
            own = number != previous
            seat = self.game.moves[number - 1].action.seat if own else None
            previous = number
            text = self.voice.describe(event)
            automatic = (
                0 < number <= len(self.snapshot.moves) and self.snapshot.moves[number - 1][1]
            )
            lines.append(contexts.LogLine(number, text, reference, url, seat, automatic))
        return lines

    def payments(self, events: Sequence[tuple[int, Event]]) -> list[contexts.SeatPayments]:
        """What every seat received and paid, except where the sum may not be known: the page does not
        do the adding up that the screens of the players prevent."""
        paid: list[list[contexts.PaymentLine]] = [[] for _ in self.seats]
        totals = [self.score(seat.number) for seat in self.seats]
        for number, event in events:
            if not isinstance(event, Payment) or not any(event.amounts):
                continue
            reference, url = rule_link(self.title.id, event.rule)
            text = self.voice.describe(event)
            for seat, value in enumerate(event.amounts):
                if value and totals[seat] != HIDDEN:
                    written = self.voice.written_score(value)
                    paid[seat].append(
                        contexts.PaymentLine(number, text, written, value, reference, url)
                    )
        return [
            contexts.SeatPayments(seat.number, seat.name, total, lines)
            for seat, total, lines in zip(self.seats, totals, paid, strict=True)
        ]

    def board(self) -> Markup:
        """The board with the last move pointed out."""
        if self.game is None or self.view is None:
            return Markup("")
        number = len(self.game.moves)
        return self._board(self.view, number, self.table.revision)

    def _board(self, view: View, number: int, revision: int) -> Markup:
        assert self.game is not None
        # After taking back, a move number can stand for another position: `revision` tells them apart.
        whose = view.seat if view.state is not self.game.state else None
        key = (self.table.id, self.table.seed_hash, revision, number, whose)
        return BOARDS.draw(key, view, self.words, self.marks(number))

    def marks(self, number: int) -> list[str]:
        """The elements of the board to point out after a move."""
        assert self.game is not None
        if number == 0:
            return []
        events = self.game.moves[number - 1].events
        return self.title.marks([event for event in events if visible_to(event, self.looking)])

    def panels(self, state: Any) -> list[contexts.PanelInfo]:
        """What everybody holds."""
        return [
            contexts.PanelInfo(
                panel.title,
                panel.seat,
                [contexts.PanelRow(row.label, row.value, row.key, row.note) for row in panel.rows],
                panel.pieces,
            )
            for panel in self.voice.panels(state)
        ]

    def grids(self, state: Any) -> list[Grid]:
        """What is better read in rows and columns."""
        return self.voice.tables(state)

    def choices(self) -> list[dict[str, Any]]:
        """What the acting seat may do, or one that may act although nobody waits for it."""
        if self.view is None or (self.acting is None and self.volunteer is None):
            return []
        return [self._choice(choice, self.view) for choice in self.view.legal_actions()]

    def _choice(self, choice: Possible, view: View) -> dict[str, Any]:
        pick = self.voice.pick(view.state, choice.action)
        amounts = choice.amount
        return {
            "action": self.title.action_to_json(choice.action),
            "keys": list(pick.keys),
            "label": pick.label,
            "group": pick.group,
            "several": pick.several,
            "amount": amounts
            and {
                "field": choice.action.AMOUNT,
                "low": amounts.low,
                "high": amounts.high,
                "step": amounts.step,
            },
            "confirm": self.title.irrevocable(choice.action),
            "ask": self.voice.amount_label(choice.action) if amounts else "",
            "compose": msgspec.to_builtins(self.voice.compose(view.state, choice.action)),
        }

    def prompt(self) -> str:
        """What is to be done now, in one sentence."""
        words = self.words
        if self.table.status == LOBBY:
            free = sum(seat.is_free for seat in self.seats)
            if free:
                return words.ngettext("{n} seat is still free.", "{n} seats are still free.", free)
            return words._("Everybody is here: the game can begin.")
        if self.table.status == CLOSED and self.game is not None:
            return words._("The game was ended without a result.")
        if self.table.status == CLOSED:
            return words._("This table is closed.")
        if self.table.status == FINISHED:
            return words._("The game is over.")
        if self.acting is not None and self.view is not None:
            for decision in self.view.pending:
                if decision.seat == self.acting:
                    return self.voice.prompt(self.view.state, decision)
        return self.waiting_sentence()

    def may_also(self) -> str:
        """What introduces the choices of somebody nobody waits for."""
        if self.volunteer is None or not self.choices():
            return ""
        if len(self.own) > 1:
            return self.words._("{name} may also:", name=self.seats[self.volunteer].name)
        return self.words._("You may also:")

    def thinking(self) -> bool:
        """Whether only the computer has to decide."""
        return bool(self.deciding) and all(self.seats[seat].is_bot for seat in self.deciding)

    def waiting_sentence(self) -> str:
        """For whom the table waits."""
        if not self.deciding:
            return ""
        names = self.words.join([self.seats[seat].name for seat in self.deciding])
        if self.thinking():
            return self.words.ngettext(
                "{names} is thinking …", "{names} are thinking …", len(self.deciding), names=names
            )
        return self.words._("Waiting for {names}.", names=names)

    def chat(self) -> list[contexts.ChatLine]:
        """The chat."""
        return [
            contexts.ChatLine(
                name=self.seats[line.seat].name,
                seat=line.seat,
                text=line.text,
                time=line.sent_at.isoformat(timespec="seconds"),
                is_mine=line.seat in self.own,
            )
            for line in self.snapshot.chat
        ]

    def undo(self) -> contexts.Undo:
        """Taking back."""
        words, request = self.words, self.snapshot.undo
        target = undo_target(self.table, self.seats, self.snapshot.moves, self.visitor)
        others = self._others()
        asks = others and target is not None and asks_for_undo(self.table, self.game, target)
        by = self.seats[request.seat] if request is not None else None
        pending = by is not None and self.table.status == RUNNING
        mine = pending and by is not None and by.owner == self.visitor
        sentence = ""
        if mine:
            sentence = words._("You have asked to take back; the others have not all answered yet.")
        elif pending and by is not None and request is not None:
            moves = self.table.number - request.target
            sentence = words.ngettext(
                "{name} would like to take back the last move.",
                "{name} would like to take back the last {n} moves.",
                moves,
                name=by.name,
            )
        return contexts.Undo(
            allowed=target is not None and not pending,
            label=words._("Ask to take back") if asks else words._("Take back"),
            pending=pending,
            by=by.name if by is not None and pending else "",
            sentence=sentence,
            may_answer=bool(
                pending
                and not mine
                and self.own
                and request is not None
                and self.visitor not in request.agreed
            ),
            is_mine=mine,
        )

    def _others(self) -> bool:
        """Whether other people play at other devices."""
        return any(seat.owner not in (None, self.visitor) for seat in self.seats)

    def ending(self) -> contexts.Ending:
        """Ending the game without a result."""
        words, request = self.words, self.snapshot.end
        pending = request is not None and self.table.status == RUNNING
        mine = pending and request is not None and self.seats[request.seat].owner == self.visitor
        sentence = ""
        if mine:
            sentence = words._(
                "You have asked to end the game; the others have not all answered yet."
            )
        elif pending and request is not None:
            sentence = words._(
                "{name} would like to end the game without a result.",
                name=self.seats[request.seat].name,
            )
        return contexts.Ending(
            allowed=bool(self.own) and self.running() and not pending,
            asks=self._others(),
            pending=pending,
            sentence=sentence,
            may_answer=bool(
                pending
                and not mine
                and self.own
                and request is not None
                and self.visitor not in request.agreed
            ),
            is_mine=mine,
        )

    def curtain(self) -> contexts.Curtain | None:
        """What is shown instead of anybody's secrets while a shared device is handed over."""
        if not self.shares or self.here:
            return None
        words = self.words
        due = [one for one in self.own if one in self.deciding]
        if len(due) == 1:
            sentence = words._("Hand the device to {name}.", name=self.seats[due[0]].name)
        else:
            sentence = words._("Who sits in front of this device now?")
        return contexts.Curtain(
            sentence=sentence,
            people=[
                contexts.CurtainSeat(
                    one, words._("I am {name}", name=self.seats[one].name), one in due
                )
                for one in sorted(self.own, key=lambda one: one not in due)
            ],
            is_due=bool(due),
        )

    def objection(self) -> contexts.Objection:
        """The offer to object that is open now."""
        words, asking = self.words, self.title.asking or Asking()
        standing = [
            contexts.Refusal(
                row.seat,
                self.seats[row.seat].name,
                row.subject,
                words._(asking.standing, subject=self.voice.subject(row.subject)),
            )
            for row in self.snapshot.refusals
            if row.seat in self.here
        ]
        subject, mine = "", False
        if self.running() and self.view is not None:
            for decision in self.view.pending:
                refusal = self.title.standing_refusal(self.view.state, decision)
                if refusal is None:
                    continue
                if not subject or decision.seat == self.acting:
                    subject = refusal[0]
                mine = mine or decision.seat == self.acting
        left = None
        if subject and self.table.deadline is not None:
            left = max(0.0, round((self.table.deadline - GRACE - now()).total_seconds(), 1))
        sentence = ""
        if mine:
            said = (asking.mine, asking.silence if left is not None else "")
            sentence = " ".join(words._(text) for text in said if text)
        elif subject and self.view is not None:
            asked = [self.seats[decision.seat].name for decision in self.view.pending]
            sentence = self.voice.others_asked(asked)
        return contexts.Objection(
            is_offer=bool(subject),
            mine=mine,
            subject=subject,
            never=words._(asking.never, subject=self.voice.subject(subject)),
            seconds_left=left,
            sentence=sentence,
            never_ask=any(row.seat == self.acting and row.subject == subject for row in standing),
            standing=standing,
        )

    def result(self) -> contexts.ResultInfo | None:
        """How the game ended."""
        if self.game is None or self.game.result is None:
            return None
        result = self.game.result
        order = sorted(range(len(result.scores)), key=lambda seat: -result.scores[seat])
        ranking = [
            contexts.RankLine(
                place=1 + sum(score > result.scores[seat] for score in result.scores),
                seat=seat,
                name=self.seats[seat].name,
                score=self.voice.written_score(result.scores[seat]),
                note=self.seat_note(seat),
                is_winner=seat in result.winners,
            )
            for seat in order
        ]
        winners = [self.seats[seat].name for seat in result.winners]
        return contexts.ResultInfo(winners_sentence(self.words, winners), winners, ranking)

    # ---- whole pages

    def table_page(self, whole_log: bool = False) -> contexts.TablePage:
        """The table."""
        events = self.events()
        earlier = 0 if whole_log else max(0, len(events) - SHOWN_LOG)
        info = self.table_info()
        return contexts.TablePage(
            table=info,
            seats=self.seat_infos(),
            me=self.me(),
            version=self.table.version,
            number=len(self.game.moves) if self.game is not None else 0,
            position=self.position(),
            board_svg=self.board(),
            prompt=self.prompt(),
            may_also=self.may_also(),
            status=self.voice.status(self.view.state) if self.view is not None else "",
            waiting_for=[self.seats[seat].name for seat in self.deciding],
            waiting_sentence=self.waiting_sentence(),
            thinking=self.thinking(),
            choices=self.choices(),
            panels=self.panels(self.view.state) if self.view is not None else [],
            grids=self.grids(self.view.state) if self.view is not None else [],
            log=self.log(events[earlier:]) if self.game is not None else [],
            log_earlier=earlier,
            payments=self.payments(events),
            chat=self.chat(),
            undo=self.undo(),
            ending=self.ending(),
            curtain=self.curtain(),
            shares_device=self.shares,
            face=self.face(),
            objection=self.objection(),
            hint_allowed=self.table.help and self.acting is not None,
            result=self.result(),
            share_link=info.link,
            link_is_local=is_local(self.base_url.partition("://")[2]),
        )

    def history_page(self, number: int) -> contexts.HistoryPage:
        """The board after so many moves."""
        view = self.view_at(number)
        last = len(self.game.moves) if self.game is not None else 0
        url = f"/t/{self.table.id}/at/"
        scores = self.title.scores(view.state)
        return contexts.HistoryPage(
            id=self.table.id,
            title=self.title.id,
            title_name=self.title.name,
            n=number,
            last=last,
            board_svg=self.board_at(number),
            log=self.log(self.events(number, number)),
            panels=self.panels(view.state),
            grids=self.grids(view.state),
            scores=[
                contexts.Fact(
                    seat.name,
                    self._score(scores, seat.number),
                )
                for seat in self.seats
            ],
            first_url=f"{url}0" if number > 0 else "",
            previous_url=f"{url}{number - 1}" if number > 0 else "",
            next_url=f"{url}{number + 1}" if number < last else "",
            last_url=f"{url}{last}" if number < last else "",
        )

    def view_at(self, number: int) -> View:
        """The view after so many moves."""
        if self.game is None:
            raise Conflict(N_("The game has not begun yet."))
        state = self.game.at(number).state
        return View(self.title, self.title.view(state, self.looking), self.looking, self.game.names)

    def board_at(self, number: int) -> Markup:
        """The board after so many moves, with that move pointed out."""
        assert self.game is not None
        if number == len(self.game.moves):
            return self.board()
        return self._board(self.view_at(number), number, self.table.revision)

    def hint(self, ranked: Sequence[tuple[dict[str, Any], float]]) -> contexts.HintCard:
        """What the computer would do, and how much it prefers that to the next best choices."""
        view = self.own_view()
        words, title, voice = self.words, self.title, self.voice
        possible = view.legal_actions()

        def label(data: dict[str, Any]) -> str:
            action = title.action_from_json(data)
            text = voice.pick(view.state, action).label
            if not any(choice.amount and choice.covers(action) for choice in possible):
                return text
            value = words.number(getattr(action, action.AMOUNT))
            what = voice.amount_label(action)
            if what:
                return words._("{action} ({what}: {amount})", action=text, what=what, amount=value)
            return words._("{action}: {amount}", action=text, amount=value)

        best, value = ranked[0]
        noise = hints.noise(view, [other for _, other in ranked])
        others = [
            contexts.HintLine(label(data), self._behind(value - other, noise))
            for data, other in ranked[1:4]
        ]
        why = words._("It is the only thing you can do.")
        if len(ranked) == 1 and len(possible) > 1:
            why = words._("The computer sees nothing else that gains anything.")
        elif len(ranked) > 1:
            gap = value - ranked[1][1]
            if gap <= noise:
                why = words._("The computer thinks the next best choice is about as good.")
            elif hints.rounded(gap) > 0:
                why = words._(
                    "The computer thinks it is worth about {amount} more than the next best choice.",
                    amount=voice.written_score(hints.rounded(gap)),
                )
            else:
                why = words._(
                    "The computer thinks it is a little better than the next best choice."
                )
        return contexts.HintCard(
            label=label(best),
            sentence=words._("The computer would choose: {action}", action=label(best)),
            why=why,
            keys=list(voice.pick(view.state, title.action_from_json(best)).keys),
            position=self.position(),
            action_json=_json(best),
            others=others,
        )

    def _behind(self, gap: float, noise: float) -> str:
        if gap <= noise:
            return self.words._("about as good")
        if hints.rounded(gap) <= 0:
            return self.words._("a little worse")
        return self.words._(
            "about {amount} worse", amount=self.voice.written_score(hints.rounded(gap))
        )

    def record(self) -> str:
        """The record of the game; one that tells secrets only when nobody can use them any more."""
        if self.game is None:
            raise Refused(N_("The game has not begun yet."))
        if not self.may_record():
            raise Conflict(
                N_("The record of this game tells secrets; it can be saved when the game is over.")
            )
        return self.game.record()

    def may_record(self) -> bool:
        """Whether the record can be given out now."""
        return self.game is not None and not (self.running() and self.hides())

    def check_page(self) -> contexts.CheckPage:
        """The seed, checked after the end."""
        if self.table.status != FINISHED or self.game is None:
            raise Conflict(N_("The seed stays secret until the game is over."))
        try:
            self.game.verify_seed(self.table.seed)
            passed = self.game.seed_hash == self.table.seed_hash
            sentence = self.words._("Every draw of the game comes from the seed.")
        except KursbuchError as error:
            passed, sentence = False, error.text(self.words)
        return contexts.CheckPage(
            id=self.table.id,
            table_url=f"/t/{self.table.id}",
            title_name=self.title.name,
            seed=self.table.seed,
            seed_hash=self.table.seed_hash,
            draws=len(self.game.draws()),
            passed=passed,
            sentence=sentence,
        )


def _json(data: object) -> str:
    return msgspec.json.encode(data).decode()


# ---- rules


def rule_card(words: Words, title: Title[Any], rule: Rule) -> contexts.RuleCard:
    """One rule."""
    index, language = title.rules, words.language
    reference, url = rule_link(title.id, rule.id)
    example = rule.example

    def links(ids: Iterable[str]) -> list[contexts.Fact]:
        return [contexts.Fact(f"{title.id}:{id_}", f"/rules/{title.id}/{id_}") for id_ in ids]

    return contexts.RuleCard(
        id=rule.id,
        reference=reference,
        title=title.id,
        title_name=title.name,
        url=url,
        kind=words._(RULE_KINDS[rule.kind]),
        section=rule.in_language("section", language),
        text=rule.text(language),
        source=words._(SOURCES[rule.source]),
        ambiguity=rule.in_language("ambiguity", language),
        ruling=rule.in_language("ruling", language),
        ruling_source=words._(SOURCES[rule.ruling_source]) if rule.ruling_source else "",
        given=example.in_language("given", language) if example else "",
        expect=example.in_language("expect", language) if example else "",
        table_head=rule.headings(language),
        table_rows=[[written(cell) for cell in row] for row in rule.table(language)],
        depends=links(rule.depends),
        dependents=links(other.id for other in index.dependents(rule.id)),
    )


def rules_page(words: Words, title: Title[Any], query: str) -> contexts.RulesPage:
    """All rules of a title, or those that contain the words of the query."""
    index: RuleIndex = title.rules
    language = words.language
    rules = list(index.search(query)) if query else list(index)
    sections: dict[str, list[contexts.RuleCard]] = {}
    for rule in rules:
        name = rule.in_language("section", language)
        sections.setdefault(name, []).append(rule_card(words, title, rule))
    components = [
        contexts.Fact(part.in_language("name", language), words.number(part.count))
        for part in index.components
    ]
    return contexts.RulesPage(
        title=title.id,
        title_name=title.name,
        edition=index.game.in_language("edition", language),
        designer=index.game.designer,
        query=query,
        sections=[contexts.RuleSection(name, cards) for name, cards in sections.items()],
        components=[] if query else components,
    )
