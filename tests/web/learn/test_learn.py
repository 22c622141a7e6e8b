"""Learning: the page to read in five minutes, the player aid, a table with a guided first game."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator, Callable

import httpx
import pytest
import pytest_asyncio

import kursbuch
from kursbuch.core.explain import LEARNER, GuidedGame, guided_game
from kursbuch.core.rulebook import Phrase
from kursbuch.core.words import LANGUAGES
from tests.web.visitors import HTML, Browser

pytestmark = pytest.mark.asyncio(loop_scope="module")

Visit = Callable[..., Browser]

TITLES = [title.id for title in kursbuch.titles().values() if title.lessons is not None]


def course_of(name: str) -> GuidedGame:
    found = guided_game(kursbuch.title(name))
    assert found is not None
    return found


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def at_once(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Computers that no one has to follow."""
    monkeypatch.setattr("kursbuch.web.learn.lessons.GUIDED_PACE", 0.0)
    yield


async def guided(browser: Browser, name: str = "rocket", player: str = "Mia") -> str:
    """Open a table for a guided game and return its path."""
    answer = await browser.client.post(f"/learn/{name}/guide", data={"name": player}, headers=HTML)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def follow(browser: Browser, table: str, found: GuidedGame, upto: int) -> None:
    """Do what the guide says until this number of moves have been made, and go past what it leaves out."""
    while True:
        game = await browser.until(
            table,
            lambda game: bool(
                game["number"] >= upto or game["choices"] or found.jump(game["number"])
            ),
        )
        number = game["number"]
        if number >= upto:
            return
        if jump := found.jump(number):
            said = shown(await browser.page(table))
            assert any(text_of(jump.text, language) in said for language in LANGUAGES)
            await browser.done(f"{table}/guide", answer="jump")
            assert (await browser.game(table))["number"] >= jump.to
            continue
        action = found.game.moves[number].action
        await browser.move(table, found.game.title.action_to_json(action))


def text_of(phrase: Phrase, language: str) -> str:
    """The first paragraph of a text as a page shows it."""
    return " ".join(phrase.text(language).split("\n\n")[0].split())


def shown(page: str) -> str:
    """What the guide says on a page."""
    part = re.search(r'<section class="guide".*?</section>', page, re.S)
    assert part
    return html.unescape(part[0])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TITLES)
async def test_a_game_in_five_minutes(visit: Visit, name: str, language: str) -> None:
    lessons = kursbuch.title(name).lessons
    assert lessons is not None
    page = html.unescape(await visit(language).page(f"/learn/{name}"))
    for chapter in lessons.chapters:
        assert chapter.heading.text(language) in page
    assert page.count("<figure") >= 4
    assert f'action="/learn/{name}/guide"' in page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TITLES)
async def test_the_player_aid_is_a_page_and_a_card(visit: Visit, name: str, language: str) -> None:
    lessons = kursbuch.title(name).lessons
    assert lessons is not None
    browser = visit(language)
    page = html.unescape(await browser.page(f"/aid/{name}"))
    card = (await browser.client.get(f"/aid/{name}", headers={"x-part": "true"})).text
    assert "<body" in page
    assert "<body" not in card
    for section in lessons.aid:
        for line in (section.heading, *section.lines):
            assert line.text(language) in page
            assert line.text(language) in html.unescape(card)


async def test_what_does_not_exist_cannot_be_learned(anna: Browser) -> None:
    assert "1899" in await anna.page("/learn/1899", status=404)
    answer = await anna.client.post("/learn/1899/guide", data={"name": "Mia"}, headers=HTML)
    assert answer.status_code == 404


async def test_games_are_learned_from_the_start_page_and_the_form(anna: Browser) -> None:
    assert 'href="/learn/rocket"' in await anna.page("/")
    assert 'href="/learn/rocket"' in await anna.page("/new?title=rocket")


