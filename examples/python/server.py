#!/usr/bin/env python3
"""Serves the agent-facing messaging contract with Starlette and SQLite."""

import argparse
import asyncio
import base64
import binascii
import contextlib
import hmac
import json
import os
import re
import secrets
import socket
import sys
import time
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import operator_hooks
from sending import Refused, draft_of, parse_json, text_of, unprocessable, uuid_of
from store import Store, digest_of, file_of

MAX_BODY_BYTES = 4_000_000
MAX_WAIT_S = 30
BREAKABLE = ("author", "idempotency", "expired", "deleted", "membership")


class Service:
    """The store, and what is forgotten when the server stops."""

    def __init__(self, store, admin_token, broken):
        self.store = store
        self.admin_token = admin_token
        self.broken = broken
        self.instance = secrets.token_hex(8)
        self.buckets = {}
        self.waiting = {}
        self.let_in = set()
        self.server = None
        self.is_restarting = False

    # Who is asking

    def credential(self, request):
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        found = self.store.one("select * from credentials where digest = ?", digest_of(token))
        if scheme.lower() != "bearer" or found is None or found["revoked"] or self.is_expired(found):
            raise Refused(
                401, "invalid_credential", "a valid bearer token is needed", {"WWW-Authenticate": 'Bearer error="invalid_token"'}
            )
        self.take_turn(found["digest"])
        return found

    def is_expired(self, credential):
        return credential["expires_at"] is not None and credential["expires_at"] < time.time() and self.broken != "expired"

    def take_turn(self, digest):
        """Counts a request against the rate of its credential, where it has one."""
        if digest not in self.buckets:
            return
        rate, tokens, at = self.buckets[digest]
        tokens = min(max(1, rate), tokens + (time.monotonic() - at) * rate)
        self.buckets[digest] = rate, tokens - (tokens >= 1), time.monotonic()
        if tokens < 1:
            raise Refused(429, "rate_limited", "too many requests with this token", {"Retry-After": "1"})

    def agent(self, request):
        agent = self.store.row("agents", self.credential(request)["agent_id"])
        human = agent and self.store.row("humans", agent["human_id"])
        is_member = agent is not None and agent["has_access"] and (human is None or human["active"])
        if not is_member and not (self.broken == "membership" and agent and agent["id"] in self.let_in):
            raise forbidden()
        self.let_in.add(agent["id"])
        return agent

    def channel(self, request):
        """The agent, and the id of the channel in the path."""
        agent = self.agent(request)
        channel = self.store.row("channels", request.path_params["channel_id"].lower())
        if channel is None or channel["workspace_id"] != agent["workspace_id"]:
            raise forbidden()
        return agent, channel["id"]

    # The calls

    async def health(self, request):
        return JSONResponse({"status": "ok"})

    async def capabilities(self, request):
        return JSONResponse({"mentions": True, "receipts": True, "files": True, "overview": True})

    async def list_channels(self, request):
        agent = self.agent(request)
        return JSONResponse({"items": self.channels_of(agent["workspace_id"])})

    def channels_of(self, workspace_id):
        rows = self.store.all("select * from channels where workspace_id = ? order by id", workspace_id)
        return [channel_of(row) for row in rows]

    async def list_mentions(self, request):
        agent = self.agent(request)
        known = {"after", "limit"}
        if request.query_params.keys() - known:
            raise Refused(400, "unknown_parameter", "only after and limit are parameters here")
        after = whole_number(request, "after", 0, None, 400)
        limit = whole_number(request, "limit", 1, 100, 400)
        rows, page = self.store.mentions(agent, after, 50 if limit is None else limit)
        mentions = [
            {"id": row["id"], "sequence": row["event"], "message": self.store.shown(row)} for row in rows
        ]
        return JSONResponse({"mentions": mentions, "page": page}, headers={"X-Service-Agent-ID": agent["id"]})

    async def send(self, request):
        agent, channel_id = self.channel(request)
        key = request.headers.get("idempotency-key", "")
        if not 1 <= len(key) <= 200:
            raise unprocessable("the header Idempotency-Key takes 1 to 200 characters")
        draft = draft_of(await body_of(request))
        message = self.store.send(agent, channel_id, key, draft)
        for waiter in self.waiting.pop(channel_id, ()):
            waiter.set()
        return JSONResponse(message, 201)

    async def read_channel(self, request):
        _, channel_id = self.channel(request)
        after = whole_number(request, "after", 0) or 0
        limit = whole_number(request, "limit", 1, 100) or 50
        wait = min(whole_number(request, "wait", 0) or 0, MAX_WAIT_S)
        deadline = time.monotonic() + wait
        while True:
            rows, page = self.store.read(channel_id, after, limit)
            left = deadline - time.monotonic()
            if rows or left <= 0 or self.server.should_exit:
                return JSONResponse({"items": [self.store.shown(row) for row in rows], "page": page})
            waiter = asyncio.Event()
            self.waiting.setdefault(channel_id, set()).add(waiter)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(waiter.wait(), left)
            self.waiting.get(channel_id, set()).discard(waiter)

    async def list_receipts(self, request):
        _, channel_id = self.channel(request)
        after = whole_number(request, "after", 0) or 0
        rows, page = self.store.receipts(channel_id, after, whole_number(request, "limit", 1, 100) or 50)
        items = [{"message_id": row["message_id"], "agent_id": row["agent_id"], "kind": "retrieved"} for row in rows]
        return JSONResponse({"items": items, "page": page})

    async def report_receipts(self, request):
        agent, channel_id = self.channel(request)
        given = parse_json(await body_of(request))
        if not isinstance(given, dict) or not isinstance(given.get("message_ids"), list):
            raise unprocessable("message_ids is not a list")
        self.store.report(agent, channel_id, [uuid_of("message_ids", each) for each in given["message_ids"]])
        return Response(status_code=204)

    async def upload(self, request):
        agent = self.agent(request)
        given = parse_json(await body_of(request))
        if not isinstance(given, dict):
            raise unprocessable("the body is not an object")
        filename = text_of("filename", given.get("filename"), 1, 255)
        content_type = text_of("content_type", given.get("content_type"))
        try:
            content = base64.b64decode(text_of("content", given.get("content"), 1), validate=True)
        except binascii.Error:
            raise unprocessable("content is not base64") from None
        file_id = self.store.add_file(agent, filename, content_type, content)
        return JSONResponse(file_of(self.store.row("files", file_id)), 201)

    def file(self, request):
        agent = self.agent(request)
        row = self.store.row("files", request.path_params["file_id"].lower())
        if row is None or row["workspace_id"] != agent["workspace_id"]:
            raise Refused(404, "not_found", "there is no such file")
        return row

    async def show_file(self, request):
        return JSONResponse(file_of(self.file(request)))

    async def download(self, request):
        row = self.file(request)
        if row["status"] != "ready" and self.broken != "deleted":
            raise Refused(404, "not_found", f"the file is {row['status']}")
        return Response(row["content"], headers={"Content-Type": row["content_type"]})

    async def overview(self, request):
        machine = self.store.row("machines", self.credential(request)["machine_id"])
        owner = machine and self.store.row("humans", machine["human_id"])
        wanted = request.path_params["workspace_id"].lower()
        if not machine or machine["workspace_id"] != wanted or not machine["active"] or not owner["active"]:
            raise forbidden()
        workspace = self.store.row("workspaces", wanted)
        members = self.store.all("select * from humans where workspace_id = ? and active order by id", wanted)
        return JSONResponse({
            "workspace": workspace_of(workspace),
            "membership": membership_of(owner),
            "channels": self.channels_of(wanted),
            "members": [member_of(row) for row in members],
        })

    # For the operator

    async def operate(self, request):
        given = request.headers.get("authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {self.admin_token}".encode()):
            raise Refused(401, "invalid_credential", "this is for the operator", {"WWW-Authenticate": "Bearer"})
        name, values = request.path_params["hook"], parse_json(await body_of(request))
        if name == "instance":
            return JSONResponse({"instance": self.instance})
        if name == "restart":
            self.is_restarting = self.server.should_exit = True
            for waiter in [each for waiters in self.waiting.values() for each in waiters]:
                waiter.set()
            return JSONResponse({"instance": self.instance})
        if name == "limit":
            rate = values["per_second"]
            self.buckets.pop(digest_of(values["token"]), None)
            if rate is not None:
                self.buckets[digest_of(values["token"])] = rate, max(1, rate), time.monotonic()
            return JSONResponse({})
        if name not in operator_hooks.HOOKS:
            raise Refused(404, "not_found", f"there is no hook {name}")
        return JSONResponse(operator_hooks.HOOKS[name](self.store, **values))


