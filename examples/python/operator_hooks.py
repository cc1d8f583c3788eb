"""What an operator does for the conformance suite: one function for each of its hooks."""

import base64
import time
import secrets

from sending import unprocessable
from store import digest_of, new_id, now

TABLES = {"agent": "agents", "user": "humans", "machine": "machines"}


def provision(store, agents=0):
    """A fresh workspace with one principal for every role, as a target file has them."""
    with store.transaction():
        workspace, elsewhere = new_workspace(store, "Here"), new_workspace(store, "Elsewhere")
        ada, grace = new_human(store, workspace, "Ada"), new_human(store, workspace, "Grace")
        desk, laptop = new_machine(store, ada, "desk"), new_machine(store, grace, "laptop")
        author = new_agent(store, workspace, "author", ada, desk)
        reader = new_agent(store, workspace, "reader", grace, laptop)
        stranger = new_agent(store, elsewhere, "stranger", new_human(store, elsewhere, "Alan"))
        new_channel(store, elsewhere, "general", stranger)
        return {
            "workspace": workspace,
            "channel": new_channel(store, workspace, "general", author, is_default=True),
            "second_channel": new_channel(store, workspace, "random", author),
            "roles": {
                "author": new_token(store, agent_id=author),
                "reader": new_token(store, agent_id=reader),
                "peer": new_token(store, agent_id=new_agent(store, workspace, "peer", grace, laptop)),
                "stranger": new_token(store, agent_id=stranger),
                "outsider": new_token(store, agent_id=new_agent(store, workspace, "outsider", has_access=False)),
                "expired": new_token(store, agent_id=reader, expires_at=time.time() - 3600),
                "revoked": new_token(store, agent_id=reader, revoked=True),
                "api_key": new_token(store, agent_id=new_agent(store, workspace, "key", ada)),
                "machine": new_token(store, machine_id=laptop, expires_at=time.time() + 86400),
            },
            "agents": [
                new_token(store, agent_id=new_agent(store, workspace, f"agent {index}")) for index in range(agents)
            ],
            "without": {
                "human": new_token(store, agent_id=new_agent(store, workspace, "bot", None, desk)),
                "machine": new_token(store, agent_id=new_agent(store, workspace, "cloud", ada)),
            },
        }


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
    token = secrets.token_urlsafe(24)
    store.insert("credentials", digest=digest_of(token), **values)
    return token


def update(store, table, key, key_value, **values):
    columns = ", ".join(f"{name} = ?" for name in values)
    changed = store.db.execute(f"update {table} set {columns} where {key} = ?", [*values.values(), key_value])
    if changed.rowcount == 0:
        raise unprocessable(f"nothing in {table} has this {key}")
    return {}


def revoke(store, token):
    return update(store, "credentials", "digest", digest_of(token), revoked=True)


def expire(store, token):
    return update(store, "credentials", "digest", digest_of(token), expires_at=time.time() - 1)


def rename(store, kind, id, display_name):
    changed = {"name": display_name} | ({"updated_at": now()} if kind == "user" else {})
    return update(store, TABLES[kind], "id", id, **changed)


def deactivate(store, kind, workspace_id, active, agent_id=None, machine_id=None, human_user_id=None):
    if kind == "access":
        return update(store, "agents", "id", agent_id, has_access=active)
    if kind == "machine":
        return update(store, "machines", "id", machine_id, active=active)
    return update(store, "humans", "id", human_user_id, active=active, updated_at=now())


def file(store, action, id=None, filename="", content_type="", content_base64="", agent_token=""):
    if action == "delete":
        return update(store, "files", "id", id, status="deleted")
    credential = store.one("select * from credentials where digest = ?", digest_of(agent_token))
    agent = store.row("agents", credential["agent_id"])
    return {"id": store.add_file(agent, filename, content_type, base64.b64decode(content_base64))}


HOOKS = {each.__name__: each for each in (provision, revoke, expire, rename, deactivate, file)}
