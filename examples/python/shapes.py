"""Rows of the store as the JSON that the contract describes; a message is shown by the store, which keeps it as JSON."""

import hashlib


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


def file_of(row):
    return {
        "id": row["id"],
        "workspace_id": row["workspace_id"],
        "filename": row["filename"],
        "content_type": row["content_type"],
        "size_bytes": len(row["content"]),
        "sha256": hashlib.sha256(row["content"]).hexdigest(),
        "status": row["status"],
        "created_at": row["created_at"],
        "uploaded_at": row["created_at"],
        "created_by_agent_id": row["agent_id"],
        "created_by_human_user_id": row["human_id"],
    }
