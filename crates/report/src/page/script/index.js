// Boxes in time and address, found by a window.

// So many boxes are passed over at once where none of them is in the window.
const CHUNK = 128;

// When a buffer uses which of its bytes: its live ranges and windows as start, end, first byte and the byte after the
// last, by where they start.
function usesOf(buffers, buffer) {
  const windows = buffers.windows[buffer];
  const size = buffers.size[buffer];
  const whole = buffers.live[buffer].map(([start, end]) => [start, end, 0, size]);
  return windows === undefined ? whole : [...whole, ...windows].sort((a, b) => a[0] - b[0]);
}

// The times between the first and the last of them in which not all bytes are in use, in the same form.
function gapsOf(buffers, buffer) {
  const gaps = [];
  if (buffers.live[buffer].length === 1 && !(buffer in buffers.windows)) return gaps;
  const uses = usesOf(buffers, buffer);
  const size = buffers.size[buffer];
  let reached = uses[0]?.[0];
  for (const [start, end] of buffers.live[buffer]) {
    if (reached < start) gaps.push([reached, start, 0, size]);
    reached = Math.max(reached, end);
  }
  const last = uses.at(-1)?.[1];
  if (reached < last) gaps.push([reached, last, 0, size]);
  return gaps;
}

// Parts of the buffers of a layout as boxes, by where they start. A column for each side, as that is what is fast to
// walk. `partsOf` is one of the functions above.
class Boxes {
  constructor(buffers, offsets, partsOf) {
    const parts = buffers.live.map((_, buffer) => partsOf(buffers, buffer));
    const count = parts.reduce((sum, own) => sum + own.length, 0);
    const starts = new Float64Array(count);
    const owners = new Uint32Array(count);
    const ends = new Float64Array(count);
    const lows = new Float64Array(count);
    const highs = new Float64Array(count);
    let at = 0;
    parts.forEach((own, buffer) => {
      for (const [start, end, low, high] of own) {
        starts[at] = start;
        ends[at] = end;
        lows[at] = offsets[buffer] + low;
        highs[at] = offsets[buffer] + high;
        owners[at] = buffer;
        at += 1;
      }
    });
    const order = Uint32Array.from(starts.keys()).sort((a, b) => starts[a] - starts[b] || a - b);
    this.count = count;
    this.start = Float64Array.from(order, (one) => starts[one]);
    this.end = Float64Array.from(order, (one) => ends[one]);
    this.buffer = Uint32Array.from(order, (one) => owners[one]);
    this.low = Float64Array.from(order, (one) => lows[one]);
    this.high = Float64Array.from(order, (one) => highs[one]);
    this.chunks = [];
    for (let first = 0; first < count; first += CHUNK) {
      const last = Math.min(first + CHUNK, count);
      const chunk = { first, last, from: Infinity, to: -Infinity, low: Infinity, high: -Infinity };
      for (let box = first; box < last; box++) {
        chunk.from = Math.min(chunk.from, this.start[box]);
        chunk.to = Math.max(chunk.to, this.end[box]);
        chunk.low = Math.min(chunk.low, this.low[box]);
        chunk.high = Math.max(chunk.high, this.high[box]);
      }
      this.chunks.push(chunk);
    }
  }

  // Calls `visit` with each box that is at least partly in the window, by where they start.
  inside({ from, to, low, high }, visit) {
    for (const chunk of this.chunks) {
      if (chunk.from > to) return;
      if (chunk.to <= from || chunk.high < low || chunk.low > high) continue;
      for (let box = chunk.first; box < chunk.last; box++) {
        if (this.start[box] <= to && this.end[box] > from && this.low[box] <= high && this.high[box] >= low) visit(box);
      }
    }
  }

  // The buffer that is drawn last at a place, or else within `slack` around it; null where there is none.
  at(position, address, slack) {
    for (const [across, up] of [[0, 0], slack]) {
      let found = null;
      const window = { from: position - across, to: position + across, low: address - up, high: address + up };
      this.inside(window, (box) => {
        found = this.buffer[box];
      });
      if (found !== null) return found;
    }
    return null;
  }
}
