"""expect_finding.py KIND COMMAND...: `mlac run --on simt --json` must end with one finding of that kind."""

import json
import subprocess
import sys

kind, command = sys.argv[1], sys.argv[2:]
result = subprocess.run(command, capture_output=True, text=True)
assert result.returncode == 3, (result.returncode, result.stderr)
run = json.loads(result.stdout)
assert not run["passed"] and run["tensors"] == []
(finding,) = run["simt"]["findings"]
assert finding["kind"] == kind and finding["summary"], finding
assert finding["kernel"] == run["kernel"] and finding["seed"] == run["simt"]["orderSeed"]
assert len(finding["places"]) == 2
for place in finding["places"]:
    assert place["who"] and place["what"] and place["lines"], place
assert finding["summary"] in result.stderr
