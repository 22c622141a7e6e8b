"""The names of the ways to tell somebody something."""

from __future__ import annotations

from kursbuch.core.words import N_

_CHANNELS = {"mail": N_("By mail"), "push": N_("In the browser"), "webhook": N_("To a program")}
_FORMS = {
    "plain": N_("as signed JSON"),
    "discord": N_("as Discord reads it"),
    "slack": N_("as Slack reads it"),
}


def channel_name(channel: str) -> str:
    """The name of a channel, to be translated."""
    return _CHANNELS[channel]


def form_name(form: str) -> str:
    """The name of the form in which a program is told, to be translated."""
    return _FORMS[form]
