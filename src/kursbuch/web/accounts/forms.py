"""What account routes need of a request."""

from __future__ import annotations

from kursbuch.core.words import N_
from kursbuch.web.accounts.attempts import place
from kursbuch.web.accounts.service import INVITATION, OFF, OPEN, MailContext
from kursbuch.web.http.errors import Forbidden, NotFound, Unauthorized
from kursbuch.web.http.requests import AnyRequest, base_url, is_local, who, words_for
from kursbuch.web.http.security import Person


def registration_of(request: AnyRequest) -> str:
    """How accounts come to be on this server; where there are none, there are no such pages."""
    found = str(request.app.state.accounts)
    if found == OFF:
        raise NotFound(N_("There are no accounts on this server."))
    return found


def may_register(request: AnyRequest) -> bool:
    """Whether people register here by themselves."""
    return registration_of(request) in (OPEN, INVITATION)


def mails(request: AnyRequest) -> bool:
    """Whether this server sends mails."""
    return bool(request.app.state.post.mails)


def letters_to(request: AnyRequest) -> MailContext:
    """How to write to whoever asks. Links begin with the address the server was told, because what a browser
    says the address is may be anybody's."""
    host = request.headers.get("host") or request.url.netloc
    base = str(request.app.state.address) or (base_url(request) if is_local(host) else "")
    if not base:
        raise Forbidden(
            N_(
                "This server does not know its address, so it can send no mails: tell whoever runs it."
            )
        )
    return MailContext(words_for(request), base, who(request).id)


def person(request: AnyRequest) -> Person:
    """Whoever is logged in with this browser. A program with a token can play, but not change the account."""
    registration_of(request)
    found = who(request).account
    if found is None:
        raise Unauthorized(N_("Log in first."))
    if found.session is None:
        raise Forbidden(N_("This is done in the browser, not with a token."))
    return found


def place_of(request: AnyRequest) -> str:
    """Where a request comes from, as attempts are counted."""
    return place(request.client.host if request.client else None)
