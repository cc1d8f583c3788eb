"""Starts the server for the suite: with a fresh workspace, a target file that names it, and a call for the operator."""

import hmac
import json
import os
import secrets
import sys
from argparse import SUPPRESS
from pathlib import Path

from starlette.responses import JSONResponse
from starlette.routing import Route

from server import Service, base_url_of, listen, options, serve
from wire import Refused, body_of, json_object, unauthorized

from . import broken, operator_calls


class Operator:
    """Hooks as calls of the server: POST /admin/{hook}, for whoever can read the file with the token."""

    def __init__(self, service, token):
        self.service = service
        self.token = token
        # Another one after a restart.
        self.instance = secrets.token_hex(8)
        self.is_restarting = False

    async def operate(self, request):
        given = request.headers.get("authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {self.token}".encode()):
            raise unauthorized("this is for the operator")
        name, values = request.path_params["hook"], json_object(await body_of(request))
        if name == "restart":
            self.is_restarting = self.service.should_exit = True
        if name in ("restart", "instance"):
            return JSONResponse({"instance": self.instance})
        if name not in operator_calls.HOOKS:
            raise Refused(404, "not_found", f"there is no hook {name}")
        return JSONResponse(operator_calls.HOOKS[name](self.service, **values) or {})


def write_private(path, value):
    """JSON in a file that nobody else reads, and nobody sees half of."""
    part = path.with_suffix(".part")
    part.touch(mode=0o600)
    part.write_text(json.dumps(value, indent=2))
    part.replace(path)


def target_of(base_url, admin_file, service):
    """A target file (JSON is YAML) with the tokens of a fresh workspace and every hook."""
    made = operator_calls.provision(service)
    first = {name: value for name, value in made.items() if name not in ("agents", "channels", "members", "without", "sharing")}
    command = [sys.executable, str(Path(__file__).with_name("hooks.py")), str(admin_file)]
    hooks = {name: {"command": command, "stays": True} for name in [*operator_calls.HOOKS, "restart"]}
    return {"base_url": base_url} | first | {"hooks": hooks}


def main():
    parser = options()
    parser.add_argument("--target", type=Path, default=Path("conform.yaml"), help="target file to write")
    parser.add_argument("--break", dest="broken", choices=broken.RULES, help="the rule not to keep, one at a time")
    parser.add_argument("--restarted", action="store_true", help=SUPPRESS)
    given = parser.parse_args()

    listener, service = listen(given.port), Service(given.data)
    base_url, admin_file = base_url_of(listener), given.data.with_suffix(".admin").absolute()
    if not given.restarted:
        write_private(admin_file, {"url": f"{base_url}/admin", "token": secrets.token_urlsafe(24)})
        write_private(given.target, target_of(base_url, admin_file, service))
    operator = Operator(service, json.loads(admin_file.read_text())["token"])
    service.app.router.routes.append(Route("/admin/{hook}", operator.operate, methods=["POST"]))
    if given.broken:
        broken.RULES[given.broken](service)
    serve(service, listener)
    if operator.is_restarting:
        listener.close()
        # A new process image on the same port: what is not in the database is gone.
        more = [] if given.restarted else ["--port", base_url.rpartition(":")[2], "--restarted"]
        os.execv(sys.executable, [*sys.orig_argv, *more])


main()
