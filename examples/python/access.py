"""Who is asking, and whether they may: looked up again for every request, so that a change counts at once."""

import time

from store import digest_of
from wire import Refused, forbidden, unauthorized


class Access:
    def __init__(self, store):
        self.store = store
        # Of each credential that has a rate: requests a second, requests left, and when that was counted.
        self.buckets = {}

    def credential(self, request):
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        found = self.store.one("select * from credentials where digest = ?", digest_of(token))
        if scheme.lower() != "bearer" or found is None or found["revoked"] or self.is_expired(found):
            raise unauthorized("a valid bearer token is needed")
        self.take_turn(found["digest"])
        return found

    def is_expired(self, credential):
        return credential["expires_at"] is not None and credential["expires_at"] < time.time()

    def agent(self, request):
        """The agent of the token. A machine's token is none, and finds no agent."""
        agent = self.store.row("agents", self.credential(request)["agent_id"])
        if agent is None or not self.is_member(agent):
            raise forbidden()
        return agent

    def is_member(self, agent):
        human = self.store.row("humans", agent["human_id"])
        return bool(agent["has_access"] and (human is None or human["active"]))

    def channel(self, request):
        """The agent, and the id of the channel in the path. One elsewhere is refused as one that does not exist is."""
        agent = self.agent(request)
        channel = self.store.row("channels", request.path_params["channel_id"].lower())
        if channel is None or channel["workspace_id"] != agent["workspace_id"]:
            raise forbidden()
        return agent, channel["id"]

    def file(self, request):
        """The metadata and the content of the file in the path; every agent of its workspace may see it."""
        agent = self.agent(request)
        row = self.store.row("files", request.path_params["file_id"].lower())
        if row is None or row["workspace_id"] != agent["workspace_id"]:
            raise Refused(404, "not_found", "there is no such file")
        return row

    def machine(self, request):
        """The machine of the token and its person, when the path has their workspace."""
        machine = self.store.row("machines", self.credential(request)["machine_id"])
        owner = machine and self.store.row("humans", machine["human_id"])
        wanted = request.path_params["workspace_id"].lower()
        if not machine or machine["workspace_id"] != wanted or not machine["active"] or not owner["active"]:
            raise forbidden()
        return machine, owner

    # Rates

    def set_rate(self, token, per_second):
        """Lets a token make so many requests a second; None lifts the limit."""
        self.buckets.pop(digest_of(token), None)
        if per_second is not None:
            self.buckets[digest_of(token)] = per_second, max(1, per_second), time.monotonic()

    def take_turn(self, digest):
        """Counts a request against the rate of its credential, where it has one."""
        if digest not in self.buckets:
            return
        rate, left, at = self.buckets[digest]
        left = min(max(1, rate), left + (time.monotonic() - at) * rate)
        self.buckets[digest] = rate, left - (left >= 1), time.monotonic()
        if left < 1:
            raise Refused(429, "rate_limited", "too many requests with this token", {"Retry-After": "1"})
