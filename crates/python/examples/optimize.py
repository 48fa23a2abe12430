"""Plans a program, and shows what was planned."""

import sys

import memplan

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
try:
    result = memplan.optimize(text, alignment=64, remarks=True)
except memplan.PassError as error:
    for diagnostic in error.diagnostics:
        print(diagnostic.location, diagnostic.id, diagnostic.message)
    sys.exit(1)
print(result.table())
for plan in result.plans:
    for scope in plan["scopes"]:
        print(plan["name"], scope["planned_bytes"], "bytes, at least", scope["lower_bound_bytes"])
