"""Everything that the server remembers, in one SQLite file."""

import hashlib
import json
import os
import secrets
import sqlite3
import time
from contextlib import contextmanager
from datetime import datetime, timezone

from shapes import file_of
from wire import Refused, unprocessable

MAX_PAGE_BYTES = 1_000_000
PREVIEW = 32

SCHEMA = """
create table if not exists workspaces (
  id text primary key, slug text, display_name text, created_at text, last_event integer default 0);
create table if not exists channels (
  id text primary key, workspace_id text, slug text, is_default integer, created_at text, agent_id text,
  last_sequence integer default 0);
create table if not exists humans (
  id text primary key, workspace_id text, membership_id text, name text, email text, active integer default 1,
  joined_at text, updated_at text);
create table if not exists machines (
  id text primary key, workspace_id text, human_id text, name text, active integer default 1);
create table if not exists agents (
  id text primary key, workspace_id text, name text, human_id text, machine_id text, has_access integer default 1);
create table if not exists credentials (
  digest text primary key, agent_id text, machine_id text, expires_at real, revoked integer default 0);
create table if not exists files (
  id text primary key, workspace_id text, filename text, content_type text, content blob, status text,
  created_at text, agent_id text, human_id text);
create table if not exists messages (
  id text primary key, workspace_id text, event integer, channel_id text, sequence integer, author_id text,
  size integer, fixed text, attachments text, unique (channel_id, sequence));
create table if not exists mentions (
  workspace_id text, event integer, target text, primary key (workspace_id, event, target)) without rowid;
create table if not exists idempotency (
  agent_id text, channel_id text, key text, digest text, message_id text,
  primary key (agent_id, channel_id, key)) without rowid;
create table if not exists receipts (
  number integer primary key autoincrement, channel_id text, message_id text, agent_id text, recorded_at integer,
  unique (message_id, agent_id));
create index if not exists events on messages (workspace_id, event);
"""


def now():
    return datetime.now(timezone.utc).isoformat(timespec="microseconds")


def new_id():
    """A UUID of version 7: ids sort by the time at which they were made."""
    number = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    number = number & ~(0xF << 76) | 0x7 << 76
    number = number & ~(0x3 << 62) | 0x2 << 62
    text = f"{number:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def digest_of(token):
    return hashlib.sha256(token.encode()).hexdigest()


