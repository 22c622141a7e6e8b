"""A mailbox within the test process: as much of IMAP as a reader of mails needs."""

from __future__ import annotations

import asyncio
import re


class ImapBox:
    """Mails by number, and which of them have been seen."""

    def __init__(self) -> None:
        self.mails: list[bytes] = []
        self.seen: set[int] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> str:
        """Begin to answer; returns the address."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return f"imap://play:secret@127.0.0.1:{port}/INBOX"

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"* OK ready\r\n")
        while line := (await reader.readline()).decode().strip():
            tag, _, rest = line.partition(" ")
            answer = self._answer(rest)
            if isinstance(answer, str):
                writer.write(f"{tag} NO {answer}\r\n".encode())
            else:
                writer.write(answer + f"{tag} OK done\r\n".encode())
            await writer.drain()
            if rest == "LOGOUT":
                break
        writer.close()

    def _answer(self, asked: str) -> bytes | str:
        """What is answered, or why it is refused."""
        if asked == "CAPABILITY":
            return b"* CAPABILITY IMAP4rev1\r\n"
        if asked.startswith("LOGIN"):
            return b"" if 'play "secret"' in asked else "wrong password"
        if asked.startswith("SELECT"):
            if "INBOX" not in asked:
                return "no such folder"
            return f"* {len(self.mails)} EXISTS\r\n".encode()
        if asked == "UID SEARCH UNSEEN":
            new = [str(n) for n in range(1, len(self.mails) + 1) if n not in self.seen]
            return f"* SEARCH {' '.join(new)}\r\n".encode()
        if found := re.fullmatch(r"UID FETCH (\d+) \(BODY.PEEK\[\]\)", asked):
            mail = self.mails[int(found[1]) - 1]
            head = f"* {found[1]} FETCH (UID {found[1]} BODY[] {{{len(mail)}}}\r\n"
            return head.encode() + mail + b")\r\n"
        if found := re.match(r"UID STORE (\d+) \+FLAGS", asked):
            self.seen.add(int(found[1]))
            return b""
        return b"* BYE\r\n" if asked == "LOGOUT" else "not understood"
