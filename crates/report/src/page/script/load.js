// The load over time, below the boxes.

// Space for the positions below the curve.
const TICKS = 20;

class LoadCurve {
  constructor(canvas) {
    this.canvas = canvas;
  }

  draw({ plan, view, theme, position }) {
    const context = prepared(this.canvas);
    const width = Math.max(this.canvas.clientWidth - LEFT - RIGHT, 1);
    const height = this.canvas.clientHeight - TICKS;
    const most = Math.max(plan.peak?.[2] ?? 0, 1);
    const y = (load) => height - (load / most) * (height - 14);
    const x = (at) => LEFT + ((at - view.from) / (view.to - view.from)) * width;
    context.fillStyle = theme.colours.plot;
    context.fillRect(LEFT, 0, width, height);
    this.curve(context, theme, columns(plan.load, view, Math.round(width)), y, height);
    context.fillStyle = theme.colours.frame;
    context.fillRect(LEFT - 1, 0, 1, height);
    context.fillRect(LEFT - 1, height, width + 1, 1);
    context.font = FONT;
    context.fillStyle = theme.colours.soft;
    context.textAlign = "right";
    context.fillText("load", LEFT - 8, height / 2 + 4);
    context.textAlign = "center";
    for (const at of positionTicks(view.from, view.to, width / 80)) {
      context.fillRect(x(at), height, 1, 4);
      const label = grouped(at);
      const half = (label.length * LETTER) / 2;
      context.fillText(label, Math.min(Math.max(x(at), LEFT + half - 6), LEFT + width - half + 6), height + 16);
    }
    if (position >= view.from && position <= view.to)
      this.mark(context, theme, plan.loadAt(position), x(position), y, width, height);
  }

  curve(context, theme, loads, y, height) {
    context.beginPath();
    context.moveTo(LEFT, height);
    loads.forEach((load, column) => {
      context.lineTo(LEFT + column, y(load));
      context.lineTo(LEFT + column + 1, y(load));
    });
    context.lineTo(LEFT + loads.length, height);
    context.closePath();
    context.fillStyle = theme.colours.load;
    context.fill();
    context.strokeStyle = theme.colours.line;
    context.lineWidth = 1;
    context.stroke();
  }

  // The chosen position, and the load there.
  mark(context, theme, load, x, y, width, height) {
    context.fillStyle = theme.colours.mark;
    context.fillRect(x, 0, 1.5, height);
    context.beginPath();
    context.arc(x, y(load), 3.5, 0, 2 * Math.PI);
    context.fill();
    const isLeft = x > LEFT + width / 2;
    context.textAlign = isLeft ? "right" : "left";
    context.font = `600 ${FONT}`;
    haloed(context, theme, short(load), x + (isLeft ? -7 : 7), 11);
  }
}

// The most that is live in each column of pixels.
function columns(steps, view, count) {
  const loads = new Float64Array(count);
  const scale = count / (view.to - view.from);
  for (let at = Math.max(stepAt(steps, view.from), 0); at < steps.length && steps[at][0] < view.to; at++) {
    const [start, load] = steps[at];
    const end = at + 1 < steps.length ? steps[at + 1][0] : view.to;
    const first = Math.max(Math.floor((start - view.from) * scale), 0);
    const last = Math.min(Math.max(Math.ceil((end - view.from) * scale), first + 1), count);
    for (let column = first; column < last; column++) loads[column] = Math.max(loads[column], load);
  }
  return loads;
}
