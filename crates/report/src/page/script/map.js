// The boxes, with axes.

// Boxes have a label from this size on, along and across.
const LABEL_ALONG = 30;
const LABEL_ACROSS = 14;

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
    if (layout === plan.layouts.plan) this.excluded(context, theme, plan);
    this.gaps(context, theme);
    drawStripEdges(this, context, theme, plan);
    drawLineBuffers(this, context, theme, plan);
    if (layout === plan.layouts.plan) this.banks(context, theme, plan);
    drawLabels(this, context, theme, plan, labels);
    if (layout === plan.layouts.plan) this.joins(context, theme, plan);
    drawLimits(this, context, theme, plan);
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
      if (isLarge && Math.max(x1 - x0, y1 - y0) >= LABEL_ALONG * ratio && !isFaint?.[boxes.buffer[box]])
        labels.push(box);
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
  visible(box, boxes = this.layout.boxes) {
    const { left, top, width, height } = this.area;
    return {
      left: Math.max(this.x(boxes.start[box]), left),
      right: Math.min(this.x(boxes.end[box]), left + width),
      top: Math.max(this.y(boxes.high[box]), top),
      bottom: Math.min(this.y(boxes.low[box]), top + height),
    };
  }

  // Bands over all positions where no buffer may be, with what they are.
  excluded(context, theme, plan) {
    const { left, top, width, height } = this.area;
    for (const [start, end, name] of plan.excluded) {
      const upper = Math.max(this.y(end), top);
      const lower = Math.min(this.y(start), top + height);
      if (lower <= upper) continue;
      context.globalAlpha = 0.3;
      context.fillStyle = theme.colours.frame;
      context.fillRect(left, upper, width, lower - upper);
      context.globalAlpha = 1;
      if (lower - upper < 14) continue;
      context.fillStyle = theme.colours.ink;
      context.textAlign = "center";
      context.fillText(name, left + width / 2, (upper + lower) / 2 + 4);
    }
  }

  // The borders of banks, with their names.
  banks(context, theme, plan) {
    const { left, top, width, height } = this.area;
    context.strokeStyle = context.fillStyle = theme.colours.bank;
    context.lineWidth = 1;
    context.textAlign = "left";
    for (const [start, end, name] of plan.banks) {
      const upper = this.y(end);
      const lower = this.y(start);
      context.setLineDash([8, 3]);
      context.beginPath();
      for (const border of [upper, lower]) {
        if (border < top || border > top + height) continue;
        context.moveTo(left, border);
        context.lineTo(left + width, border);
      }
      context.stroke();
      context.setLineDash([]);
      const line = Math.max(upper, top);
      if (Math.min(lower, top + height) - line >= 14) context.fillText(name, left + 5, line + 12);
    }
  }

  // Outlines of what is not in use, so that one sees that the boxes around are one buffer.
  gaps(context, theme) {
    const { gaps } = this.layout;
    context.strokeStyle = theme.colours.ink;
    context.lineWidth = 1;
    context.globalAlpha = 0.75;
    context.setLineDash([2, 3]);
    context.beginPath();
    gaps.inside(this.view, (gap) => {
      const { left, right, top, bottom } = this.visible(gap, gaps);
      if (right - left >= 3 && bottom - top >= 3) context.rect(left + 0.5, top + 0.5, right - left - 1, bottom - top - 1);
    });
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
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
