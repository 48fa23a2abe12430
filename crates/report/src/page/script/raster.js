// Boxes as pixels, written one row after the other: that is faster than to have many thousand rectangles drawn.

// Boxes from this many pixels on have a gap to the next one.
const WITH_GAP = 4;

class Raster {
  // Clears the area except for lines at columns and rows.
  clear(width, height, theme, columns, rows) {
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.empty = [theme.plot, theme.grid];
    this.pixels.fill(theme.plot);
    for (const row of rows) {
      if (row >= 0 && row < height) this.pixels.fill(theme.grid, row * width, (row + 1) * width);
    }
    for (const column of columns) {
      if (column < 0 || column >= width) continue;
      for (let at = column; at < this.pixels.length; at += width) this.pixels[at] = theme.grid;
    }
  }

  // Fills a box, at least a pixel large. What is smaller than a pixel yields to what is there.
  fill(left, right, top, bottom, colour) {
    const { width, height } = this.image;
    let x0 = Math.round(left);
    let x1 = Math.round(right);
    let y0 = Math.round(top);
    let y1 = Math.round(bottom);
    const tiny = x1 <= x0 || y1 <= y0;
    x1 = Math.max(x1, x0 + 1);
    y0 = Math.min(y0, y1 - 1);
    if (x1 - x0 >= WITH_GAP) x1 -= 1;
    if (y1 - y0 >= WITH_GAP) y0 += 1;
    x0 = Math.min(Math.max(x0, 0), width - 1);
    x1 = Math.min(x1, width);
    y0 = Math.max(y0, 0);
    y1 = Math.min(Math.max(y1, 1), height);
    if (tiny && this.isTaken(x0, x1 - 1, y0, y1 - 1)) return;
    for (let row = y0 * width; row < y1 * width; row += width) this.pixels.fill(colour, row + x0, row + x1);
  }

  // Whether a thin line looks taken: its ends and its middle are.
  isTaken(x0, x1, y0, y1) {
    const isFull = (x, y) => !this.empty.includes(this.pixels[y * this.image.width + x]);
    return isFull(x0, y0) && isFull(x1, y1) && isFull((x0 + x1) >> 1, (y0 + y1) >> 1);
  }
}
