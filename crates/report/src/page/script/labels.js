// What is written over the boxes: names and sizes, and the limits of the plan.

// At most so many boxes have a label.
const MOST_LABELS = 400;

// Writes into the largest boxes what fits, across or upwards.
function drawLabels(map, context, theme, plan, candidates) {
  context.font = FONT;
  context.textAlign = "center";
  context.fillStyle = theme.colours.ink;
  const placed = candidates.map((box) => ({ box, ...uncovered(map, plan, box) }));
  const area = (one) => (one.right - one.left) * (one.bottom - one.top);
  placed.sort((a, b) => area(b) - area(a));
  for (const { box, left, right, top, bottom } of placed.slice(0, MOST_LABELS)) {
    const buffer = map.layout.boxes.buffer[box];
    const texts = [plan.type(buffer) === "" ? plan.label(buffer) : plan.shape(buffer), plan.sizeTextOf(map.layout.boxes, box)];
    const across = fitting(texts, right - left, bottom - top);
    const lines = across ?? fitting(texts, bottom - top, right - left);
    if (lines === null) continue;
    context.save();
    context.translate((left + right) / 2, (top + bottom) / 2);
    if (across === null) context.rotate(-Math.PI / 2);
    lines.forEach((line, at) => context.fillText(line, 0, 4 + (at - (lines.length - 1) / 2) * LINE));
    context.restore();
  }
}

// What is in sight of a box up to where another buffer takes over the bytes in place, which lies over it from there on.
function uncovered(map, plan, box) {
  const area = map.visible(box);
  if (map.layout === plan.layouts.plan) {
    area.right = Math.min(area.right, map.x(plan.takenAt[map.layout.boxes.buffer[box]]));
  }
  return area;
}

// The addresses that a layout is marked at: with a text, and the dashes of the line.
function limits(plan, layout) {
  const planned = `planned ${short(plan.planned)}`;
  if (layout !== plan.layouts.plan) {
    return [
      [plan.naive, `each on its own ${short(plan.naive)}`, []],
      [plan.planned, planned, [2, 3]],
    ];
  }
  if (plan.planned === plan.bound) return [[plan.planned, `${planned} = lower bound`, []]];
  return [
    [plan.planned, planned, []],
    [plan.bound, `lower bound ${short(plan.bound)}`, [6, 4]],
  ];
}

function drawLimits(map, context, theme, plan) {
  const { left, top, width, height } = map.area;
  context.font = `600 ${FONT}`;
  context.strokeStyle = theme.colours.ink;
  context.lineWidth = 1.2;
  let last = -Infinity;
  for (const [address, text, dashes] of limits(plan, map.layout)) {
    const y = map.y(address);
    if (y < top || y > top + height) continue;
    context.setLineDash(dashes);
    context.beginPath();
    context.moveTo(left, y);
    context.lineTo(left + width, y);
    context.stroke();
    context.setLineDash([]);
    // Where two are close, their labels go left and right.
    const isClose = Math.abs(y - last) < LINE + 2;
    last = y;
    context.textAlign = isClose ? "left" : "right";
    haloed(context, theme, text, isClose ? left + 6 : left + width - 6, Math.max(y - 5, 12));
  }
}

// The richest lines of a name and a size that fit where the text runs along.
function fitting([name, size], along, across) {
  const choices = [[name, size], [`${name} · ${size}`], [name], [size]];
  const fits = (lines) => lines.every((line) => line.length * LETTER + 8 <= along) && lines.length * LINE + 1 <= across;
  return choices.find(fits) ?? null;
}