class Store:
    def __init__(self, path):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.row_factory = sqlite3.Row
        self.db.executescript("pragma journal_mode = wal; pragma synchronous = normal;" + SCHEMA)
        os.chmod(path, 0o600)

    def close(self):
        self.db.close()

    @contextmanager
    def transaction(self):
        self.db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self.db.execute("rollback")
            raise
        self.db.execute("commit")

    def one(self, query, *values):
        return self.db.execute(query, values).fetchone()

    def all(self, query, *values):
        return self.db.execute(query, values).fetchall()

    def row(self, table, row_id):
        return self.one(f"select * from {table} where id = ?", row_id)

    def insert(self, table, **values):
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        self.db.execute(f"insert into {table} ({names}) values ({marks})", list(values.values()))
        return values.get("id")

    # Sending

    def send(self, agent, channel_id, key, draft):
        """The message that was appended, or the one that this key has sent before."""
        with self.transaction():
            known = self.sent_before(agent, channel_id, key)
            if known is not None:
                if known["digest"] != draft.digest:
                    raise Refused(409, "idempotency_conflict", "this key has sent something else")
                return self.shown(self.row("messages", known["message_id"]))
            self.check_references(agent["workspace_id"], draft)
            message_id = self.append(agent, channel_id, draft)
            self.db.execute(
                "insert or replace into idempotency values (?, ?, ?, ?, ?)",
                (agent["id"], channel_id, key, draft.digest, message_id),
            )
        return self.shown(self.row("messages", message_id))

    def sent_before(self, agent, channel_id, key):
        return self.one(
            "select * from idempotency where agent_id = ? and channel_id = ? and key = ?", agent["id"], channel_id, key
        )

    def check_references(self, workspace_id, draft):
        tables = {"agent": "agents", "user": "humans", "machine": "machines"}
        for target in draft.mentions:
            row = self.row(tables[target["kind"]], target["id"])
            if row is None or row["workspace_id"] != workspace_id:
                raise unprocessable(f"no {target['kind']} {target['id']} is in this workspace")
        for file_id in draft.attachments:
            row = self.row("files", file_id)
            if row is None or row["workspace_id"] != workspace_id or row["status"] != "ready":
                raise unprocessable(f"no file {file_id} is ready in this workspace")

    def append(self, agent, channel_id, draft):
        workspace_id, message_id = agent["workspace_id"], new_id()
        event = self.count_up("workspaces", "last_event", workspace_id)
        sequence = self.count_up("channels", "last_sequence", channel_id)
        size = len(draft.content.encode())
        fixed = {
            "id": message_id,
            "workspace_id": workspace_id,
            "channel_id": channel_id,
            "sequence": sequence,
            "author": self.author_of(agent, draft),
            "content_type": draft.content_type,
            "content": draft.content,
            "size_bytes": size,
            "created_at": now(),
            "mentions": draft.mentions,
        }
        self.insert(
            "messages", id=message_id, workspace_id=workspace_id, event=event, channel_id=channel_id, sequence=sequence,
            author_id=agent["id"], size=size, fixed=json.dumps(fixed), attachments=json.dumps(draft.attachments),
        )
        for target in {f"{each['kind']} {each['id']}" for each in draft.mentions}:
            self.insert("mentions", workspace_id=workspace_id, event=event, target=target)
        return message_id

    def count_up(self, table, column, row_id):
        return self.one(f"update {table} set {column} = {column} + 1 where id = ? returning {column}", row_id)[0]

    def author_of(self, agent, draft):
        human, machine = self.row("humans", agent["human_id"]), self.row("machines", agent["machine_id"])
        author = {
            "id": agent["id"],
            "display_name": agent["name"],
            "agent_host": draft.agent_host,
            "human_user": human and {"id": human["id"], "display_name": human["name"]},
            "machine": machine and {"id": machine["id"], "display_name": machine["name"]},
        }
        return author | ({"source_session": draft.source_session} if draft.source_session else {})

    # Reading

    def shown(self, row):
        files = [file_of(self.row("files", each)) for each in json.loads(row["attachments"])]
        return json.loads(row["fixed"]) | {"attachments": files, "receipts": {"retrieved": self.preview(row)}}

    def preview(self, row):
        """The first who retrieved a message; one more than are shown tells whether there are more."""
        agents = self.retrieved_by(row["id"], row["author_id"], PREVIEW + 1)
        more = {"has_more": True} if len(agents) > PREVIEW else {}
        return {"agent_ids": [each[0] for each in agents[:PREVIEW]]} | more

    def retrieved_by(self, message_id, all_but, limit):
        return self.all(
            "select agent_id from receipts where message_id = ? and agent_id != ? order by recorded_at, agent_id limit ?",
            message_id, all_but, limit,
        )

    def read(self, channel_id, after, limit):
        watermark = self.row("channels", channel_id)["last_sequence"]
        rows = self.all(
            "select *, sequence as position from messages where channel_id = ? and sequence > ? order by sequence limit ?",
            channel_id, min(after, watermark), limit + 1,
        )
        return page_of(rows, limit, max(after, watermark), watermark)

    def mentions(self, agent, after, limit):
        """Rows that mention an agent, its human or its machine; the newest ones where `after` is None."""
        watermark = self.row("workspaces", agent["workspace_id"])["last_event"]
        if after is not None and after > watermark:
            raise Refused(409, "cursor_ahead", f"nothing has a sequence above {watermark} yet")
        targets = [f"agent {agent['id']}", f"user {agent['human_id']}", f"machine {agent['machine_id']}"]
        rows = self.all(
            f"""select *, event as position from messages where workspace_id = ? and event > ? and author_id != ?
            and exists (select 1 from mentions where mentions.workspace_id = messages.workspace_id
              and mentions.event = messages.event and target in (?, ?, ?))
            order by event {'asc' if after is not None else 'desc'} limit ?""",
            agent["workspace_id"], after or 0, agent["id"], *targets, limit + (after is not None),
        )
        return page_of(rows if after is not None else rows[::-1], limit, watermark, watermark)

    # Receipts

    def report(self, agent, channel_id, message_ids):
        with self.transaction():
            for message_id in message_ids:
                message = self.row("messages", message_id)
                if message is None or message["channel_id"] != channel_id:
                    raise unprocessable(f"there is no message {message_id} in this channel")
                self.db.execute(
                    "insert or ignore into receipts (channel_id, message_id, agent_id, recorded_at) values (?, ?, ?, ?)",
                    (channel_id, message_id, agent["id"], time.time_ns() // 1000),
                )

    def receipts(self, channel_id, after, limit):
        watermark = self.one("select coalesce(max(number), 0) from receipts where channel_id = ?", channel_id)[0]
        rows = self.all(
            """select receipts.*, number as position, 0 as size from receipts join messages on messages.id = message_id
            where receipts.channel_id = ? and number > ? and agent_id != author_id order by number limit ?""",
            channel_id, min(after, watermark), limit + 1,
        )
        return page_of(rows, limit, max(after, watermark), watermark)

    # Files

    def add_file(self, agent, filename, content_type, content):
        return self.insert(
            "files", id=new_id(), workspace_id=agent["workspace_id"], filename=filename, content_type=content_type,
            content=content, status="ready", created_at=now(), agent_id=agent["id"], human_id=agent["human_id"],
        )


def page_of(rows, limit, end, watermark):
    """As many rows as a page holds, and the page object; `end` is where a reader stands who has seen them all."""
    size, taken = 0, []
    for row in rows[:limit]:
        size += row["size"]
        if taken and size > MAX_PAGE_BYTES:
            break
        taken.append(row)
    has_more = len(taken) < len(rows)
    next_after = taken[-1]["position"] if has_more else end
    return taken, {"next_after": next_after, "has_more": has_more, "high_watermark": watermark}
