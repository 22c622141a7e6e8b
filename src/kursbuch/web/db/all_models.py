"""All database models, wherever they are defined: import `Base` from here to know every table."""

from __future__ import annotations

from kursbuch.web.accounts import models as people
from kursbuch.web.admin import models as administration
from kursbuch.web.db.models import Base
from kursbuch.web.notifications import models as messages

__all__ = ["Base", "administration", "messages", "people"]
