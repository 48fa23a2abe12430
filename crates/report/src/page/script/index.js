// Boxes in time and address, found by a window.

// So many boxes are passed over at once where none of them is in the window.
const CHUNK = 128;

// The live ranges of a layout as boxes, by where they start. A column for each side, as that is what is fast to walk.
class Boxes {
  constructor(buffers, offsets) {
    let count = 0;
    for (const ranges of buffers.live) count += ranges.length;
    const starts = new Float64Array(count);
    const owners = new Uint32Array(count);
    const ends = new Float64Array(count);
    let at = 0;
    buffers.live.forEach((ranges, buffer) => {
      for (const [start, end] of ranges) {
        starts[at] = start;
        ends[at] = end;
        owners[at] = buffer;
        at += 1;
      }
    });
    const order = Uint32Array.from(starts.keys()).sort((a, b) => starts[a] - starts[b] || a - b);
    this.count = count;
    this.start = Float64Array.from(order, (one) => starts[one]);
    this.end = Float64Array.from(order, (one) => ends[one]);
    this.buffer = Uint32Array.from(order, (one) => owners[one]);
    this.low = Float64Array.from(this.buffer, (one) => offsets[one]);
    this.high = Float64Array.from(this.buffer, (one) => offsets[one] + buffers.size[one]);
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
