#!/usr/bin/env python3
"""Times mlac and peers written in Python in turn, in one run, on the same inputs, and checks what each one computed.

    python3 bench/compare.py --bundle B --peers DIR --lib libmlac.so --batch 1,4 --context 32768 --json out.jsonl

Prints JSON lines: {"event": "row"} for a contestant and batch (a time, or the "problem" that kept it from one),
"skipped" for an adapter that cannot run here, "done" at the end. --request FILE takes the same settings as one JSON
object (- reads standard input). An adapter that fails is reported and left out; where it takes the CUDA context down
with it, the script starts again without it.

Needs PyTorch and a GPU. Exit codes: 0 done, 1 wrong input, 2 the machine lacks something, 3 outputs of mlac are wrong.
"""

import argparse
import dataclasses
import json
import os
import sys
from typing import Any, NoReturn

EXIT_WRONG_INPUT, EXIT_LACKING, EXIT_MISMATCH = 1, 2, 3


@dataclasses.dataclass
class Request:
    bundle: str = ""
    family: str = ""
    lib: str = ""
    peers: str = ""
    batch: list[int] = dataclasses.field(default_factory=lambda: [1, 4, 16, 64, 128])
    heads: int = 0  # 0: the bundle's; else they must agree
    context: int = 32768
    queries: int = 1
    seed: int = 1
    iterations: int = 20
    rows: int = 8 << 20  # of the pool, at least
    json: str = ""  # a file that takes the lines too
    without: list[str] = dataclasses.field(default_factory=list)  # contestants that brought an earlier start down
    restarted: bool = False


def stop(code: int, message: str) -> NoReturn:
    print(f"compare.py: {message}", file=sys.stderr)
    raise SystemExit(code)


def parse_request() -> Request:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--request", help="JSON file with these settings; - is standard input")
    parser.add_argument("--resume", help=argparse.SUPPRESS)
    parser.add_argument("--batch", default="1,4,16,64,128", help="requests, with commas between")
    for name in ("bundle", "family", "lib", "peers", "json"):
        parser.add_argument("--" + name, default="")
    for field in dataclasses.fields(Request):
        if field.type is int:
            parser.add_argument("--" + field.name, type=int, default=field.default)
    options = parser.parse_args()
    try:
        if options.resume or options.request:
            return Request(**json.loads(options.resume or read_text(options.request)))
        batch = [int(word) for word in options.batch.split(",")]
    except (OSError, ValueError, TypeError) as error:
        stop(EXIT_WRONG_INPUT, f"the request cannot be read: {error}")
    given = {key: value for key, value in vars(options).items() if key not in ("request", "resume", "batch")}
    return Request(batch=batch, **given)


def read_text(path: str) -> str:
    if path == "-":
        return sys.stdin.read()
    with open(path, encoding="utf-8") as file:
        return file.read()


def check(request: Request) -> None:
    request.lib = request.lib or os.environ.get("MLAC_LIBRARY", "")
    for option, value in (("--bundle", request.bundle), ("--lib (or MLAC_LIBRARY)", request.lib)):
        if not value:
            stop(EXIT_WRONG_INPUT, f"{option} is needed")
    if request.peers and not os.path.isdir(request.peers):
        stop(EXIT_WRONG_INPUT, f"--peers {request.peers}: there is no such folder")
    if min([request.context, request.queries, request.iterations, *request.batch]) < 1:
        stop(EXIT_WRONG_INPUT, "batch, context, queries and iterations are at least 1")


class Lines:
    """The product: JSON lines on what was standard output. Whatever else prints goes to standard error."""

    def __init__(self, copy: str, append: bool) -> None:
        self.descriptor = os.dup(1)
        os.dup2(2, 1)
        self.copy = open(copy, "a" if append else "w", encoding="utf-8") if copy else None

    def put(self, event: str, **fields: Any) -> None:
        line = json.dumps({"event": event, **fields}) + "\n"
        os.write(self.descriptor, line.encode())
        if self.copy:
            self.copy.write(line)
            self.copy.flush()

    def give_back(self) -> None:
        os.dup2(self.descriptor, 1)


def main() -> int:
    request = parse_request()
    check(request)
    try:
        import torch
    except ImportError as error:
        stop(EXIT_LACKING, f"{sys.executable} has no PyTorch ({error}); install it, or name another Python")
    if not torch.cuda.is_available():
        stop(EXIT_LACKING, "PyTorch finds no CUDA GPU")
    from compare_run import Comparison

    lines = Lines(request.json, request.restarted)
    try:
        comparison = Comparison(request, lines)
    except (OSError, ValueError, RuntimeError) as error:
        stop(EXIT_WRONG_INPUT, str(error))
    try:
        return EXIT_MISMATCH if comparison.run() else 0
    except torch.cuda.OutOfMemoryError as error:
        reason = str(error).splitlines()[0]
        stop(EXIT_LACKING, f"the pool of rows does not fit; give a smaller --rows, --batch or --context: {reason}")


if __name__ == "__main__":
    raise SystemExit(main())
