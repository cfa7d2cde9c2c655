"""expect.py CODE [ERROR] COMMAND...: runs a command and checks its exit code.

With ERROR, stdout must be one JSON object whose error has that code and a message.
"""

import json
import subprocess
import sys

code = int(sys.argv[1])
error = sys.argv[2] if sys.argv[2][0] not in "/." else None
command = sys.argv[3 if error else 2 :]
result = subprocess.run(command, capture_output=True, text=True)
if result.returncode != code:
    sys.exit(f"exit code {result.returncode}, expected {code}\n{result.stderr}")
if not result.stderr.strip():
    sys.exit("nothing was said on stderr")
if error:
    found = json.loads(result.stdout)["error"]
    if found["code"] != error or not found["message"]:
        sys.exit(f"error {found}, expected {error}")
elif result.stdout:
    sys.exit("stdout is not empty: " + result.stdout[:200])
