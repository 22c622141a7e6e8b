"""Parsing of received mails: addresses, moves and bounces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses
from hashlib import sha256
from html.parser import HTMLParser
from unicodedata import normalize

import msgspec

from kursbuch.web.notifications.delivery import is_unknown_mailbox

#: Maximum size of a mail that is read.
MAX_MAIL = 1_000_000

#: Limits on headers, header fields, parts and lines of moves: a hostile mail must not take long.
MAX_HEAD, MAX_FIELD, MAX_PARTS, MAX_LINE = 64_000, 500, 50, 300

#: Maximum number of lines taken for moves.
MAX_LINES = 50

#: Headers with the recipient of a mail, the most reliable first.
_TO = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
_ID = re.compile(r"<[!-;=?-~]{1,240}>")

#: Lines above a quoted text, as mail programs of many languages write them.
_QUOTES = re.compile(
    r"([-=]{2,} ?)?(On .+ wrote:?|Am .+ schrieb.*|Le .+ a écrit ?:?)( ?[-=]{2,})?"
    r"|.* (wrote|schrieb)( am .+)?:"
    r"|-{2,} ?(Original[ -]?(Message|Nachricht)|Ursprüngliche Nachricht|Forwarded message"
    r"|Weitergeleitete Nachricht|Message d'origine).*|_{10,}"
    r"|(Begin forwarded message|Anfang der weitergeleiteten (Nachricht|E-Mail)"
    r"|Début du message (réexpédié|transféré)) ?:"
    r"|\*{0,2}(From|Von|De|Sent|Gesendet|Envoyé) ?:( ?\*{1,2})?( .*)?",
    re.IGNORECASE,
)

#: Greetings and closings of mails.
_GREETING = re.compile(
    r"(hi|hello|hey|dear|good (morning|afternoon|evening|day)|hallo|moin|servus|liebe[rs]?"
    r"|grüß (dich|euch|gott)|guten (morgen|tag|abend))\b.{0,60}",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"((mit )?((ganz|viele|liebe|beste|schöne|herzliche|freundliche)[nm]? ){0,3}"
    r"gr(ü|ue|u)(ß|ss)(en?)?|lg|vg|mfg|(vielen |herzlichen )?dank|danke(schön)?|bis (bald|dann|morgen)"
    r"|tschüss?|servus|ciao|((all|best|kind|many|warm|with|(kind|warm)est) ){0,3}"
    r"(regards|wishes|thanks|the best)|best|cheers|thank you|sincerely|yours|see you|bye)\b.{0,40}"
    # Added by programs and phones.
    r"|(sent (from|with|via)|gesendet (von|mit|aus)|envoyé (de|depuis|avec)"
    r"|(get|holen sie sich|hol dir|obtenez) (outlook|yahoo|proton|gmx|web\.de))\b.*"
    r"|(diese nachricht wurde )?von .+ gesendet",
    re.IGNORECASE,
)

#: White space that HTML collapses.
_SPACE = re.compile(r"[ \t\r\n\f]+")

#: Answer of a mail server, as quoted in a bounce.
_ANSWER = re.compile(r"smtp; ?(5\d\d)[ -](.*)", re.IGNORECASE)
_BEGINS = re.compile(r"([-=]{2,} ?)?(On|Am|Le) \S.*", re.IGNORECASE)


class _ShortFields(policy.EmailPolicy):
    """Headers cut to a readable length."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:MAX_FIELD]


class Received(msgspec.Struct, frozen=True):
    """A received mail: its possible moves, whether a program sent it, its id, and why it bounced."""

    lines: tuple[str, ...]
    automatic: bool
    id: str = ""
    failed: str = ""


def mail_key(content: bytes) -> str:
    """Return the key of a mail: its id, or its contents without one."""
    told = str(_head(content).get("Message-ID", "")).strip()
    return sha256(told.encode("utf-8", "replace") or content).hexdigest()


def _head(content: bytes) -> Message:
    """Return the raw headers of a mail."""
    return BytesHeaderParser(policy=policy.compat32).parsebytes(content[:MAX_HEAD])


def address_secrets(content: bytes) -> tuple[str, ...]:
    """Return the secrets in the addresses a mail went to; nothing else of it is read."""
    head = _head(content)
    given = [str(value) for name in _TO for value in head.get_all(name, ())]
    # The reply address may have a "+" of its own.
    secrets = [address.rpartition("@")[0].rpartition("+")[2] for _, address in getaddresses(given)]
    return tuple(dict.fromkeys(filter(None, secrets)))


def read(content: bytes) -> Received:
    """Parse a mail; its claimed sender plays no part."""
    head = _head(content)
    message = message_from_bytes(content[:MAX_MAIL], policy=_ShortFields())
    assert isinstance(message, EmailMessage)
    automatic = str(head.get("Auto-Submitted", "no")).strip().lower() != "no" or str(
        head.get("Precedence", "")
    ).strip().lower() in ("bulk", "junk", "list", "auto_reply")
    failed = _bounce_reason(message)
    automatic = automatic or message.get_content_type() == "multipart/report"
    lines = () if automatic else tuple(moves_in(_text(message)))
    given_id = str(head.get("Message-ID", "")).strip()
    own_id = given_id if _ID.fullmatch(given_id) else ""
    return Received(lines, automatic, own_id, failed)


