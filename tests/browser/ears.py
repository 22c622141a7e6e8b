"""What reaches a browser, for tests of what must stay secret."""

from __future__ import annotations

from playwright.sync_api import Page

#: Keeps what the live updates say, and every answer that a script of the page gets.
LISTENING = """
window.told = [];
window.EventSource = class extends EventSource {
  constructor(...of) {
    super(...of);
    this.addEventListener('changed', event => window.told.push(event.data));
  }
};
const ask = window.fetch;
window.fetch = async (...of) => {
  const answer = await ask(...of);
  window.told.push(answer.clone().text().catch(() => ''));
  return answer;
};
"""

#: What a curious player asks the server for besides, also of moves before the present one.
ASKING = """async ([table, number]) => {
  const paths = [`/api/tables/${table}`, `/t/${table}?log=all`, `/t/${table}/live`, '/'];
  for (const move of [number, number - 1, number >> 1]) {
    paths.push(`/t/${table}?move=${move}`, `/t/${table}/board.svg?move=${move}`);
  }
  await Promise.all(paths.map(path => fetch(path)));
  await fetch(`/t/${table}/hint`, {method: 'POST', body: '{}'});
}"""


class Ear:
    """Hears everything that comes to a page from when it is made."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._heard = ""
        page.add_init_script(LISTENING)
        page.reload()
        page.wait_for_selector("#live")

    def ask(self, number: int) -> None:
        """Look for more, as someone who is curious would."""
        table = self.page.url.rsplit("/", 1)[1]
        self.page.evaluate(ASKING, [table, number])

    def heard(self) -> str:
        """All texts so far, and the page as it is now."""
        told: list[str] = self.page.evaluate("Promise.all(window.told.splice(0))")
        self._heard += "".join(told) + self.page.content()
        return self._heard
