"""What an operator does for the conformance suite: one function for each of its hooks."""

import base64
import time

import accounts
from accounts import new_agent, new_channel, new_human, new_machine, new_token, new_workspace
from store import digest_of


def provision(service, agents=0, channels=0, members=0):
    """A fresh workspace with one principal for every role, as a target file has them."""
    store = service.store
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
            "channels": [new_channel(store, workspace, f"more-{index}", author) for index in range(channels)],
            "members": len([new_human(store, workspace, f"Member{index}") for index in range(members)]),
            "without": {
                "human": new_token(store, agent_id=new_agent(store, workspace, "bot", None, desk)),
                "machine": new_token(store, agent_id=new_agent(store, workspace, "cloud", ada)),
            },
            "sharing": {
                "human": new_token(
                    store, agent_id=new_agent(store, workspace, "tablet", grace, new_machine(store, grace, "tablet"))
                ),
                "machine": new_token(
                    store, agent_id=new_agent(store, workspace, "guest", new_human(store, workspace, "Edsger"), laptop)
                ),
            },
        }


def revoke(service, token):
    accounts.revoke(service.store, token)


def expire(service, token):
    accounts.expire(service.store, token)


def rename(service, kind, id, display_name):
    accounts.rename(service.store, kind, id, display_name)


def deactivate(service, kind, workspace_id, active, agent_id=None, machine_id=None, human_user_id=None):
    if kind == "access":
        accounts.give_access(service.store, agent_id, active)
    elif kind == "machine":
        accounts.activate_machine(service.store, machine_id, active)
    else:
        accounts.activate_membership(service.store, human_user_id, active)


def file(service, action, id=None, filename="", content_type="", content_base64="", agent_token=""):
    store = service.store
    if action == "delete":
        return accounts.delete_file(store, id)
    credential = store.one("select * from credentials where digest = ?", digest_of(agent_token))
    agent = store.row("agents", credential["agent_id"])
    return {"id": store.add_file(agent, filename, content_type, base64.b64decode(content_base64))}


def limit(service, token, per_second, **_):
    service.access.set_rate(token, per_second)


HOOKS = {each.__name__: each for each in (provision, revoke, expire, rename, deactivate, file, limit)}