def _text(message: EmailMessage) -> str:
    if sum(1 for _ in message.walk()) > MAX_PARTS:
        return ""
    for kind in ("plain", "html"):
        part = message.get_body((kind,))
        text = _decoded(part) if isinstance(part, EmailMessage) else ""
        if isinstance(part, EmailMessage) and part.get_content_subtype() == "html":
            reader = _PageText()
            reader.feed(text)
            text = "".join(reader.parts)
        elif isinstance(part, EmailMessage) and part.get_param("format") == "flowed":
            text = _unwrapped(text, part.get_param("delsp") == "yes")
        if text.strip():
            return text
    return ""


def _decoded(part: EmailMessage) -> str:
    """Return the text of a part; its charset may be missing or wrong."""
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    for charset in (part.get_content_charset("utf-8"), "utf-8"):
        with suppress(LookupError, ValueError):
            return content.decode(charset)
    return content.decode("cp1252", "replace")


def _unwrapped(text: str, joined: bool) -> str:
    """Join the lines that a mail program wrapped (RFC 3676); if `joined`, without the space at the
    break."""
    lines: list[str] = []
    goes_on = False
    for raw in text.splitlines():
        line = raw.removeprefix(" ")
        fixed = line == "-- " or line.startswith(">")
        if goes_on and not fixed:
            lines[-1] += line
        else:
            lines.append(line)
        goes_on = line.endswith(" ") and not fixed
        if goes_on and joined:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)


def moves_in(text: str) -> list[str]:
    r"""Return the lines of a mail without quotations, signature, greeting and closing.

    >>> moves_in("Builds K16\n\nAm Mo., 3. März 2026 um 10:12 schrieb Kursbuch <a@b>:\n> builds K17")
    ['Builds K16']
    >>> moves_in("> old\n* takes London\n-- \nAnna")
    ['takes London']
    >>> moves_in("Hallo zusammen,\n\ntakes  London.\n\nViele Grüße\nAnna")
    ['takes London']

    Who writes nothing above what he quotes may have written below all of it:

    >>> moves_in("Am Mo., 3. März 2026 um 10:12 schrieb Kursbuch <a@b>:\n> builds K17\n\nbuilds K16")
    ['builds K16']
    """
    text = normalize("NFC", text).replace("\u00a0", " ").replace("\t", " ")
    lines = [line[:MAX_LINE] for line in text.splitlines()]
    above = _own_lines(lines)
    if not all(map(_GREETING.fullmatch, above)):
        return above
    last = max((n for n, line in enumerate(lines, 1) if line.strip().startswith(">")), default=None)
    return (_own_lines(lines[last:]) if last else []) or above


def _own_lines(lines: Sequence[str]) -> list[str]:
    """Return the lines written above a quotation of the whole mail."""
    found: list[str] = []
    for number, raw in enumerate(lines):
        line = raw.strip()
        if raw.rstrip("\r\n") in ("-- ", "--") or line == "--":
            break
        # The line that introduces a quotation may be broken in two.
        both = f"{line} {lines[number + 1].strip()}" if number + 1 < len(lines) else line
        if _QUOTES.fullmatch(line) or (_BEGINS.fullmatch(line) and _QUOTES.fullmatch(both)):
            break
        # An introduction in any other language.
        if line.endswith(":") and next(filter(None, lines[number + 1 :]), "").startswith(">"):
            break
        if not line or line.startswith((">", "|")):
            continue
        line = "".join(char for char in line.removeprefix("* ") if char.isprintable())
        line = " ".join(line.split()).removesuffix(".").rstrip()
        if found and _CLOSING.fullmatch(line):
            break
        if line:
            found.append(line[:200])
    # A mail with nothing but a greeting is refused with it.
    begins = len(found) > 1 and _GREETING.fullmatch(found[0]) is not None
    return found[begins:][:MAX_LINES]


def _bounce_reason(message: EmailMessage) -> str:
    """Return why an address does not exist, or an empty text if the mail does not say so."""
    if message.get_content_type() != "multipart/report":
        return ""
    for part in message.walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        for block in part.get_payload() if isinstance(part.get_payload(), list) else ():
            if not hasattr(block, "get"):
                continue
            action = str(block.get("Action", "")).strip().lower()
            status = str(block.get("Status", "")).strip()
            said = " ".join(str(block.get("Diagnostic-Code", status)).split())[:MAX_LINE]
            answer = _ANSWER.match(said)
            # Some mail servers only quote the answer of another one.
            if answer is not None and status.startswith("5.0."):
                unknown = is_unknown_mailbox(int(answer[1]), answer[2])
            else:
                unknown = is_unknown_mailbox(0, status)
            if action == "failed" and unknown:
                return said
    return ""


class _PageText(HTMLParser):
    """The text of an HTML page, with a line in place of each quotation."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._quoted = 0
        self._as_written = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self._quoted = 0  # a head need not be closed
        self._as_written += tag == "pre"
        if tag in ("blockquote", "style", "script", "head"):
            self._quoted += 1
            if tag == "blockquote":
                self.parts.append("\n>\n")
        elif tag in ("br", "div", "p", "li", "tr"):
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._as_written -= tag == "pre"
        if tag in ("blockquote", "style", "script", "head"):
            self._quoted = max(0, self._quoted - 1)
        elif tag in ("div", "p", "li", "tr"):
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._quoted:
            self.parts.append(data if self._as_written > 0 else _SPACE.sub(" ", data))
