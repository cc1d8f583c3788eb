"""Requests read, and errors answered: what is the same for every call."""

import json
import re

from starlette.responses import JSONResponse

MAX_BODY_BYTES = 4_000_000


class Refused(Exception):
    """An error that the caller is told about."""

    def __init__(self, status, code, message, headers=None):
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers or {}


def unprocessable(message):
    return Refused(422, "validation_failed", message)


def forbidden():
    return Refused(403, "forbidden", "this token has no access to that")


def unauthorized(message):
    return Refused(401, "invalid_credential", message, {"WWW-Authenticate": 'Bearer error="invalid_token"'})


def whole_number(request, name, least, most=None, status=422):
    """A query parameter that is a whole number, or None. One of more digits than any sequence stands for a huge one."""
    values = request.query_params.getlist(name)
    if not values:
        return None
    if len(values) > 1 or not re.fullmatch("[0-9]+", values[0]):
        raise Refused(status, "invalid_parameter", f"{name} takes one whole number")
    digits = values[0].lstrip("0") or "0"
    number = int(digits) if len(digits) <= 18 else 10**18
    if number < least or (most is not None and number > most):
        raise Refused(status, "invalid_parameter", f"{name} is out of its range")
    return number


async def body_of(request):
    """The whole body. One that is too large is read to its end all the same, so that the answer is heard."""
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= MAX_BODY_BYTES:
            chunks.append(chunk)
    if size > MAX_BODY_BYTES:
        raise Refused(413, "too_large", f"a body takes {MAX_BODY_BYTES} bytes at most")
    return b"".join(chunks)


def parse_json(body):
    """The value of a body in JSON. Python would read NaN too, which is no JSON."""

    def refuse(name):
        raise ValueError(name)

    try:
        return json.loads(body.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError):
        raise Refused(400, "malformed_json", "the body is not JSON in UTF-8") from None


def json_object(body):
    given = parse_json(body)
    if not isinstance(given, dict):
        raise unprocessable("the body is not an object")
    return given


def error(status, code, message, headers=None):
    return JSONResponse({"error": {"code": code, "message": message, "details": {}}}, status, headers)


async def on_refused(request, refused):
    return error(refused.status, refused.code, refused.message, refused.headers)


async def on_http_exception(request, failure):
    return error(failure.status_code, "http_error", failure.detail, failure.headers)


async def on_failure(request, failure):
    return error(500, "internal", "the call failed")
