#!/usr/bin/env python3
"""Budgets of the standard kernels on sm_120 as they were reviewed: tests/golden/budgets.txt.

usage: budgets.py --mlac PATH [--rebase]

Compares them with what mlac generates now; --rebase writes them instead. Registers, spills and residency depend on
NVRTC, so they are compared only where NVRTC is the release that the file names, and that is said.
"""

import argparse
import difflib
import pathlib
import sys

import standard

FILE = pathlib.Path(__file__).resolve().parent.parent / "tests" / "golden" / "budgets.txt"
TARGET = "sm_120"
COLUMNS = ("kernel", "threads", "smem", "slots", "cut for", "registers", "spilled", "resident")
OF_NVRTC = 3  # the last columns
HEAD = f"# {TARGET}, compiled by "


def row_of(kernel):
    schedule = standard.schedule_of(kernel)
    resources = kernel["resources"]
    known = (resources["registers"], resources["spillBytes"], kernel["residentCtas"])
    return (
        kernel["entry"],
        kernel["threads"],
        resources["dynamicSmemBytes"],
        schedule.get("stages", "-"),
        schedule.get("ctas_per_sm", "-"),
        *("?" if value is None else value for value in known),
    )


def line_of(cells):
    return f"{cells[0]:<18}" + "".join(f" {cell:>9}" for cell in cells[1:])


def budgets(mlac):
    """NVRTC's name, or None, and the lines of the table."""
    explained = [standard.explain(mlac, variant, "-a", TARGET) for variant in standard.VARIANTS]
    rows = [row_of(kernel) for one in explained for kernel in one["kernels"]]
    return explained[0]["compiledBy"], [line_of(cells) for cells in (COLUMNS, *rows)]


def without_nvrtc(line):
    """A line less the columns that depend on NVRTC."""
    return line[: -10 * OF_NVRTC]


def compare(nvrtc, lines):
    if not FILE.is_file():
        sys.exit(f"{FILE} is missing; write it with scripts/rebase")
    head, *old = FILE.read_text().splitlines()
    reviewed = head.removeprefix(HEAD)
    if nvrtc != reviewed:
        print(f"registers are of {reviewed} and are not compared with those of {nvrtc or 'no NVRTC'}")
        old, lines = map(without_nvrtc, old), map(without_nvrtc, lines)
    difference = list(difflib.unified_diff(list(old), list(lines), "reviewed", "now", lineterm=""))
    if difference:
        sys.exit("\n".join([*difference, "if that is meant, run scripts/rebase and review the change"]))


def main():
    parser = argparse.ArgumentParser(description="Compare or rewrite the budgets.")
    parser.add_argument("--mlac", required=True)
    parser.add_argument("--rebase", action="store_true")
    arguments = parser.parse_args()
    nvrtc, lines = budgets(arguments.mlac)
    if not arguments.rebase:
        compare(nvrtc, lines)
    elif nvrtc is None:
        sys.exit("budgets are rewritten with an NVRTC only, as they hold its registers")
    else:
        FILE.write_text("\n".join([HEAD + nvrtc, *lines]) + "\n")


if __name__ == "__main__":
    main()
