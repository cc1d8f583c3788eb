"""A client of the agent messaging service, and an agent that does what `conform client` asks of one."""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

TRIES = 8
FIRST_PAUSE = 0.1
TIMEOUT = 10
ON_THE_WAY = {502, 503, 504}


class Refused(Exception):
    """The server refused a request, and would do so again."""


class Client:
    def __init__(self, base_url, token):
        self.base_url = base_url
        self.token = token

    def append(self, channel, content):
        """Appends a message. All tries have one key: where only the answer is lost, nothing is written twice."""
        body = {"content": content, "content_type": "text/plain"}
        return self._ask("POST", f"/v0/channels/{channel}/messages", body, str(uuid.uuid4()))

    def mentions(self, after):
        """Yields the pages after a cursor, each with the cursor to go on from. Only has_more says whether there is another."""
        while True:
            answer = self._ask("GET", f"/v0/mentions?after={after}&limit=100")
            page = answer["page"]
            yield answer["mentions"], page["next_after"]
            if not page["has_more"]:
                return
            if page["next_after"] <= after:
                raise RuntimeError(f"the cursor stays at {after}")
            after = page["next_after"]

    def _ask(self, method, path, body=None, key=None):
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers |= {"Content-Type": "application/json", "Idempotency-Key": key}
        data = None if body is None else json.dumps(body).encode()
        for count in range(TRIES):
            request = urllib.request.Request(self.base_url + path, data, headers, method=method)
            pause = FIRST_PAUSE * 2**count * random.uniform(0.5, 1.5)
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                text = error.read().decode(errors="replace")
                if error.code == 429:
                    pause = int(error.headers.get("Retry-After") or 0) or pause
                elif error.code not in ON_THE_WAY:
                    raise Refused(f"{method} {path}: {error.code} {text[:200]}") from error
            except (OSError, http.client.HTTPException, ValueError):
                pass  # Cut on the way: before, within or after the work of the server.
            time.sleep(pause)
        raise RuntimeError(f"{method} {path}: no answer, {TRIES} times")


def follow(client, cursor_file, take):
    """Hands on each mention, the oldest first, and goes on from its cursor after a restart."""
    after = int(cursor_file.read_text()) if cursor_file.exists() else 0
    while True:
        for mentions, next_after in client.mentions(after):
            for mention in mentions:
                take(mention["message"])
            if next_after != after:
                after = next_after
                cursor_file.write_text(str(after))
        time.sleep(0.5)


def main():
    env = os.environ
    client = Client(env["CONFORM_BASE_URL"], env["CONFORM_TOKEN"])
    cursor_file = Path(env["CONFORM_STATE"]) / "cursor"
    match env["CONFORM_TASK"]:
        case "read":
            follow(client, cursor_file, lambda message: print(
                json.dumps({"id": message["id"], "content": message["content"]}), flush=True))
        case "echo":
            follow(client, cursor_file, lambda message: client.append(message["channel_id"], message["content"]))
        case "send":
            for line in sys.stdin:
                client.append(env["CONFORM_CHANNEL"], json.loads(line)["content"])
        case other:
            sys.exit(f"CONFORM_TASK is {other}, and none of read, echo and send")


if __name__ == "__main__":
    main()
