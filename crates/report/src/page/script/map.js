// The boxes, with axes, limits and labels.

// Space for the axes left of the boxes and of the load, in CSS pixels, and what stays free right of them.
const LEFT = 84;
const RIGHT = 14;
// Boxes have a label from this size on, along and across; at most so many have.
const LABEL_ALONG = 30;
const LABEL_ACROSS = 14;
const MOST_LABELS = 400;
// About the width of a letter, and the height of a line.
const LETTER = 6.2;
const LINE = 13;
const FONT = "11px system-ui, sans-serif";

// Makes a canvas as large as it is shown, in the pixels of the screen; returns what to draw with, in CSS pixels.
function prepared(canvas) {
  const ratio = window.devicePixelRatio;
  const width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  return context;
}

class BufferMap {
  constructor(canvas) {
    this.canvas = canvas;
    this.raster = new Raster();
  }

  // Where the boxes go, in CSS pixels. Kept, as to ask a canvas for its size takes long.
  measure() {
    const { clientWidth, clientHeight } = this.canvas;
    const [width, height] = [Math.max(clientWidth - LEFT - RIGHT, 1), Math.max(clientHeight - 1, 1)];
    this.area = { left: LEFT, top: 0, width, height };
  }

  x(position) {
    const { left, width } = this.area;
    return left + ((position - this.view.from) / (this.view.to - this.view.from)) * width;
  }

  y(address) {
    const { top, height } = this.area;
    return top + height - ((address - this.view.low) / (this.view.high - this.view.low)) * height;
  }

  // Position and address at a point of the canvas.
  place(x, y) {
    const { left, top, width, height } = this.area;
    const { from, to, low, high } = this.view;
    return [from + ((x - left) / width) * (to - from), low + ((top + height - y) / height) * (high - low)];
  }

  // The buffer at a point of the canvas, or null.
  at(x, y, layout) {
    const { left, width, height } = this.area;
    if (x < left || x > left + width) return null;
    const { from, to, low, high } = this.view;
    return layout.boxes.at(...this.place(x, y), [(to - from) / width, (high - low) / height]);
  }

  // Draws what is in sight. `tones` holds each buffer's colour, `isFaint` says which are not searched.
  draw({ plan, layout, view, theme, position, chosen, hovered, tones, isFaint }) {
    this.view = view;
    this.layout = layout;
    this.measure();
    const context = prepared(this.canvas);
    const { left, top, width, height } = this.area;
    const addresses = addressTicks(view.low, view.high, height / 52);
    const positions = positionTicks(view.from, view.to, width / 80);
    const ratio = window.devicePixelRatio;
    const labels = this.boxes(theme, tones, isFaint, ratio, addresses, positions);
    context.putImageData(this.raster.image, Math.round(left * ratio), Math.round(top * ratio));
    this.axis(context, theme, addresses);
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.fillStyle = theme.colours.mark;
    context.fillRect(this.x(position), top, 1.5, height);
    this.labels(context, theme, plan, labels);
    this.joins(context, theme, plan);
    this.limits(context, theme, plan);
    if (hovered !== null) this.outline(context, theme.colours.ink, 1.5, hovered);
    if (chosen !== null) this.outline(context, theme.colours.chosen, 3, chosen);
    context.restore();
  }

  // Fills the boxes in sight; returns those that are large enough for a label.
  boxes(theme, tones, isFaint, ratio, addresses, positions) {
    const { boxes } = this.layout;
    const { left, top, width, height } = this.area;
    const x = (position) => (this.x(position) - left) * ratio;
    const y = (address) => (this.y(address) - top) * ratio;
    const columns = positions.map((position) => Math.round(x(position)));
    const rows = addresses.map(([address]) => Math.round(y(address)));
    this.raster.clear(Math.round(width * ratio), Math.round(height * ratio), theme, columns, rows);
    // Worked out here, as this runs for each box of each frame.
    const { from, to, low, high } = this.view;
    const across = (width * ratio) / (to - from);
    const up = (height * ratio) / (high - low);
    const bottom = height * ratio;
    const labels = [];
    const fill = (box) => {
      const x0 = (boxes.start[box] - from) * across;
      const x1 = (boxes.end[box] - from) * across;
      const y0 = bottom - (boxes.high[box] - low) * up;
      const y1 = bottom - (boxes.low[box] - low) * up;
      this.raster.fill(x0, x1, y0, y1, theme.palette[tones[boxes.buffer[box]]]);
      const isLarge = Math.min(x1 - x0, y1 - y0) >= LABEL_ACROSS * ratio;
      if (isLarge && Math.max(x1 - x0, y1 - y0) >= LABEL_ALONG * ratio && !isFaint?.[boxes.buffer[box]]) labels.push(box);
    };
    if (isFaint === null) {
      boxes.inside(this.view, fill);
    } else {
      // What is searched lies above the rest.
      for (const faint of [1, 0]) {
        boxes.inside(this.view, (box) => {
          if (isFaint[boxes.buffer[box]] === faint) fill(box);
        });
      }
    }
    return labels;
  }