def forbidden():
    return Refused(403, "forbidden", "this token has no access to that")


def whole_number(request, name, least, most=None, status=422):
    """A query parameter that is a whole number, or None. One of more digits than any sequence stands for a huge one."""
    values = request.query_params.getlist(name)
    if not values:
        return None
    if len(values) > 1 or not re.fullmatch("[0-9]+", values[0]):
        raise Refused(status, "invalid_parameter", f"{name} takes one whole number")
    digits = values[0].lstrip("0") or "0"
    number = int(digits) if len(digits) <= 18 else 10**18
    if number < least or (most is not None and number > most):
        raise Refused(status, "invalid_parameter", f"{name} is out of its range")
    return number


async def body_of(request):
    """The whole body. One that is too large is read to its end all the same, so that the answer is heard."""
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= MAX_BODY_BYTES:
            chunks.append(chunk)
    if size > MAX_BODY_BYTES:
        raise Refused(413, "too_large", f"a body takes {MAX_BODY_BYTES} bytes at most")
    return b"".join(chunks)


def workspace_of(row):
    same = {name: row[name] for name in ("id", "slug", "display_name", "created_at")}
    return same | {"description": "", "updated_at": row["created_at"]}


def channel_of(row):
    return {
        "id": row["id"],
        "workspace_id": row["workspace_id"],
        "slug": row["slug"],
        "display_name": row["slug"].title(),
        "description": "",
        "kind": "shared",
        "is_default": bool(row["is_default"]),
        "created_at": row["created_at"],
        "updated_at": row["created_at"],
        "updated_by_agent_id": row["agent_id"],
    }


