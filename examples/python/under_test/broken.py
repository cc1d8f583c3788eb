"""Rules to break, one at a time, so that you see the suite name each. What breaks one replaces a method of the server."""


def author(service):
    """The preview of receipts shows the author of the message too."""
    kept = service.store.retrieved_by
    service.store.retrieved_by = lambda message_id, all_but, limit: kept(message_id, "", limit)


def idempotency(service):
    """Each key is new."""
    service.store.sent_before = lambda agent, channel_id, key: None


def expired(service):
    """Tokens last for ever."""
    service.access.is_expired = lambda credential: False


def deleted(service):
    """Deleted files can be downloaded."""
    service.calls.is_downloadable = lambda row: True


def membership(service):
    """Who was let in once stays in."""
    kept, let_in = service.access.is_member, set()

    def is_member(agent):
        if kept(agent):
            let_in.add(agent["id"])
        return agent["id"] in let_in

    service.access.is_member = is_member


RULES = {each.__name__: each for each in (author, idempotency, expired, deleted, membership)}
