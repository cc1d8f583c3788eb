"""Workspaces, people, machines, agents, channels and tokens: how they come about and change. No call of the contract does that.

Everything here is reached from `under_test` alone, until your sign-up, your administration or your import calls it.
"""

import secrets
import time

from store import digest_of, new_id, now
from wire import unprocessable

TABLES = {"agent": "agents", "user": "humans", "machine": "machines"}


def new_workspace(store, name):
    workspace_id = new_id()
    return store.insert(
        "workspaces", id=workspace_id, slug=f"{name.lower()}-{workspace_id[-8:]}", display_name=name, created_at=now()
    )


def new_human(store, workspace_id, name):
    return store.insert(
        "humans", id=new_id(), workspace_id=workspace_id, membership_id=new_id(), name=name,
        email=f"{name.lower()}@example.com", joined_at=now(), updated_at=now(),
    )


def new_machine(store, human_id, name):
    workspace_id = store.row("humans", human_id)["workspace_id"]
    return store.insert("machines", id=new_id(), workspace_id=workspace_id, human_id=human_id, name=name)


def new_agent(store, workspace_id, name, human_id=None, machine_id=None, has_access=True):
    return store.insert(
        "agents", id=new_id(), workspace_id=workspace_id, name=name, human_id=human_id, machine_id=machine_id,
        has_access=has_access,
    )


def new_channel(store, workspace_id, slug, agent_id, is_default=False):
    return store.insert(
        "channels", id=new_id(), workspace_id=workspace_id, slug=slug, is_default=is_default, created_at=now(),
        agent_id=agent_id,
    )


def new_token(store, **values):
    """The token is given out here and never again: the store keeps its digest."""
    token = secrets.token_urlsafe(24)
    store.insert("credentials", digest=digest_of(token), **values)
    return token


def revoke(store, token):
    update(store, "credentials", "digest", digest_of(token), revoked=True)


def expire(store, token):
    update(store, "credentials", "digest", digest_of(token), expires_at=time.time() - 1)


def rename(store, kind, principal_id, display_name):
    """Messages that are there keep the name: it was captured when they were written."""
    changed = {"name": display_name} | ({"updated_at": now()} if kind == "user" else {})
    update(store, TABLES[kind], "id", principal_id, **changed)


def give_access(store, agent_id, has_access):
    update(store, "agents", "id", agent_id, has_access=has_access)


def activate_machine(store, machine_id, active):
    update(store, "machines", "id", machine_id, active=active)


def activate_membership(store, human_id, active):
    update(store, "humans", "id", human_id, active=active, updated_at=now())


def delete_file(store, file_id):
    """Its metadata stays with the messages that it is attached to."""
    update(store, "files", "id", file_id, status="deleted")


def update(store, table, key, key_value, **values):
    columns = ", ".join(f"{name} = ?" for name in values)
    changed = store.db.execute(f"update {table} set {columns} where {key} = ?", [*values.values(), key_value])
    if changed.rowcount == 0:
        raise unprocessable(f"nothing in {table} has this {key}")
