"""The names of the ways to tell somebody something."""

from __future__ import annotations

import re

from kursbuch.core.words import N_, Words

_CHANNELS = {"mail": N_("By mail"), "push": N_("In the browser"), "webhook": N_("To a program")}
_FORMS = {
    "plain": N_("as signed JSON"),
    "discord": N_("as Discord reads it"),
    "slack": N_("as Slack reads it"),
}


#: What is said on the page after something was done.
NOTICES = {
    "saved": N_("Saved."),
    "tried": N_(
        "A message is on its way; load this page again in a moment to see what has become of it."
    ),
}

#: What is noted of messages that did not arrive (`outside.py`).
_REASONS = (
    (re.compile(r"answered (?P<status>\d+)"), N_("answered {status}")),
    (
        re.compile(r"(?P<host>\S+) is an address of a private network"),
        N_("{host} is an address of a private network"),
    ),
    (re.compile(r"no host (?P<host>\S+): .*", re.DOTALL), N_("there is no host {host}")),
    (re.compile(r"no answer"), N_("no answer")),
)


def reason(words: Words, noted: str) -> str:
    """Why a message did not arrive, in the reader's language where it is one that is known."""
    for pattern, template in _REASONS:
        found = pattern.fullmatch(noted)
        if found is not None:
            return words._(template, **found.groupdict())
    return noted


def channel_name(channel: str) -> str:
    """The name of a channel, to be translated."""
    return _CHANNELS[channel]


def form_name(form: str) -> str:
    """The name of the form in which a program is told, to be translated."""
    return _FORMS[form]
