#!/usr/bin/env python3
"""Costs of each network at several budgets of fast memory: curves.py PLUGIN [--svg FILE] [NETWORK]...

The machine, and the options of `memplan`, are those of budgets.py. Of a function, there are nine budgets, from what its
operations need to what all buffers would take. A cell of the table is the cost, of that at the last budget; after a slash
is the lower bound, where the cost is not proven to be the least. `--svg` draws them.
"""
import json
import os
import sys
import tempfile

from budgets import MACHINE, OPTIONS, run
from networks import arguments, bufferized, chosen, say
from whole import DYNAMIC

POINTS = 9
COLUMNS, WIDTH, HEIGHT = 4, 250, 190
# In a panel: from its left, upper, right and lower edge to the plot.
LEFT, ABOVE, RIGHT, BELOW = 36, 34, 14, 40
STYLE = """
.page{fill:#fff}
text{font:12px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#52606d}
.name{font-weight:600;fill:#1f2933}
.end{text-anchor:end}
.mid{text-anchor:middle}
.plot{fill:#f7f9fb}
.grid{stroke:#e4e9ee}
.frame{stroke:#9aa5b1}
.curve{fill:none;stroke:#334e68;stroke-width:1.5}
.bound{fill:none;stroke:#334e68;stroke-dasharray:4 3}
.mark{fill:#334e68}
@media (prefers-color-scheme:dark){
.page{fill:#16181c}
text{fill:#a0a6b0}
.name{fill:#e8eaed}
.plot{fill:#1f2228}
.grid{stroke:#2e323a}
.frame{stroke:#6b7380}
.curve,.bound{stroke:#9fb3c8}
.mark{fill:#9fb3c8}
}
"""


def curves(plugin, name, folder):
    """The curves of a network, each with a name: of a function, the points as (bytes, cost, bound); costs as ratios."""
    report = os.path.join(folder, "report.json")
    machine = os.path.join(folder, "machine.toml")
    done = run(plugin, bufferized(name), f"memplan{{machine={machine} {OPTIONS} points={POINTS} report={report}}}")
    if done.returncode:
        sys.exit(f"{name}: {done.stderr[:2000]}")
    with open(report, encoding="utf-8") as file:
        functions = [one for one in json.load(file)["functions"] if one.get("costs", {}).get("curve")]
    for function in functions:
        points = [point for point in function["costs"]["curve"] if point["cost"] is not None]
        last = points[-1]["cost"]
        if not last:
            continue
        title = name if len(functions) == 1 else f"{name} @{function['name']}"
        yield title, [(point["budget_bytes"], point["cost"] / last, point["lower_bound"] / last) for point in points]


def cell(point):
    _, cost, bound = point
    return f"{cost:.2f}" if f"{cost:.2f}" == f"{bound:.2f}" else f"{cost:.2f} / {bound:.2f}"


def row(name, points):
    cells = [f"{points[0][0]:,}", f"{points[-1][0]:,}", *map(cell, points)]
    # Equal budgets are one.
    return f"| {name} | {' | '.join(cells + [''] * (POINTS + 2 - len(cells)))} |"


def short(size):
    for unit in ("B", "KiB", "MiB"):
        if size < 1024 or unit == "MiB":
            return f"{size:.3g} {unit}" if size < 1000 else f"{size:.0f} {unit}"
        size /= 1024


def panel(name, points, left, top):
    """A curve: steps down, a dashed line for the bound, which holds for the bytes before a point."""
    x_end, y_end = left + WIDTH - RIGHT, top + HEIGHT - BELOW
    most, highest = points[-1][0], points[0][1]

    def x(size):
        return f"{left + LEFT + (x_end - left - LEFT - 6) * size / most:.1f}"

    def y(cost):
        return f"{y_end - (y_end - top - ABOVE - 6) * cost / highest:.1f}"

    first, *rest = points
    cost = f"M{x(first[0])} {y(first[1])}" + "".join(f"H{x(size)}V{y(one)}" for size, one, _ in rest) + f"H{x_end}"
    bound = f"M{x(first[0])} {y(first[2])}" + "".join(f"V{y(one)}H{x(size)}" for size, _, one in rest) + f"H{x_end}"
    lines = [f'<text class="name" x="{left + LEFT}" y="{top + 22}">{name}</text>',
             f'<rect class="plot" x="{left + LEFT}" y="{top + ABOVE}" width="{x_end - left - LEFT}" '
             f'height="{y_end - top - ABOVE}"/>',
             f'<line class="grid" x1="{left + LEFT}" y1="{y(1)}" x2="{x_end}" y2="{y(1)}"/>']
    # Labels of both ends of the axis, unless they are too near.
    labels = [(1, "1")] + ([(highest, f"{highest:.3g}")] if highest > 1.2 else [])
    lines += [f'<text class="end" x="{left + LEFT - 5}" y="{float(y(cost)) + 4:.1f}">{text}</text>'
              for cost, text in labels]
    lines += [f'<path class="bound" d="{bound}"/>', f'<path class="curve" d="{cost}"/>']
    lines += [f'<circle class="mark" cx="{x(size)}" cy="{y(one)}" r="2.5"><title>{size:,} bytes: {one:.3f}, at least '
              f'{least:.3f}</title></circle>' for size, one, least in points]
    lines += [f'<line class="frame" x1="{left + LEFT}" y1="{y_end}" x2="{x_end}" y2="{y_end}"/>',
              f'<line class="frame" x1="{left + LEFT}" y1="{top + ABOVE}" x2="{left + LEFT}" y2="{y_end}"/>',
              f'<text x="{left + LEFT}" y="{y_end + 17}">0</text>',
              f'<text class="end" x="{x_end}" y="{y_end + 17}">{short(most)}</text>']
    return lines


def picture(named):
    rows = -(-len(named) // COLUMNS)
    width, height = COLUMNS * WIDTH, rows * HEIGHT
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
             f"<style>{STYLE}</style>", f'<rect class="page" width="{width}" height="{height}"/>']
    for at, (name, points) in enumerate(named):
        lines += panel(name, points, at % COLUMNS * WIDTH, at // COLUMNS * HEIGHT)
    return "\n".join([*lines, "</svg>\n"])


def main():
    plugin, rest = arguments(__doc__)
    svg = None
    if "--svg" in rest[:-1]:
        at = rest.index("--svg")
        svg = rest[at + 1]
        del rest[at:at + 2]
    fractions = [f"{at}/{POINTS - 1}" for at in range(POINTS)]
    print(f"| network | least | most | {' | '.join(fractions)} |")
    print(f"|---|{'---:|' * (POINTS + 2)}", flush=True)
    named = []
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "machine.toml"), "w", encoding="utf-8") as file:
            file.write(MACHINE)
        # Buffers of dynamic size do not count.
        for name in (one for one in chosen(rest) if one not in DYNAMIC):
            say(name)
            for title, points in curves(plugin, name, folder):
                say("")
                print(row(title, points), flush=True)
                named.append((title, points))
    if svg:
        with open(svg, "w", encoding="utf-8") as file:
            file.write(picture(named))


if __name__ == "__main__":
    main()
