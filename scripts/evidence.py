#!/usr/bin/env python3
"""Writes the tables of docs/performance.md's section "sm_120 by evidence" anew, between its two marks.

usage: evidence.py --mlac PATH [--print]

Needs NVRTC and nvdisasm (tools/setup provides both), no GPU. --print writes to stdout and leaves the page alone.
"""

import argparse
import pathlib
import sys

import standard

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "performance.md"
BEGIN = "<!-- written by scripts/evidence.py -->\n"
END = "<!-- end of what scripts/evidence.py writes -->\n"
TARGET = "sm_120"
CONTEXT = 32768
# Kinds of `kernels[].sass` that share a column.
MIX = {
    "HMMA": ("mma",),
    "LDSM": ("loadMatrix",),
    "LDSM.T": ("loadMatrixTrans",),
    "MOVM": ("moveMatrix",),
    "LDS, STS": ("loadShared", "storeShared"),
    "LDG, STG": ("loadGlobal", "storeGlobal"),
    "async": ("asyncCopy",),
    "LDL, STL": ("local",),
    "MUFU": ("special",),
    "SHFL": ("exchange",),
    "BAR": ("barrier",),
    "FP32": ("float",),
    "integer": ("integer",),
    "move": ("move",),
    "control": ("control",),
}


def table(head, rows):
    lines = ["| " + " | ".join(map(str, cells)) + " |" for cells in (head, *rows)]
    lines.insert(1, "|" + " --- |" * len(head))
    return "\n".join(lines) + "\n"


def attention_kernels(explained):
    for one in explained:
        yield from (kernel for kernel in one["kernels"] if kernel["role"] == "attention")


def budgets(explained):
    rows = []
    for kernel in attention_kernels(explained):
        schedule, resources = standard.schedule_of(kernel), kernel["resources"]
        rows.append(
            (
                kernel["entry"],
                " x ".join(schedule[key] for key in ("head_groups", "dim_splits", "key_slices")),
                resources["registers"],
                resources["spillBytes"],
                resources["smemBytes"],
                schedule["stages"],
                kernel["residentCtas"],
            )
        )
    head = ("kernel", "warps", "registers", "bytes spilled", "bytes of smem", "slots", "CTAs an SM")
    return table(head, rows)


def mixes(explained):
    rows = []
    for kernel in attention_kernels(explained):
        whole, loop = kernel["sass"], kernel["sass"]["keyLoop"]
        counts = [sum(loop[kind] for kind in kinds) for kinds in MIX.values()]
        rows.append((kernel["entry"], *counts, loop["total"], whole["total"]))
    return table(("kernel", *MIX, "loop", "whole kernel"), rows)


def roofs(explained, gpu):
    """Of the GPU at that place of the list."""
    rows = []
    for one in explained:
        points = one["predicted"]["gpus"][gpu]["points"]
        cells = (
            f"{point['predictedNs'] / 1e3:.1f} ({point['overRoof']:.2f} x {point['roofNs'] / 1e3:.1f})"
            for point in points
        )
        rows.append((one["attention"], *cells))
    batches = [f"b={point['batch']}" for point in explained[0]["predicted"]["gpus"][gpu]["points"]]
    return table(("us", *batches), rows)


def evidence(mlac):
    options = ("-a", TARGET, "--context", str(CONTEXT), "--sass", "--gpu", "all")
    explained = [standard.explain(mlac, variant, *options) for variant in standard.VARIANTS]
    first = explained[0]
    if not first["compiledBy"] or not first["disassembledBy"]:
        sys.exit("NVRTC and nvdisasm are needed; tools/setup provides them")
    text = f"Budgets, {first['compiledBy']} for {TARGET}:\n\n{budgets(explained)}\n"
    text += f"Instructions of the loop over keys, by {first['disassembledBy']}:\n\n{mixes(explained)}\n"
    text += f"Predicted (times the roof), {CONTEXT} keys a request:\n"
    for place, gpu in enumerate(first["predicted"]["gpus"]):
        text += (
            f"\n{gpu['gpu']}: {gpu['sms']} SMs, {gpu['attainedBytesPerNs']:g} bytes/ns of "
            f"{gpu['peakBytesPerNs']:g}, {gpu['tensorTflops']:g} TFLOP/s; {gpu['trust']}.\n\n"
            f"{roofs(explained, place)}"
        )
    return text


def main():
    parser = argparse.ArgumentParser(description="Rewrite the tables of docs/performance.md.")
    parser.add_argument("--mlac", required=True)
    parser.add_argument("--print", action="store_true", dest="only_print")
    arguments = parser.parse_args()
    text = evidence(arguments.mlac)
    if arguments.only_print:
        print(text, end="")
        return
    page = PAGE.read_text()
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        sys.exit(f"{PAGE} lacks the marks that the tables stand between")
    before, rest = page.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
