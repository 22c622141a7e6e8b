"""All rows of the database, wherever they are defined: whoever takes `Base` from here knows them all."""

from __future__ import annotations

from kursbuch.web.administration import rows as administration
from kursbuch.web.messages import rows as messages
from kursbuch.web.models import Base
from kursbuch.web.people import rows as people

__all__ = ["Base", "administration", "messages", "people"]
