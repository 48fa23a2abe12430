# Reads a report: what was planned, what was skipped, and the largest buffers at the peak.
import json, sys

def at_peak(scope):
    """Sizes and buffers that are live where the load is largest. Buffers in place count once."""
    by_id = {buffer["id"]: buffer for buffer in scope["buffers"]}
    groups = {}
    for buffer in scope["buffers"]:
        first = buffer
        while first["in_place_with"] is not None:
            first = by_id[first["in_place_with"]]
        groups.setdefault(first["id"], []).append(buffer)
    peak = []
    for position in sorted({start for b in scope["buffers"] for start, _ in b["live"]}):
        live = []
        for group in groups.values():
            is_live = lambda b: any(start <= position < end for start, end in b["live"])
            here = [buffer for buffer in group if is_live(buffer)]
            if here:
                live.append((max(buffer["size"] for buffer in group), here[0]))
        if sum(size for size, _ in live) > sum(size for size, _ in peak):
            peak = live
    return sorted(peak, key=lambda pair: -pair[0])

report = json.load(open(sys.argv[1]))
for function in report["functions"]:
    for scope in function["scopes"]:
        print(function["name"], scope["planned_bytes"], "of", scope["naive_bytes"], "bytes")
        peak = at_peak(scope)
        assert sum(size for size, _ in peak) == scope["load_bytes"]
        for size, buffer in peak[:5]:
            print("  at the peak:", size, buffer["type"], buffer["location"])
    for skipped in function["skipped"]:
        print(function["name"], skipped["location"], skipped["reason"])
