// What drawings have in common: margins, letters, a canvas of the right size.

// Space for the axes left of the boxes and of the load, in CSS pixels, and what stays free right of them.
const LEFT = 84;
const RIGHT = 14;
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
