# Reads a report: what was planned, and what was skipped.
import json, sys

report = json.load(open(sys.argv[1]))
for function in report["functions"]:
    for scope in function["scopes"]:
        print(function["name"], scope["planned_bytes"], "of", scope["naive_bytes"], "bytes")
    for skipped in function["skipped"]:
        print(function["name"], skipped["location"], skipped["reason"])