def membership_of(row):
    return {
        "id": row["membership_id"],
        "workspace_id": row["workspace_id"],
        "human_user_id": row["id"],
        "role": "owner",
        "status": "active",
        "joined_at": row["joined_at"],
        "created_at": row["joined_at"],
        "updated_at": row["updated_at"],
    }


def member_of(row):
    return {
        "id": row["id"],
        "email": row["email"],
        "first_name": row["name"],
        "last_name": "",
        "role": "owner",
        "status": "active",
        "joined_at": row["joined_at"],
        "updated_at": row["updated_at"],
    }


def error(status, code, message, headers=None):
    return JSONResponse({"error": {"code": code, "message": message, "details": {}}}, status, headers)


async def on_refused(request, refused):
    return error(refused.status, refused.code, refused.message, refused.headers)


async def on_http_exception(request, failure):
    return error(failure.status_code, "http_error", failure.detail, failure.headers)


async def on_failure(request, failure):
    return error(500, "internal", "the call failed")


def app_of(service):
    routes = [
        Route("/health", service.health),
        Route("/capabilities", service.capabilities),
        Route("/v0/channels", service.list_channels),
        Route("/v0/mentions", service.list_mentions),
        Route("/v0/channels/{channel_id}/messages", service.read_channel),
        Route("/v0/channels/{channel_id}/messages", service.send, methods=["POST"]),
        Route("/v0/channels/{channel_id}/receipts", service.list_receipts),
        Route("/v0/channels/{channel_id}/receipts", service.report_receipts, methods=["POST"]),
        Route("/v0/files", service.upload, methods=["POST"]),
        Route("/v0/files/{file_id}", service.show_file),
        Route("/v0/files/{file_id}/content", service.download),
        Route("/v1/human/workspaces/{workspace_id}", service.overview),
        Route("/admin/{hook}", service.operate, methods=["POST"]),
    ]
    handlers = {Refused: on_refused, HTTPException: on_http_exception, Exception: on_failure}
    return Starlette(routes=routes, exception_handlers=handlers)


def write_target(path, base_url, admin_file, made):
    """A target file (JSON is YAML) with the tokens of a first workspace and every hook."""
    script = str(Path(__file__).with_name("hooks.py"))
    names = [*operator_hooks.HOOKS, "limit", "restart"]
    hooks = {name: {"command": [sys.executable, "-B", script, str(admin_file)], "stays": True} for name in names}
    first = {name: value for name, value in made.items() if name not in ("agents", "without")}
    part = path.with_suffix(".part")
    part.touch(mode=0o600)
    part.write_text(json.dumps({"base_url": base_url} | first | {"hooks": hooks}, indent=2))
    part.replace(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--data", type=Path, default=Path("messaging.db"))
    parser.add_argument("--target", type=Path, default=Path("conform.yaml"), help="target file to write for a new database")
    parser.add_argument("--break", dest="broken", choices=BREAKABLE, help="a rule not to keep")
    options = parser.parse_args()

    listener = socket.create_server(("127.0.0.1", options.port), backlog=2048)
    port = listener.getsockname()[1]
    base_url = f"http://127.0.0.1:{port}"
    admin_file = options.data.with_suffix(".admin").absolute()
    is_new = not options.data.exists()
    store = Store(options.data, options.broken)
    if is_new:
        admin_file.touch(mode=0o600)
        admin_file.write_text(json.dumps({"url": f"{base_url}/admin", "token": secrets.token_urlsafe(24)}))
    service = Service(store, json.loads(admin_file.read_text())["token"], options.broken)
    if is_new:
        write_target(options.target, base_url, admin_file, operator_hooks.provision(store))
    service.server = uvicorn.Server(
        uvicorn.Config(app_of(service), log_level="warning", timeout_graceful_shutdown=5)
    )
    print(f"listening on {base_url}", file=sys.stderr, flush=True)
    service.server.run(sockets=[listener])
    store.close()
    if service.is_restarting:
        listener.close()
        # The same process, with everything anew: what was not in the database is gone.
        arguments = ["--port", str(port), "--data", str(options.data), "--target", str(options.target)]
        broken = [] if options.broken is None else ["--break", options.broken]
        os.execv(sys.executable, [sys.executable, __file__, *arguments, *broken])


if __name__ == "__main__":
    main()
