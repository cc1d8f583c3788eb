#!/usr/bin/env python3
"""Serves the agent-facing messaging contract with Starlette and SQLite. Read on in calls.py."""

import argparse
import socket
import sys
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route

from access import Access
from calls import Calls
from store import Store
from wire import Refused, on_failure, on_http_exception, on_refused


class Service(uvicorn.Server):
    """The parts of the server, and the process that serves them until it is told to stop."""

    def __init__(self, data):
        self.store = Store(data)
        self.access = Access(self.store)
        self.calls = Calls(self.store, self.access)
        self.app = app_of(self.calls)
        super().__init__(uvicorn.Config(self.app, log_level="warning", timeout_graceful_shutdown=5))

    async def shutdown(self, sockets=None):
        self.calls.stop_waiting()
        await super().shutdown(sockets)


def app_of(calls):
    routes = [
        Route("/health", calls.health),
        Route("/capabilities", calls.capabilities),
        Route("/v0/mentions", calls.list_mentions),
        Route("/v1/human/workspaces/{workspace_id}", calls.overview),
        Route("/v0/channels", calls.list_channels),
        Route("/v0/channels/{channel_id}/messages", calls.send, methods=["POST"]),
        Route("/v0/channels/{channel_id}/messages", calls.read_channel),
        Route("/v0/channels/{channel_id}/receipts", calls.list_receipts),
        Route("/v0/channels/{channel_id}/receipts", calls.report_receipts, methods=["POST"]),
        Route("/v0/files", calls.upload, methods=["POST"]),
        Route("/v0/files/{file_id}", calls.show_file),
        Route("/v0/files/{file_id}/content", calls.download),
    ]
    handlers = {Refused: on_refused, HTTPException: on_http_exception, Exception: on_failure}
    return Starlette(routes=routes, exception_handlers=handlers)


def listen(port):
    return socket.create_server(("127.0.0.1", port), backlog=2048)


def base_url_of(listener):
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def serve(service, listener):
    print(f"listening on {base_url_of(listener)}", file=sys.stderr, flush=True)
    service.run(sockets=[listener])
    service.store.close()


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--data", type=Path, default=Path("messaging.db"))
    return parser


def main():
    given = options().parse_args()
    serve(Service(given.data), listen(given.port))


if __name__ == "__main__":
    main()
