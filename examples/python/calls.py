"""The calls of the contract, in its order: each asks who is there, reads the request, asks the store, and answers."""

import asyncio
import base64
import binascii
import contextlib
import time

from starlette.responses import JSONResponse, Response

from sending import draft_of, text_of, uuid_of
from shapes import channel_of, file_of, member_of, membership_of, workspace_of
from wire import Refused, body_of, json_object, unprocessable, whole_number

DEFAULT_LIMIT = 50
MAX_LIMIT = 100
MAX_WAIT_S = 30


class Calls:
    def __init__(self, store, access):
        self.store = store
        self.access = access
        # By channel: the events that a send sets for those who wait there.
        self.waiting = {}
        self.is_stopping = False

    # Without a token

    async def health(self, request):
        return JSONResponse({"status": "ok"})

    async def capabilities(self, request):
        return JSONResponse({"mentions": True, "receipts": True, "files": True, "overview": True})

    # Mentions

    async def list_mentions(self, request):
        agent = self.access.agent(request)
        if request.query_params.keys() - {"after", "limit"}:
            raise Refused(400, "unknown_parameter", "only after and limit are parameters here")
        after = whole_number(request, "after", 0, None, 400)
        limit = whole_number(request, "limit", 1, MAX_LIMIT, 400)
        rows, page = self.store.mentions(agent, after, DEFAULT_LIMIT if limit is None else limit)
        mentions = [{"id": row["id"], "sequence": row["event"], "message": self.store.shown(row)} for row in rows]
        return JSONResponse({"mentions": mentions, "page": page}, headers={"X-Service-Agent-ID": agent["id"]})

    # The overview of a workspace

    async def overview(self, request):
        machine, owner = self.access.machine(request)
        workspace_id = machine["workspace_id"]
        members = self.store.all("select * from humans where workspace_id = ? and active order by id", workspace_id)
        return JSONResponse({
            "workspace": workspace_of(self.store.row("workspaces", workspace_id)),
            "membership": membership_of(owner),
            "channels": self.channels_of(workspace_id),
            "members": [member_of(row) for row in members],
        })

    def channels_of(self, workspace_id):
        rows = self.store.all("select * from channels where workspace_id = ? order by id", workspace_id)
        return [channel_of(row) for row in rows]

    # Channels and their messages

    async def list_channels(self, request):
        agent = self.access.agent(request)
        return JSONResponse({"items": self.channels_of(agent["workspace_id"])})

    async def send(self, request):
        agent, channel_id = self.access.channel(request)
        key = request.headers.get("idempotency-key", "")
        if not 1 <= len(key) <= 200:
            raise unprocessable("the header Idempotency-Key takes 1 to 200 characters")
        draft = draft_of(await body_of(request))
        message = self.store.send(agent, channel_id, key, draft)
        for waiter in self.waiting.pop(channel_id, ()):
            waiter.set()
        return JSONResponse(message, 201)

    async def read_channel(self, request):
        _, channel_id = self.access.channel(request)
        after, limit = self.position(request)
        deadline = time.monotonic() + min(whole_number(request, "wait", 0) or 0, MAX_WAIT_S)
        while True:
            rows, page = self.store.read(channel_id, after, limit)
            left = deadline - time.monotonic()
            if rows or left <= 0 or self.is_stopping:
                return JSONResponse({"items": [self.store.shown(row) for row in rows], "page": page})
            await self.next_send(channel_id, left)

    def position(self, request):
        return whole_number(request, "after", 0) or 0, whole_number(request, "limit", 1, MAX_LIMIT) or DEFAULT_LIMIT

    async def next_send(self, channel_id, most_s):
        waiter = asyncio.Event()
        self.waiting.setdefault(channel_id, set()).add(waiter)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(waiter.wait(), most_s)
        self.waiting.get(channel_id, set()).discard(waiter)

    def stop_waiting(self):
        """Answers everyone who waits: the server is about to stop."""
        self.is_stopping = True
        for waiter in [each for waiters in self.waiting.values() for each in waiters]:
            waiter.set()

    # Receipts. How they are reported is not in the contract: this is the way of this server.

    async def list_receipts(self, request):
        _, channel_id = self.access.channel(request)
        rows, page = self.store.receipts(channel_id, *self.position(request))
        items = [{"message_id": row["message_id"], "agent_id": row["agent_id"], "kind": "retrieved"} for row in rows]
        return JSONResponse({"items": items, "page": page})

    async def report_receipts(self, request):
        agent, channel_id = self.access.channel(request)
        message_ids = json_object(await body_of(request)).get("message_ids")
        if not isinstance(message_ids, list):
            raise unprocessable("message_ids is not a list")
        self.store.report(agent, channel_id, [uuid_of("message_ids", each) for each in message_ids])
        return Response(status_code=204)

    # Files. These calls too are named by the contract, and not described.

    async def upload(self, request):
        agent = self.access.agent(request)
        given = json_object(await body_of(request))
        filename = text_of("filename", given.get("filename"), 1, 255)
        content_type = text_of("content_type", given.get("content_type"))
        try:
            content = base64.b64decode(text_of("content", given.get("content"), 1), validate=True)
        except binascii.Error:
            raise unprocessable("content is not base64") from None
        file_id = self.store.add_file(agent, filename, content_type, content)
        return JSONResponse(file_of(self.store.row("files", file_id)), 201)

    async def show_file(self, request):
        return JSONResponse(file_of(self.access.file(request)))

    async def download(self, request):
        row = self.access.file(request)
        if not self.is_downloadable(row):
            raise Refused(404, "not_found", f"the file is {row['status']}")
        return Response(row["content"], headers={"Content-Type": row["content_type"]})

    def is_downloadable(self, row):
        return row["status"] == "ready"
