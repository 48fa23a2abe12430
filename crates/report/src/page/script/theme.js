// Colours, from the style sheet.

const dark = window.matchMedia("(prefers-color-scheme: dark)");

// Everything with a colour except buffers.
const NAMED = ["plot", "grid", "frame", "ink", "soft", "mark", "chosen", "load", "line", "strips", "lines", "bank"];

// Hues that a buffer may have, by what it is at the moment; each has shades.
const HUES = ["rest", "live", "sharing"];
const SHADES = 4;
// How much of its colour is left to what is not searched.
const FAINT = 0.22;

class Theme {
  // "light", "dark", or null for what the system says.
  constructor(chosen) {
    this.choose(chosen);
  }

  choose(chosen) {
    this.chosen = chosen;
    const name = this.name();
    document.documentElement.dataset.theme = name;
    const style = getComputedStyle(document.documentElement);
    const colour = (what) => style.getPropertyValue(`--${what}`).trim();
    this.colours = Object.fromEntries(NAMED.map((what) => [what, colour(what)]));
    this.plot = pixel(parts(this.colours.plot));
    this.grid = pixel(parts(this.colours.grid));
    // A pixel for each hue and shade, then the same faint, in the order of `tone`.
    const full = HUES.flatMap((hue) => Array.from({ length: SHADES }, (_, shade) => parts(colour(`${hue}-${shade}`))));
    const plot = parts(this.colours.plot);
    const faint = full.map((one) => one.map((part, at) => Math.round(part * FAINT + plot[at] * (1 - FAINT))));
    this.palette = Uint32Array.from([...full, ...faint], (one) => pixel(one));
  }

  name() {
    return this.chosen ?? (dark.matches ? "dark" : "light");
  }
}

// The place in the palette of a hue and a shade.
function tone(hue, shade, faint) {
  return (faint ? HUES.length * SHADES : 0) + hue * SHADES + shade;
}

// Red, green and blue of "#rrggbb".
function parts(colour) {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

// As the memory of a picture holds it.
function pixel([red, green, blue]) {
  return new Uint32Array(new Uint8ClampedArray([red, green, blue, 255]).buffer)[0];
}