  axis(context, theme, addresses) {
    const { left, top, height } = this.area;
    context.font = FONT;
    context.fillStyle = theme.colours.soft;
    context.textAlign = "right";
    for (const [address, label] of addresses) {
      const y = Math.min(Math.max(this.y(address) + 4, top + 9), top + height - 1);
      context.fillText(label, left - 8, y);
    }
    context.save();
    context.translate(12, top + height / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.fillText("address", 0, 0);
    context.restore();
    context.fillStyle = theme.colours.frame;
    context.fillRect(left - 1, top, 1, height);
    context.fillRect(left - 1, top + height, context.canvas.clientWidth - left - RIGHT + 1, 1);
  }

  // The part of a box that is in sight, in CSS pixels.
  visible(box) {
    const { boxes } = this.layout;
    const { left, top, width, height } = this.area;
    return {
      left: Math.max(this.x(boxes.start[box]), left),
      right: Math.min(this.x(boxes.end[box]), left + width),
      top: Math.max(this.y(boxes.high[box]), top),
      bottom: Math.min(this.y(boxes.low[box]), top + height),
    };
  }

  // The same up to where another buffer takes over the bytes in place, which lies over it from there on.
  uncovered(plan, box) {
    const area = this.visible(box);
    if (this.layout === plan.layouts.plan) {
      area.right = Math.min(area.right, this.x(plan.takenAt[this.layout.boxes.buffer[box]]));
    }
    return area;
  }

  // Writes into the largest boxes what fits, across or upwards.
  labels(context, theme, plan, candidates) {
    context.font = FONT;
    context.textAlign = "center";
    context.fillStyle = theme.colours.ink;
    const placed = candidates.map((box) => ({ box, ...this.uncovered(plan, box) }));
    const area = (one) => (one.right - one.left) * (one.bottom - one.top);
    placed.sort((a, b) => area(b) - area(a));
    for (const { box, left, right, top, bottom } of placed.slice(0, MOST_LABELS)) {
      const buffer = this.layout.boxes.buffer[box];
      const texts = [plan.type(buffer) === "" ? plan.label(buffer) : plan.shape(buffer), plan.sizeText(buffer)];
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

  // A dashed edge where a buffer takes over the bytes of another.
  joins(context, theme, plan) {
    const { boxes } = this.layout;
    context.strokeStyle = theme.colours.ink;
    context.lineWidth = 1;
    context.setLineDash([3, 2]);
    context.beginPath();
    boxes.inside(this.view, (box) => {
      const buffer = boxes.buffer[box];
      if (!(buffer in plan.buffers.in_place_with) || boxes.start[box] !== plan.first[buffer]) return;
      const { left, right, top, bottom } = this.visible(box);
      if (right - left < 3 || bottom - top < 3) return;
      context.moveTo(left + 0.5, top);
      context.lineTo(left + 0.5, bottom);
    });
    context.stroke();
    context.setLineDash([]);
  }

  // Where the plan ends, and what no plan can be below.
  limits(context, theme, plan) {
    const { left, width } = this.area;
    const isPlan = this.layout === plan.layouts.plan;
    const isLeast = plan.planned === plan.bound;
    const lines = isPlan
      ? [[plan.planned, `planned ${short(plan.planned)}${isLeast ? " = lower bound" : ""}`, []]]
      : [[plan.naive, `each on its own ${short(plan.naive)}`, []]];
    if (!isPlan) lines.push([plan.planned, `planned ${short(plan.planned)}`, [2, 3]]);
    else if (!isLeast) lines.push([plan.bound, `lower bound ${short(plan.bound)}`, [6, 4]]);
    context.font = `600 ${FONT}`;
    context.strokeStyle = theme.colours.ink;
    context.lineWidth = 1.2;
    const { top, height } = this.area;
    let above = -Infinity;
    for (const [address, text, dash] of lines) {
      const y = this.y(address);
      if (y < top || y > top + height) continue;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(left, y);
      context.lineTo(left + width, y);
      context.stroke();
      context.setLineDash([]);
      // Where the lines are close, the labels go left and right.
      const isClose = Math.abs(y - above) < LINE + 2;
      above = y;
      context.textAlign = isClose ? "left" : "right";
      haloed(context, theme, text, isClose ? left + 6 : left + width - 6, Math.max(y - 5, 12));
    }
  }

  outline(context, colour, width, buffer) {
    const { boxes } = this.layout;
    context.strokeStyle = colour;
    context.lineWidth = width;
    boxes.inside(this.view, (box) => {
      if (boxes.buffer[box] !== buffer) return;
      const { left, right, top, bottom } = this.visible(box);
      const inset = width / 2;
      context.strokeRect(
        left + inset,
        top + inset,
        Math.max(right - left - width, 1),
        Math.max(bottom - top - width, 1),
      );
    });
  }
}

// Text that is legible on anything.
function haloed(context, theme, text, x, y) {
  context.save();
  context.strokeStyle = theme.colours.plot;
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.globalAlpha = 0.85;
  context.strokeText(text, x, y);
  context.globalAlpha = 1;
  context.fillStyle = theme.colours.ink;
  context.fillText(text, x, y);
  context.restore();
}

// The richest lines of a name and a size that fit where the text runs along.
function fitting([name, size], along, across) {
  const choices = [[name, size], [`${name} · ${size}`], [name], [size]];
  const fits = (lines) =>
    lines.every((line) => line.length * LETTER + 8 <= along) && lines.length * LINE + 1 <= across;
  return choices.find(fits) ?? null;
}
