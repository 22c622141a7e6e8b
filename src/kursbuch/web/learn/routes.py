"""Routes for rules, lessons and guided games."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.core.rulebook import Rule, bare_citation
from kursbuch.core.title import Title
from kursbuch.core.words import N_
from kursbuch.web.http.errors import NotFound, Refused
from kursbuch.web.http.rate_limits import TABLES
from kursbuch.web.http.requests import AnyRequest, carry_out, read, tables_of, who, words_for
from kursbuch.web.http.templating import find_title, page
from kursbuch.web.labels import rule_link
from kursbuch.web.learn import lessons
from kursbuch.web.learn.lessons import aid_page, learn_page
from kursbuch.web.learn.rules import legend_page, rule_card, rules_page
from kursbuch.web.tables.api import table_done


@get("/rules/{title:str}", include_in_schema=False)
async def rules(request: AnyRequest, title: FromPath[str]) -> Template | Redirect:
    """Show all rules of a title, or those that match a query. A citation, in the path or as the
    query, redirects to its rule."""
    words = words_for(request)
    query = request.query_params.get("q", "")[:200]
    if ":" in title:
        name, _, cited = title.partition(":")
        return _to_rule(find_title(bare_citation(name).lower()), cited)
    name, _, cited = bare_citation(query).partition(":")
    other = kursbuch.titles().get(name.lower())
    if other and other.rules.is_citation(cited):
        return _to_rule(other, cited)
    struct = rules_page(words, find_title(title), query)
    return page(request, "rules.html", struct, words)


@get("/rules/{title:str}/{rule:str}", include_in_schema=False)
async def rule(request: AnyRequest, title: FromPath[str], rule: FromPath[str]) -> Template:
    """Show one rule, as a page or as a card for a popup."""
    words = words_for(request)
    found = find_title(title)
    return page(request, "rule.html", rule_card(words, found, _find_rule(found, rule)), words)


def _find_rule(title: Title[Any], citation: str) -> Rule:
    """Return the cited rule of a title."""
    try:
        return title.rules.find(citation)
    except KursbuchError:
        raise NotFound(
            N_("{title} has no rule {rule}."), title=title.name, rule=citation[:60]
        ) from None


def _to_rule(title: Title[Any], citation: str) -> Redirect:
    """Redirect to the page of a cited rule."""
    _, url = rule_link(title.id, _find_rule(title, citation).id)
    return Redirect(url, status_code=HTTP_303_SEE_OTHER)


@get("/learn/{title:str}", include_in_schema=False)
async def learn(request: AnyRequest, title: FromPath[str]) -> Template:
    """Show the lesson of a title."""
    words = words_for(request)
    return page(request, "learn.html", learn_page(words, find_title(title)), words)


@get("/aid/{title:str}", include_in_schema=False)
async def aid(request: AnyRequest, title: FromPath[str]) -> Template:
    """Show the player aid of a title, as a page or as a card for a popup."""
    words = words_for(request)
    return page(request, "aid.html", aid_page(words, find_title(title)), words)


@get("/legend/{title:str}", include_in_schema=False)
async def legend(request: AnyRequest, title: FromPath[str]) -> Template:
    """Show the legend of a title, as a page or as a card for a popup."""
    words = words_for(request)
    return page(request, "legend.html", legend_page(words, find_title(title)), words)


@post("/learn/{title:str}/guide", include_in_schema=False, opt={"cost": TABLES})
async def open_guide_form(request: AnyRequest, title: FromPath[str]) -> Response[Any]:
    """Open a table for a guided first game."""
    sent = await read(request)
    player = sent.text("name").strip() or words_for(request)._("Guest")
    table_id = await lessons.open_guide(tables_of(request), title, who(request).id, player)
    return Redirect(f"/t/{table_id}", status_code=HTTP_303_SEE_OTHER)


@post("/t/{table_id:str}/guide", include_in_schema=False)
async def guide_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Return to the course of the guide, skip rounds, or leave the guide."""
    deeds = {
        "back": lessons.take_back_to_guide,
        "jump": lessons.jump_ahead,
        "leave": lessons.leave_guide,
    }
    deed = deeds.get((await read(request)).text("answer"))
    if deed is None:
        raise Refused(N_("The answer must be back, jump or leave."))
    await carry_out(request, deed, table_id)
    return table_done(request)
