// The state of the page, as the fragment of its address.

const WINDOW = ["from", "to", "low", "high"];

// What the address says; what it does not say is missing.
function readState() {
  const asked = new URLSearchParams(window.location.hash.slice(1));
  const number = (name) => {
    const value = Number.parseFloat(asked.get(name));
    return Number.isFinite(value) ? value : undefined;
  };
  const state = { position: number("position"), buffer: number("buffer") };
  for (const name of ["function", "scope", "search", "view", "theme"]) state[name] = asked.get(name) ?? undefined;
  const window_ = Object.fromEntries(WINDOW.map((side) => [side, number(side)]));
  if (window_.from < window_.to && window_.low < window_.high) state.window = window_;
  return state;
}

// Writes it there, without a step in the history.
function writeState(state) {
  const said = new URLSearchParams();
  const { window: window_, ...rest } = state;
  for (const [name, value] of Object.entries({ ...rest, ...window_ })) {
    if (value !== undefined && value !== null && value !== "") said.set(name, value);
  }
  window.history.replaceState(null, "", `#${said}`);
}
