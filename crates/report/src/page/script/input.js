// What the mouse and the keys do.

// How much of what is in sight a key moves, and how much closer it comes.
const STEP = 0.12;
const CLOSER = 1.4;
// A press that moves further than so many pixels is no click.
const CLICK = 4;

function listen(page) {
  listenToControls(page);
  listenToMap(page, byId("map"));
  listenToLoad(page, byId("load"));
  listenToPoints(page, byId("drawing"));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
    if (event.target === byId("search")) return keyInSearch(page, event);
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    // Controls have their own use for these.
    const taken = {
      INPUT: /^(Arrow|Page|Home|End)/,
      SELECT: /^(Arrow|Enter|[a-z]$)/,
      BUTTON: /^Enter/,
      SUMMARY: /^Enter/,
    };
    if (taken[event.target.tagName]?.test(event.key) || !Object.hasOwn(KEYS, key)) return;
    if (page.plan === null && !ALWAYS.includes(key)) return;
    event.preventDefault();
    KEYS[key](page);
    page.changed();
  });
  new ResizeObserver(() => page.redraw()).observe(byId("map"));
  window.addEventListener("hashchange", () => page.restore());
  dark.addEventListener("change", () => page.setTheme(page.theme.chosen));
}

const next = (page, step) => page.show((page.item + step + items.length) % items.length);

const KEYS = {
  ArrowLeft: (page) => page.view.pan(-STEP, 0),
  ArrowRight: (page) => page.view.pan(STEP, 0),
  ArrowUp: (page) => page.view.pan(0, STEP),
  ArrowDown: (page) => page.view.pan(0, -STEP),
  "+": (page) => page.view.zoom(CLOSER, CLOSER),
  "=": (page) => page.view.zoom(CLOSER, CLOSER),
  "-": (page) => page.view.zoom(1 / CLOSER, 1 / CLOSER),
  0: (page) => page.view.all(),
  j: (page) => page.walk(1),
  k: (page) => page.walk(-1),
  Enter: (page) => page.chosen !== null && page.zoomTo(page.chosen),
  f: (page) => page.chosen !== null && page.zoomTo(page.chosen),
  Escape: (page) => page.choose(null),
  ",": (page) => page.setPosition(page.position - 1),
  ".": (page) => page.setPosition(page.position + 1),
  p: (page) => page.setPosition(page.peak()),
  b: (page) => page.setLayout(page.layoutName === "plan" ? "before" : "plan"),
  "[": (page) => next(page, -1),
  "]": (page) => next(page, 1),
  t: (page) => page.setTheme(page.theme.name() === "dark" ? "light" : "dark"),
  "/": () => byId("search").select(),
  "?": () => byId("keys").showModal(),
};

// Those that have a meaning where no scope is shown.
const ALWAYS = ["[", "]", "t", "?"];

function keyInSearch(page, event) {
  if (event.key === "Enter") page.walk(event.shiftKey ? -1 : 1);
  if (event.key !== "Escape") return;
  event.target.value = "";
  page.search("");
  byId("map").focus();
}

function listenToPoints(page, drawing) {
  const choose = (event) => {
    const point = event.target.closest("[data-option]");
    if (point !== null) page.choosePoint(point);
    return point !== null;
  };
  drawing.addEventListener("click", choose);
  drawing.addEventListener("keydown", (event) => {
    if (["Enter", " "].includes(event.key) && choose(event)) event.preventDefault();
  });
}

function listenToControls(page) {
  const onClick = (id, key) => {
    byId(id).addEventListener("click", () => {
      KEYS[key](page);
      page.changed();
    });
  };
  for (const [id, key] of [
    ["theme", "t"],
    ["help", "?"],
    ["peak", "p"],
    ["in", "+"],
    ["out", "-"],
    ["all", "0"],
  ]) {
    onClick(id, key);
  }
  for (const name of ["plan", "before"]) byId(name).addEventListener("click", () => page.setLayout(name));
  byId("scope").addEventListener("change", (event) => page.show(Number(event.target.value)));
  byId("search").addEventListener("input", (event) => page.search(event.target.value));
  byId("position").addEventListener("input", (event) => page.setPosition(Number(event.target.value)));
  document.querySelector("aside").addEventListener("click", (event) => {
    const of = event.target.closest("[data-buffer]");
    if (of) page.choose(Number(of.dataset.buffer));
    const chain = event.target.closest("[data-chain]");
    if (chain) page.chooseChain(page.plan.chains[Number(chain.dataset.chain)]);
  });
  byId("strips").addEventListener("click", (event) => {
    const chain = page.strips.at(event.offsetX, page);
    if (chain !== null) page.chooseChain(chain);
  });
}

function listenToMap(page, canvas) {
  let pressed = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pressed = { x: event.offsetX, y: event.offsetY, from: { ...page.view } };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (pressed === null) return page.hover(event);
    const [x, y] = [event.offsetX - pressed.x, event.offsetY - pressed.y];
    if (!pressed.moved && Math.hypot(x, y) < CLICK) return;
    pressed.moved = true;
    page.leave();
    const { width, height } = page.map.area;
    page.view.set(pressed.from);
    page.view.pan(-x / width, y / height);
    page.changed();
  });
  canvas.addEventListener("pointerup", (event) => {
    if (pressed && !pressed.moved) page.choose(page.map.at(event.offsetX, event.offsetY, page.layout));
    pressed = null;
  });
  canvas.addEventListener("pointercancel", () => {
    pressed = null;
  });
  canvas.addEventListener("pointerleave", () => page.leave());
  canvas.addEventListener("dblclick", (event) => {
    const buffer = page.map.at(event.offsetX, event.offsetY, page.layout);
    if (buffer !== null) page.zoomTo(buffer);
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      // With Shift, some browsers scroll sideways.
      const factor = Math.exp(-0.0016 * (event.deltaY || event.deltaX));
      const { left, top, width, height } = page.map.area;
      const atX = Math.min(Math.max((event.offsetX - left) / width, 0), 1);
      const atY = Math.min(Math.max((top + height - event.offsetY) / height, 0), 1);
      page.view.zoom(event.altKey ? 1 : factor, event.shiftKey ? 1 : factor, atX, atY);
      page.leave();
      page.changed();
    },
    { passive: false },
  );
}

function listenToLoad(page, canvas) {
  const move = (event) => {
    if (event.buttons !== 1) return;
    page.setPosition(page.map.place(event.offsetX, 0)[0]);
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    move(event);
  });
  canvas.addEventListener("pointermove", move);
}

listen(new Page());
