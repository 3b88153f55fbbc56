"""An outside program that plays its first legal action, but for one thing that it does wrong.

``misbehaves.py WHAT [AT]``: does WHAT at its decision number AT, counted from 0 over all hands of the process.
"""

import json
import os
import signal
import subprocess
import sys
import time

WHAT, AT = sys.argv[1], int([*sys.argv, "1"][2])
FOREVER = 60.0
READY = {"type": "ready", "protocol": 1, "name": "misbehaves", "version": "0.9"}
taken: list[bytearray] = []
SLEEPER = [sys.executable, "-I", "-S", "-c", f"import time; time.sleep({FOREVER})"]


def say(text: str) -> None:
    print(text, flush=True)


def hoard() -> None:
    """Take 200 MB for good."""
    taken.append(bytearray(200 << 20))
    taken[0][::4096] = b"x" * len(taken[0][::4096])


def misbehave(action: str) -> None:
    """Do WHAT in place of answering."""
    match WHAT:
        case "hang":
            time.sleep(FOREVER)
        case "exit":
            print("I give up", file=sys.stderr)
            sys.exit(7)
        case "raise":
            raise RuntimeError("no idea what to play")
        case "abort":
            os.kill(os.getpid(), signal.SIGABRT)
        case "close-stdout":
            os.close(1)
            time.sleep(FOREVER)
        case "close-stdin":
            os.close(0)
            say(json.dumps({"action": action}))
            time.sleep(FOREVER)
        case "long-line":
            say(json.dumps({"action": action, "why": "because " * 10_000}))
        case "endless-line":
            while True:
                os.write(1, b"x" * 4096)
        case "endless-stderr":
            while True:
                os.write(2, b"lorem ipsum\n" * 4096)
        case "hog":
            hoard()
            time.sleep(FOREVER)
        case "hoard":
            hoard()
            say(json.dumps({"action": action}))
        case "child-hog":
            code = f"import time; h = bytearray(200 << 20); h[::4096] = b'x' * len(h[::4096]); time.sleep({FOREVER})"
            subprocess.Popen([sys.executable, "-I", "-S", "-c", code])
            time.sleep(FOREVER)
        case "orphan":
            child = subprocess.Popen(SLEEPER, stdin=subprocess.DEVNULL)
            print(f"child {child.pid}", file=sys.stderr, flush=True)
            os._exit(3)
        case "twice":
            say(json.dumps({"action": action}) + "\n" + json.dumps({"action": action}))
        case _:
            say(WHAT)


if WHAT == "start-banner":
    say("Misbehaves 0.9, copyright by me")
if WHAT == "start-exit":
    sys.exit("no weights found")
if WHAT == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
if WHAT == "family":
    SLEEPERS = [subprocess.Popen(SLEEPER, stdin=subprocess.DEVNULL) for _ in range(2)]

n_decisions = 0
for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello" if WHAT == "start-hang":
            time.sleep(FOREVER)
        case "hello" if WHAT == "start-version":
            say(json.dumps(READY | {"protocol": 2}))
        case "hello" if WHAT.startswith("ready "):
            say(WHAT.removeprefix("ready "))
        case "hello":
            say(json.dumps(READY))
        case "hand" if WHAT == "talks":
            say("good luck")
        case "result" if WHAT == "gossips":
            say("good game")
        case "move":
            action = message["legal"][0]
            if WHAT == "slow":
                time.sleep(0.05)
            if WHAT == "illegal" and n_decisions == AT:
                action = next(f"PLAY {card}" for card in message["gone"] + message["unseen"])
            if n_decisions == AT and WHAT not in ("slow", "illegal", "stubborn", "talks", "gossips", "family", "none"):
                misbehave(action)
            else:
                say(json.dumps({"action": action}))
            n_decisions += 1
        case "quit" if WHAT == "stubborn":
            time.sleep(FOREVER)
        case "quit":
            break
