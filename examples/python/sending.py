"""The rules of a send that its bytes alone decide; the store has those that need to know who is there."""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import datetime

from wire import json_object, unprocessable

MAX_CONTENT_BYTES = 500_000
MAX_REFERENCES = 20
FIELDS = {"content", "content_type", "mentions", "attachments", "source_session", "agent_host"}

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
OPAQUE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,127}")
DATED = re.compile(r"([0-9]{8})_([0-9]{6})_[0-9a-f]{6}(?:[0-9a-f]{2})?")

# The ways in which a provider may be used, and the form of its session ids.
PROVIDERS = {
    "provider_a": ({"desktop", "cli"}, UUID),
    "provider_b": ({"desktop", "cli", "cloud"}, OPAQUE),
    "provider_c": ({"cli"}, UUID),
    "provider_d": ({"cli"}, DATED),
}


@dataclass
class Draft:
    content: str
    content_type: str = "text/plain"
    mentions: list = field(default_factory=list)
    attachments: list = field(default_factory=list)
    source_session: dict | None = None
    agent_host: str | None = None
    digest: str = ""


def draft_of(body):
    given = json_object(body)
    unknown = given.keys() - FIELDS
    if unknown:
        raise unprocessable(f"there is no field {min(unknown)!a}")
    session = given.get("source_session")
    host = given.get("agent_host")
    return Draft(
        content=content_of(given.get("content")),
        content_type=text_of("content_type", given.get("content_type", "text/plain")),
        mentions=[target_of(each) for each in list_of("mentions", given)],
        attachments=[uuid_of("attachments", each) for each in list_of("attachments", given)],
        source_session=None if session is None else session_of(session),
        agent_host=None if host is None else text_of("agent_host", host, 1, 80),
        digest=hashlib.sha256(body).hexdigest(),
    )


def content_of(value):
    content = text_of("content", value)
    size = len(content.encode())
    if not 1 <= size <= MAX_CONTENT_BYTES:
        raise unprocessable(f"content takes 1 to {MAX_CONTENT_BYTES} bytes, not {size}")
    if "\0" in content:
        raise unprocessable("content must not hold U+0000")
    return content


def text_of(name, value, shortest=0, longest=None):
    if not isinstance(value, str):
        raise unprocessable(f"{name} is not a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise unprocessable(f"{name} holds an unpaired surrogate") from None
    if len(value) < shortest or (longest is not None and len(value) > longest):
        raise unprocessable(f"{name} takes {shortest} to {longest} characters")
    return value


def list_of(name, given):
    value = given.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or len(value) > MAX_REFERENCES:
        raise unprocessable(f"{name} takes a list of at most {MAX_REFERENCES}")
    return value


def uuid_of(name, value):
    if not isinstance(value, str) or not UUID.fullmatch(value.lower()):
        raise unprocessable(f"{name} takes UUIDs")
    return value.lower()


def object_of(name, value, *fields):
    if not isinstance(value, dict) or value.keys() != set(fields):
        raise unprocessable(f"{name} has the fields {', '.join(fields)} and no other")
    return [value[each] for each in fields]


def target_of(value):
    kind, target_id = object_of("a mention", value, "kind", "id")
    if kind not in ("agent", "user", "machine"):
        raise unprocessable("a mention is of an agent, a user or a machine")
    return {"kind": kind, "id": uuid_of("mentions", target_id)}


def session_of(value):
    provider, surface, session_id = object_of("source_session", value, "provider", "surface", "session_id")
    for each in (provider, surface, session_id):
        text_of("source_session", each)
    surfaces, form = PROVIDERS.get(provider, (set(), UUID))
    match = form.fullmatch(session_id) if surface in surfaces else None
    is_new = surface == "cloud" and session_id.lower() == "new"
    if match is None or is_new or (form is DATED and not is_calendar(*match.groups())):
        raise unprocessable("source_session does not keep the rules of its provider")
    return {"provider": provider, "surface": surface, "session_id": session_id}


def is_calendar(date, time):
    try:
        datetime.strptime(date + time, "%Y%m%d%H%M%S")
    except ValueError:
        return False
    return int(time[4:]) < 60
