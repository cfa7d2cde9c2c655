"""Checks the instruction mixes of `mlac explain --sass --json`."""

import json
import sys

explained = json.load(open(sys.argv[1]))
assert explained["disassembledBy"].startswith("nvdisasm "), explained["disassembledBy"]
for kernel in explained["kernels"]:
    entry, whole = kernel["entry"], kernel["sass"]
    loop = whole["keyLoop"]
    assert whole["local"] == 0, f"{entry} has {whole['local']} instructions on local memory"
    kinds = whole.keys() - {"total", "keyLoop"}
    assert whole["total"] == sum(whole[kind] for kind in kinds) > 0, entry
    if kernel["role"] != "attention":
        assert whole["mma"] == 0 and loop is None, entry
        continue
    assert loop is not None, f"{entry} has no loop with tensor-core products"
    assert all(loop[kind] <= whole[kind] for kind in kinds), entry
    for kind in ("mma", "loadMatrix", "loadMatrixTrans", "asyncCopy"):
        assert loop[kind] > 0, f"{entry} has no {kind} in its loop over keys"
    # Keys lie on the M side, so a product never waits for more than one ldmatrix.
    assert loop["loadMatrix"] + loop["loadMatrixTrans"] <= loop["mma"], entry
