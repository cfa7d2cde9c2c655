"""Checks the shape of `mlac explain --json`, and that its numbers agree with each other."""

import json
import sys

explained = json.load(open(sys.argv[1]))
assert explained["attention"] == "decode" and explained["target"] == "sm_90"
assert "q bf16" in explained["defaults"]
limits = explained["limits"]
assert limits["smemPerCtaBytes"] == 227 * 1024 and limits["registersPerThread"] == 255

roles = [kernel["role"] for kernel in explained["kernels"]]
assert roles == ["attention", "attention", "attention", "combine", "schedule", "convert", "merge"], roles
for kernel in explained["kernels"]:
    resources = kernel["resources"]
    for key in ("registers", "spillBytes", "stackBytes", "smemBytes"):
        assert key in resources, key
    assert resources["smemBytes"] <= limits["smemPerCtaBytes"]
    if kernel["role"] != "attention":
        continue
    # An SM holds as many CTAs as the schedule's budget was cut for; without NVRTC nobody knows.
    cut_for = int(kernel["schedule"].split("ctas_per_sm=")[1].split()[0])
    assert (kernel["residentCtas"] is None) == (resources["registers"] is None)
    assert kernel["residentCtas"] is None or kernel["residentCtas"] >= cut_for, kernel["entry"]
    at = 0
    for section in kernel["smem"]:
        assert section["offsetBytes"] == at, section
        at += section["bytes"]
    assert at == resources["dynamicSmemBytes"]

predicted = explained["predicted"]
assert predicted["context"] == 4096
token = predicted["token"]
assert token["keys"] == 256 and token["cacheBytes"] == 256 * 1152
assert token["flops"] == 2 * 8 * 256 * (576 + 512)
points = predicted["points"]
assert [point["ns"] for point in points] == sorted(point["ns"] for point in points)
for point in points:
    assert point["bound"] in ("latency", "memory", "arithmetic")
    assert (point["workspaceBytes"] == 0) == (point["splits"] == 1)
    assert point["gridCtas"] >= point["tokens"]
