// The plan of a scope, and what can be asked of it.

class Plan {
  constructor(scope) {
    Object.assign(this, scope);
    const buffers = this.buffers;
    this.count = buffers.id.length;
    this.places = new Map(buffers.id.map((id, at) => [id, at]));
    this.first = buffers.live.map((_, buffer) => usesOf(buffers, buffer)[0]?.[0] ?? 0);
    // The order in which one walks through them.
    this.order = Uint32Array.from(buffers.id.keys()).sort(
      (a, b) => this.first[a] - this.first[b] || buffers.offset[a] - buffers.offset[b] || a - b,
    );
    this.rank = new Uint32Array(this.count);
    this.order.forEach((buffer, rank) => {
      this.rank[buffer] = rank;
    });
    // From where on another buffer has its bytes in place.
    this.takenAt = new Float64Array(this.count).fill(Infinity);
    for (const [buffer, id] of Object.entries(buffers.in_place_with)) {
      const host = this.places.get(id);
      if (host !== undefined) this.takenAt[host] = Math.min(this.takenAt[host], this.first[buffer]);
    }
    this.layouts = {
      plan: new Layout(buffers, buffers.offset, this.planned),
      before: new Layout(buffers, this.separate(), this.naive),
    };
    const [from, to] = this.layouts.plan.span();
    this.from = from;
    this.to = Math.max(to, from + 1);
  }

  // Addresses as without a plan: each buffer after the previous one.
  separate() {
    const { size, alignment, same_as: same, slot } = this.buffers;
    const offsets = new Float64Array(this.count);
    let end = 0;
    // What has no known size comes last, as in the plan.
    for (const unknown of [false, true]) {
      for (const buffer of this.order) {
        if (buffer in slot !== unknown || buffer in same) continue;
        offsets[buffer] = end;
        end += Math.ceil(size[buffer] / alignment[buffer]) * alignment[buffer];
      }
    }
    for (const [buffer, id] of Object.entries(same)) offsets[buffer] = offsets[this.places.get(id) ?? 0];
    return offsets;
  }

  label(buffer) {
    return `#${this.buffers.id[buffer]}`;
  }

  type(buffer) {
    return this.types[this.buffers.type[buffer]];
  }

  // "memref<4x4xf32, 1>" without the parts that are the same everywhere: "4x4xf32".
  shape(buffer) {
    const inner = /^memref<([^]*)>$/.exec(this.type(buffer));
    return (inner ? inner[1] : this.type(buffer)).split(", ")[0];
  }

  // The sizes in bytes of what has the size of its slot, as a text; null where the size is known.
  unknownSize(buffer) {
    const slot = this.buffers.slot[buffer];
    if (slot === undefined) return null;
    const sizes = this.slots[slot].map((size) =>
      size.replace(/^\d+/, (bytes) => grouped(Number(bytes))).replaceAll("*", " × "),
    );
    return sizes.length > 1 ? `the largest of ${sizes.join(", ")} B` : `${sizes[0]} B`;
  }

  sizeText(buffer) {
    return this.unknownSize(buffer) ?? short(this.buffers.size[buffer]);
  }

  offsetText(buffer) {
    const slot = this.buffers.slot[buffer];
    return slot === undefined ? grouped(this.buffers.offset[buffer]) : `slot ${slot}`;
  }

  liveText(buffer) {
    const range = (start, end) => `[${grouped(start)},\u00a0${grouped(end)})`;
    const texts = usesOf(this.buffers, buffer).map(([start, end, low, high]) => {
      const isWhole = high - low === this.buffers.size[buffer];
      return isWhole ? range(start, end) : `${range(start, end)}, only bytes\u00a0${range(low, high)}`;
    });
    return texts.join(buffer in this.buffers.windows ? "; " : " ");
  }

  // The size of what a box shows of its buffer.
  sizeTextOf(boxes, box) {
    const buffer = boxes.buffer[box];
    const bytes = boxes.high[box] - boxes.low[box];
    const isWhole = bytes === this.buffers.size[buffer];
    return isWhole ? this.sizeText(buffer) : `${short(bytes)} of ${short(this.buffers.size[buffer])}`;
  }

  // The buffers that are live at a position, the largest first.
  liveAt(position) {
    const found = [];
    const { boxes } = this.layouts.plan;
    const window = { from: position, to: position, low: -Infinity, high: Infinity };
    boxes.inside(window, (box) => found.push(boxes.buffer[box]));
    const { size } = this.buffers;
    return found.sort((a, b) => size[b] - size[a] || a - b);
  }

  // Bytes that are live at a position, without dynamic sizes.
  loadAt(position) {
    const step = stepAt(this.load, position);
    return step < 0 ? 0 : this.load[step][1];
  }

  // The others that the plan gives some of a buffer's bytes, by when they are live, and how many bytes.
  sharing(buffer) {
    const { boxes, offsets } = this.layouts.plan;
    const low = offsets[buffer];
    const high = low + this.buffers.size[buffer];
    const bytes = new Map();
    boxes.inside({ from: -Infinity, to: Infinity, low, high }, (box) => {
      const common = Math.min(high, boxes.high[box]) - Math.max(low, boxes.low[box]);
      const other = boxes.buffer[box];
      if (common > 0 && other !== buffer) bytes.set(other, Math.max(common, bytes.get(other) ?? 0));
    });
    return bytes;
  }

  // Whether a buffer is what is searched: in its type or location, or by its id.
  matches(buffer, words) {
    const text = `${this.label(buffer)} ${this.type(buffer)} ${this.buffers.location[buffer]}`.toLowerCase();
    return words.every((word) => (/^#\d+$/.test(word) ? text.startsWith(`${word} `) : text.includes(word)));
  }
}

// The last step of a curve that is not after a position; -1 where all are.
function stepAt(curve, position) {
  let low = 0;
  let high = curve.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (curve[middle][0] <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// Buffers at addresses.
class Layout {
  constructor(buffers, offsets, known) {
    this.offsets = offsets;
    this.boxes = new Boxes(buffers, offsets, usesOf);
    this.gaps = new Boxes(buffers, offsets, gapsOf);
    // Where that ends which has a known size.
    this.known = known;
    this.highest = this.boxes.high.reduce((most, one) => Math.max(most, one), known);
  }

  // First position and the one after the last.
  span() {
    const { start, end } = this.boxes;
    return start.length > 0 ? [start[0], end.reduce((most, one) => Math.max(most, one))] : [0, 0];
  }
}
