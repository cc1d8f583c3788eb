import json
import subprocess
from pathlib import Path

import pytest

# conform.yaml of this folder names the server and its credentials; CONFORM_… variables override it. More options go here.
command = ["npx", "--no", "--", "conform", "--quiet", "--out", "-"]
run = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, encoding="utf-8")
events = [json.loads(line) for line in run.stdout.split("\n") if line]
checks = [event for event in events if event["type"] == "check"]
findings = [event for event in events if event["type"] == "finding"]


@pytest.mark.parametrize("check", checks, ids=lambda check: check["check"])
def test_check(check):
    fails = ("failed", "warned") if events[0]["profile"]["strict"] else ("failed",)
    broken = {each["clause"] for each in check["clauses"] if each["verdict"] in fails and "known" not in each}
    if not check.get("isScored", True):
        pytest.skip("not scored")
    if broken:
        again = f"npx conform --check {check['check']}"
        pytest.fail("\n\n".join([check["title"], *evidence(broken), again]), pytrace=False)
    if check["verdict"] not in ("passed", "warned"):
        pytest.skip(" | ".join(reasons(check["clauses"])))


def test_run():
    """Red too where no check is: when nothing was concluded, or an entry of the baseline no longer holds."""
    if run.returncode != 0:
        pytest.fail(run.stderr, pytrace=False)


def evidence(broken):
    """What was expected, what came, and the requests that show it, of each finding about these clauses."""
    for each in findings:
        if broken & {each["clause"], *(also["clause"] for also in each.get("clauses", []))}:
            lines = [f"{each['clause']}: {each['text']}", f"expected {each['expected']}", f"got {each['actual']}"]
            yield "\n  ".join(lines + [exchange["curl"] for exchange in each["exchanges"] if "curl" in exchange])


def reasons(clauses):
    """Why clauses came to no verdict, or may fail, each reason once."""
    names = ("known", "inapplicable", "reason", "enable")
    told = ("; ".join(each[name] for name in names if name in each) for each in clauses)
    return dict.fromkeys(reason for reason in told if reason)
