// Bytes and numbers for people.

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

// The power of 1024 of the largest unit that keeps `bytes` at 1 or more.
function unitOf(bytes) {
  let power = 0;
  while (bytes >= 1024 && power + 1 < UNITS.length) {
    bytes /= 1024;
    power += 1;
  }
  return power;
}

// To three digits: "4.82 MiB".
function short(bytes) {
  let power = unitOf(bytes);
  if (power === 0) return `${bytes} B`;
  let value = bytes / 1024 ** power;
  if (value >= 1023.5 && power + 1 < UNITS.length) value = bytes / 1024 ** ++power;
  const decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return `${value.toFixed(decimals)} ${UNITS[power]}`;
}

// In the unit of that power, as few digits as it takes: "0.25 MiB".
function exactIn(bytes, power) {
  return `${Number((bytes / 1024 ** power).toFixed(3))} ${UNITS[power]}`;
}

// With a comma between thousands; what a number of JavaScript cannot hold is said to be about.
function grouped(number) {
  const text = number.toLocaleString("en-US", { maximumFractionDigits: 0 });
  return Number.isSafeInteger(number) ? text : `about ${text}`;
}

// "4.82 MiB (5,053,000 B)".
function both(bytes) {
  return bytes < 1024 ? short(bytes) : `${short(bytes)} (${grouped(bytes)} B)`;
}

// What is known only at run time is null.
function known(value, text) {
  return value === null ? "?" : text(value);
}

function counted(count, noun) {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

// The multiples of `step` from `from` to `to`. Counted from the first, as far from 0 one more may be the same number.
function multiples(from, to, step) {
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  return Array.from({ length: Math.max(count, 0) || 0 }, (_, at) => (first + at) * step);
}

// Round positions, at most about `most`.
function positionTicks(from, to, most) {
  const least = Math.max((to - from) / Math.max(most, 1), 1);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= least);
  return multiples(from, to, step);
}

// Round addresses, at most about `most`, with labels.
function addressTicks(from, to, most) {
  const least = Math.max((to - from) / Math.max(most, 1), 1);
  const step = 2 ** Math.ceil(Math.log2(least));
  const unit = unitOf(to);
  // Next to each other, ticks in a large unit would read the same.
  const power = Math.min(unit, unitOf(step * 1024));
  return multiples(from, to, step).map((bytes) => [bytes, bytes === 0 ? "0" : exactIn(bytes, power)]);
}
