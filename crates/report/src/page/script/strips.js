// Loops over strips: a lane between the boxes and the load, outlines of line buffers, and a table.

const LANE_TEXT = 12;

class StripLane {
  constructor(canvas) {
    this.canvas = canvas;
  }

  draw({ plan, view, theme }) {
    if (plan.chains.length === 0) return;
    const context = prepared(this.canvas);
    const width = Math.max(this.canvas.clientWidth - LEFT - RIGHT, 1);
    const height = this.canvas.clientHeight;
    const x = (at) => LEFT + Math.min(Math.max((at - view.from) / (view.to - view.from), 0), 1) * width;
    context.font = FONT;
    context.fillStyle = theme.colours.soft;
    context.textAlign = "right";
    context.fillText("strips", LEFT - 8, LANE_TEXT);
    context.textAlign = "center";
    for (const chain of plan.chains) {
      const [left, right] = [x(chain.from), x(chain.to)];
      if (chain.from >= view.to || chain.to <= view.from) continue;
      context.fillStyle = theme.colours.strips;
      context.fillRect(left, 0, Math.max(right - left, 2), height);
      context.strokeStyle = theme.colours.lines;
      context.lineWidth = 1;
      context.strokeRect(left + 0.5, 0.5, Math.max(right - left, 2) - 1, height - 1);
      const texts = [`${chain.each} strips of ${counted(chain.operations, "operation")}`, chain.each];
      const text = texts.find((one) => one.length * LETTER + 8 <= right - left);
      context.fillStyle = theme.colours.ink;
      if (text !== undefined) context.fillText(text, (left + right) / 2, LANE_TEXT);
    }
  }

  // The chain at a point of the canvas, or null.
  at(x, { plan, view }) {
    const width = Math.max(this.canvas.clientWidth - LEFT - RIGHT, 1);
    const position = view.from + ((x - LEFT) / width) * (view.to - view.from);
    return plan.chains.find((chain) => chain.from <= position && position < chain.to) ?? null;
  }
}

// Outlines inside the boxes of line buffers.
function drawLineBuffers(map, context, theme, plan) {
  const { boxes } = map.layout;
  context.strokeStyle = theme.colours.lines;
  context.lineWidth = 1.5;
  context.beginPath();
  boxes.inside(map.view, (box) => {
    if (!(boxes.buffer[box] in plan.buffers.lines)) return;
    const { left, right, top, bottom } = map.visible(box);
    if (right - left < 4 || bottom - top < 4) return;
    context.rect(left + 1.5, top + 1.5, right - left - 4, bottom - top - 3);
  });
  context.stroke();
}

// Where loops over strips begin and end.
function drawStripEdges(map, context, theme, plan) {
  const { top, height } = map.area;
  context.strokeStyle = theme.colours.lines;
  context.lineWidth = 1;
  context.globalAlpha = 0.6;
  context.setLineDash([4, 3]);
  context.beginPath();
  for (const { from, to } of plan.chains) {
    for (const at of [from, to]) {
      context.moveTo(map.x(at), top);
      context.lineTo(map.x(at), top + height);
    }
  }
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

// All about a chain.
function aboutChain(chain) {
  const rows = [
    ["along", chain.along],
    ["strips", `${known(chain.strips, grouped)} of ${chain.rows} rows`],
    ["operations", `${grouped(chain.operations)}, ${known(chain.per_strip, String)} in a strip, ${grouped(chain.repeated)} iterations repeated`],
    ["load", `${known(chain.after, both)} instead of ${known(chain.before, both)}`],
    ["line buffers", chain.lines > 0 ? `${grouped(chain.lines)} of ${known(chain.line_bytes, both)}` : "none"],
    ["copied", `${known(chain.copied, both)} in a call`],
  ];
  if (chain.location !== "") rows.push(["location", chain.location]);
  const list = element("dl", {});
  for (const [name, text] of rows) list.append(element("dt", {}, name), element("dd", {}, text));
  return list;
}

// The rows of the table of chains.
function chainRows(plan) {
  return plan.chains.slice(0, MOST_ROWS).map((chain, at) => {
    const button = element("button", { type: "button", className: "link" }, `[${grouped(chain.from)}, ${grouped(chain.to)})`);
    button.dataset.chain = at;
    const cells = [
      [chain.each, `${known(chain.per_strip, String)} ops each`],
      [known(chain.after, short), `of ${known(chain.before, short)}`],
      [known(chain.line_bytes, short), known(chain.copied, short)],
    ];
    const about = `${counted(chain.operations, "operation")} along ${chain.along}`;
    const row = element(
      "tr",
      { title: `${about}\n${chain.location}` },
      element("th", { scope: "row" }, button, element("span", {}, `${grouped(chain.operations)} ops`)),
      ...cells.map(([first, second]) => element("td", {}, first, element("span", {}, second))),
    );
    row.dataset.chain = at;
    return row;
  });
}
