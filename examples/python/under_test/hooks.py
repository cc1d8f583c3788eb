#!/usr/bin/env python3
"""The hooks of the conformance suite: hands each call to the operator's interface of the server. Stays for a whole run."""

import json
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

printing = threading.Lock()


def operate(admin, name, given):
    request = urllib.request.Request(f"{admin['url']}/{name}", data=json.dumps(given).encode(), method="POST")
    request.add_header("Authorization", f"Bearer {admin['token']}")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.loads(answer.read())


def restart(admin):
    """Done when another instance answers."""
    before = operate(admin, "restart", {})
    while True:
        try:
            if operate(admin, "instance", {}) != before:
                return {}
        except OSError:
            pass
        time.sleep(0.02)


def answer_of(admin, call):
    try:
        if call["hook"] == "restart":
            return {"output": restart(admin)}
        return {"output": operate(admin, call["hook"], call["input"])}
    except urllib.error.HTTPError as error:
        return {"error": f"{error}: {error.read().decode()}"}
    except OSError as error:
        return {"error": str(error)}


def answer(admin, call):
    line = json.dumps({"id": call["id"]} | answer_of(admin, call)) + "\n"
    with printing:
        sys.stdout.write(line)
        sys.stdout.flush()


def main():
    with open(sys.argv[1]) as file:
        admin = json.load(file)
    # Calls come several at a time, and none should wait for another.
    with ThreadPoolExecutor(max_workers=16) as pool:
        for line in sys.stdin:
            pool.submit(answer, admin, json.loads(line))


main()