@pytest.mark.parametrize("name", TITLES)
async def test_a_guided_game_to_its_end(visit: Visit, name: str) -> None:
    browser = visit("en")
    found = course_of(name)
    table = await guided(browser, name)

    async def said() -> dict[str, str]:
        pages = {}
        for language in LANGUAGES:
            browser.client.headers["accept-language"] = language
            pages[language] = shown(await browser.page(table))
        return pages

    for step in found.guide.step:
        await follow(browser, table, found, step.at)
        for language, page in (await said()).items():
            assert step.do.text(language) in page
            assert step.because.text(language) in page
            assert "data-guide-keys" in page
    await follow(browser, table, found, found.guide.stop)
    for language, page in (await said()).items():
        assert text_of(found.guide.summary, language) in page
    game = await browser.game(table)
    assert game["number"] == found.guide.stop


async def test_after_the_guide_the_game_goes_on(anna: Browser) -> None:
    found = course_of("rocket")
    table = await guided(anna)
    await follow(anna, table, found, found.guide.stop)
    assert found.game.at(found.guide.stop).deciders() != (LEARNER,)
    await anna.done(f"{table}/guide", answer="leave")
    await anna.until(table, lambda game: game["number"] > found.guide.stop)
    assert 'class="guide"' not in await anna.page(table)
    await anna.refused(409, f"{table}/guide", answer="leave")
    await anna.done(f"{table}/close")


async def test_another_move_is_allowed_and_can_be_taken_back(anna: Browser) -> None:
    found = course_of("rocket")
    table = await guided(anna)
    await anna.refused(409, f"{table}/guide", answer="back")
    await anna.refused(409, f"{table}/guide", answer="jump")
    await anna.move(table)
    other = await anna.game(table)
    assert other["number"] == 1
    assert "a different move" in shown(await anna.page(table))
    await anna.refused(422, f"{table}/guide", answer="perhaps")
    await anna.done(f"{table}/guide", answer="back")
    assert found.guide.step[0].do.en in shown(await anna.page(table))
    # The computers go on with whatever is played.
    await anna.move(table)
    await anna.done(f"{table}/guide", answer="leave")
    game = await anna.game(table)
    assert game["number"] >= 1
    assert 'class="guide"' not in await anna.page(table)
    await anna.done(f"{table}/close")


async def test_what_is_not_to_be_asked_again_can_be_taken_back(anna: Browser) -> None:
    """Otherwise it would be declined at once again, and again the guide would be left."""
    found = course_of("rocket")
    table = await guided(anna)
    for step in found.guide.step:
        await follow(anna, table, found, step.at)
        page = await anna.page(table)
        if subject := re.search('id="never-ask".*?name="subject" value="(.*?)"', page, re.S):
            break
    assert subject
    await anna.done(f"{table}/never-ask", subject=subject[1], on="1")
    assert "a different move" in shown(await anna.page(table))
    await anna.done(f"{table}/guide", answer="back")
    assert (await anna.game(table))["number"] == step.at
    assert step.do.en in shown(await anna.page(table))
    await anna.done(f"{table}/close")


async def test_the_guide_belongs_to_whoever_is_guided(anna: Browser, bernd: Browser) -> None:
    table = await guided(anna)
    assert 'class="guide"' not in await bernd.page(table)
    await bernd.refused(403, f"{table}/guide", answer="leave")
    assert table not in await bernd.page("/")


async def test_a_new_guided_game_takes_the_place_of_the_last(anna: Browser) -> None:
    first = await guided(anna)
    second = await guided(anna, player="")
    assert (await anna.game(first))["status"] == "closed"
    game = await anna.game(second)
    assert game["seats"][LEARNER]["name"] == "Guest"


async def test_a_name_of_a_computer_is_refused(anna: Browser) -> None:
    answer: httpx.Response = await anna.client.post(
        "/learn/rocket/guide", data={"name": "gooch"}, headers=HTML
    )
    assert answer.status_code == 422
    assert "Two players cannot both be called" in answer.text
