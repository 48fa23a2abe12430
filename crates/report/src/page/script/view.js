// What of time and addresses is in sight.

// No less than this is in sight.
const LEAST_POSITIONS = 0.5;
const LEAST_BYTES = 16;

class View {
  // All of it: positions `from` up to `to`, addresses up to `high`.
  constructor(from, to, high) {
    this.extent = { from, to, low: 0, high: Math.max(high, 1) };
    this.all();
  }

  all() {
    Object.assign(this, this.extent);
  }

  // Whether all is in sight.
  isAll() {
    return ["from", "to", "low", "high"].every((side) => this[side] === this.extent[side]);
  }

  // Moves by parts of what is in sight.
  pan(across, up) {
    const x = across * (this.to - this.from);
    const y = up * (this.high - this.low);
    this.set({ from: this.from + x, to: this.to + x, low: this.low + y, high: this.high + y });
  }

  // Makes what is in sight smaller by factors around a place, given in parts of it.
  zoom(across, up, atX = 0.5, atY = 0.5) {
    const width = (this.to - this.from) / across;
    const height = (this.high - this.low) / up;
    const from = this.from + (this.to - this.from - width) * atX;
    const low = this.low + (this.high - this.low - height) * atY;
    this.set({ from, to: from + width, low, high: low + height });
  }

  // Pans as little as needed to have a stretch of positions and one of addresses in sight.
  reveal(from, to, low, high) {
    const x = shift(this.from, this.to, from, to);
    const y = shift(this.low, this.high, low, high);
    this.set({ from: this.from + x, to: this.to + x, low: this.low + y, high: this.high + y });
  }

  // Takes a window, kept within what there is.
  set({ from, to, low, high }) {
    const { extent } = this;
    [this.from, this.to] = within(from, to, extent.from, extent.to, LEAST_POSITIONS);
    [this.low, this.high] = within(low, high, extent.low, extent.high, LEAST_BYTES);
  }
}

// How far a window has to go until a stretch is in it, or its beginning where it is too long.
function shift(from, to, first, last) {
  if (first < from || last - first > to - from) return first - from;
  return last > to ? last - to : 0;
}

// A stretch of at least `least`, moved and cut until it lies in another.
function within(from, to, first, last, least) {
  const length = Math.min(Math.max(to - from, least), last - first);
  const start = Math.min(Math.max((from + to - length) / 2, first), last - length);
  return [start, start + length];
}
