"""All rows of the database, wherever they are defined: whoever takes `Base` from here knows them all."""

from __future__ import annotations

from kursbuch.web.accounts import models as people
from kursbuch.web.admin import models as administration
from kursbuch.web.db.models import Base
from kursbuch.web.notifications import models as messages

__all__ = ["Base", "administration", "messages", "people"]
