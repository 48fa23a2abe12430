// The page: what is shown of the plan.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);

// What can be shown: the scopes of each function, and its curves where it has some.
const seen = new Map();
const items = data.functions.flatMap((of) => {
  // Several functions may have one name.
  const times = (seen.get(of.name) ?? 0) + 1;
  seen.set(of.name, times);
  const key = times > 1 ? `${of.name}~${times}` : of.name;
  const shown = of.scopes.map((scope) => ({ of, key, scope, part: String(scope.number), name: scope.name }));
  if (of.curve !== "")
    shown.push({ of, key, scope: null, part: "curve", svg: of.curve, name: `@${of.name} · stack against bytes moved` });
  if (of.costs !== "")
    shown.push({ of, key, scope: null, part: "costs", svg: of.costs, name: `@${of.name} · cost against bytes` });
  return shown;
});

class Page {
  constructor() {
    this.map = new BufferMap(byId("map"));
    this.strips = new StripLane(byId("strips"));
    this.load = new LoadCurve(byId("load"));
    this.theme = new Theme(null);
    this.hovered = null;
    const options = items.map((item, at) => element("option", { value: at }, item.name));
    byId("scope").replaceChildren(...options);
    this.restore();
  }

  // Shows what the address asks for.
  restore() {
    const state = readState();
    const isWanted = ({ key, part }) => key === state.function && (state.scope ?? part) === part;
    this.show(Math.max(items.findIndex(isWanted), 0));
    this.setTheme(state.theme);
    if (this.plan === null) return;
    if (state.view === "before") this.setLayout("before");
    this.search(state.search ?? "");
    byId("search").value = state.search ?? "";
    if (state.position !== undefined) this.setPosition(state.position);
    const chosen = this.plan.places.get(state.buffer);
    if (chosen !== undefined) this.choose(chosen);
    if (state.window) this.view.set(state.window);
    this.changed();
  }

  // Keeps what is shown in the address, a little later, as browsers take only so many changes of it.
  keep() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { key, part } = items[this.item];
      const { plan } = this;
      writeState({
        function: key,
        scope: part,
        view: plan && this.layoutName !== "plan" ? this.layoutName : undefined,
        position: plan && this.position !== this.peak() ? this.position : undefined,
        buffer: plan && this.chosen !== null ? plan.buffers.id[this.chosen] : undefined,
        search: this.words?.join(" "),
        theme: this.theme.chosen,
        window:
          plan && !this.view.isAll() ? Object.fromEntries(WINDOW.map((side) => [side, this.view[side]])) : undefined,
      });
    }, 150);
  }

  // Shows one of the items from the beginning.
  show(item) {
    this.item = item;
    const { of, scope, svg } = items[item];
    byId("scope").value = item;
    byId("curve").hidden = scope !== null;
    byId("drawing").innerHTML = scope === null ? svg : "";
    this.preparePoints();
    for (const part of document.querySelectorAll(".of-scope")) part.hidden = scope === null;
    this.plan = scope && new Plan(scope);
    byId("facts").textContent = this.plan === null ? "" : facts(this.plan);
    this.showSkipped(of.skipped);
    byId("measures").hidden = of.measures.length === 0;
    byId("measures").querySelector("tbody").replaceChildren(...measureRows(of.measures));
    if (this.plan === null) return this.keep();
    this.chosen = null;
    this.hovered = null;
    this.words = [];
    this.isFaint = null;
    this.view = null;
    const slider = byId("position");
    Object.assign(slider, { min: this.plan.from, max: this.plan.to });
    byId("unknown").hidden = this.plan.slots.length === 0;
    byId("gaps").hidden = this.plan.layouts.plan.gaps.count === 0;
    byId("lines").hidden = Object.keys(this.plan.buffers.lines).length === 0;
    this.showChains();
    byId("joined").hidden = Object.keys(this.plan.buffers.in_place_with).length === 0;
    this.layoutName = "plan";
    this.setLayout("plan");
    this.setPosition(this.peak());
    this.search(byId("search").value);
    this.choose(null);
  }

  // Lets points of a curve be chosen by mouse and by keyboard.
  preparePoints() {
    const points = byId("drawing").querySelectorAll("[data-option]");
    for (const point of points) {
      point.setAttribute("tabindex", "0");
      point.setAttribute("role", "button");
    }
    byId("option").textContent = points.length > 0 ? "Click a point: here is the option for its budget." : "";
  }

  // Says which option leads to a point of a curve.
  choosePoint(point) {
    for (const other of byId("drawing").querySelectorAll("[data-option]"))
      other.classList.toggle("picked", other === point);
    const facts = point.querySelector("title").textContent.split("\n").slice(1);
    byId("option").replaceChildren(element("code", {}, point.dataset.option), ` ${facts.join(" · ")}`);
  }

  showSkipped(skipped) {
    const list = byId("skipped");
    list.hidden = skipped.length === 0;
    list.querySelector("summary").textContent = `${counted(skipped.length, "allocation")} left alone`;
    const lines = skipped.slice(0, MOST_ROWS).map(([location, type, reason]) => `${reason}: ${type} at ${location}`);
    if (skipped.length > MOST_ROWS) lines.push(`and ${grouped(skipped.length - MOST_ROWS)} more`);
    list.querySelector("ul").replaceChildren(...lines.map((line) => element("li", {}, line)));
  }

  showChains() {
    const { chains } = this.plan;
    for (const part of ["strips", "chains"]) byId(part).hidden = chains.length === 0;
    byId("chains-title").textContent = `${counted(chains.length, "chain")} in strips`;
    byId("chains").querySelector("tbody").replaceChildren(...chainRows(this.plan));
  }

  // Shows a chain as large as leaves some of what is around it, and says all about it.
  chooseChain(chain) {
    this.choose(null);
    const { from, to } = chain;
    const around = (to - from) * 0.1;
    const { low, high } = this.view.extent;
    this.view.set({ from: from - around, to: to + around, low, high });
    const heading = element("h3", {}, `${chain.each} strips`);
    byId("chosen").replaceChildren(heading, aboutChain(chain));
    this.changed();
  }

  peak() {
    return this.plan.peak?.[0] ?? this.plan.from;
  }

  get layout() {
    return this.plan.layouts[this.layoutName];
  }

  // Changes the addresses: "plan" or "before". Times in sight stay.
  setLayout(name) {
    this.layoutName = name;
    const earlier = this.view;
    const { from, to } = this.plan;
    const { highest } = this.layout;
    this.view = new View(from, to, highest * 1.05);
    if (earlier?.extent.from === from && earlier.extent.to === to) {
      this.view.set({ ...this.view.extent, from: earlier.from, to: earlier.to });
    }
    for (const one of ["plan", "before"]) byId(one).setAttribute("aria-pressed", one === name);
    this.changed();
  }

  setTheme(name) {
    this.theme.choose(name === "light" || name === "dark" ? name : null);
    byId("theme").textContent = this.theme.name() === "dark" ? "Light" : "Dark";
    this.changed();
  }

  setPosition(position) {
    const { plan } = this;
    this.position = Math.min(Math.max(Math.floor(position), plan.from), plan.to - 1);
    byId("position").value = this.position;
    const { from, to, low, high } = this.view;
    if (this.position < from || this.position > to) this.view.reveal(this.position, this.position + 1, low, high);
    this.live = plan.liveAt(this.position);
    const noun = plan.of_program ? "position" : "time";
    const known = plan.slots.length > 0 ? " of known size" : "";
    const share = `${both(plan.loadAt(this.position))}${known} live in ${counted(this.live.length, "buffer")}`;
    byId("here").textContent = `${noun} ${grouped(this.position)}: ${share}`;
    byId("position").setAttribute("aria-valuetext", byId("here").textContent);
    byId("live-title").textContent = `Live at ${noun} ${grouped(this.position)}`;
    this.showLive();
    this.recoloured();
  }

  showLive() {
    byId("live").tBodies[0].replaceChildren(...liveRows(this.plan, this.live, this.chosen));
    const hidden = this.live.length - MOST_ROWS;
    byId("more").textContent = hidden > 0 ? `and ${grouped(hidden)} smaller ones` : "";
  }

  // Makes faint what does not have all the words.
  search(text) {
    const { plan } = this;
    this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.isFaint = null;
    if (this.words.length > 0) {
      this.isFaint = Uint8Array.from(plan.buffers.id, (_, buffer) => (plan.matches(buffer, this.words) ? 0 : 1));
    }
    const count = this.isFaint?.reduce((found, faint) => found + 1 - faint, 0);
    byId("found").textContent = this.isFaint ? `${grouped(count)} of ${counted(plan.count, "buffer")}` : "";
    this.recoloured();
  }

  // Chooses a buffer, or none with null, and brings it in sight.
  choose(buffer) {
    const { plan } = this;
    this.chosen = buffer;
    this.sharing = buffer === null ? new Map() : plan.sharing(buffer);
    const text = "none: click a box, or press J";
    byId("chosen").replaceChildren(buffer === null ? text : about(plan, this.layout, buffer, MOST_ROWS));
    const first = buffer === null ? undefined : usesOf(plan.buffers, buffer)[0];
    if (first !== undefined) {
      const [start, end, low, high] = first;
      const offset = this.layout.offsets[buffer];
      this.view.reveal(start, end, offset + low, offset + high);
    }
    this.showLive();
    this.recoloured();
  }

  // Chooses the next or the previous one of what is searched.
  walk(step) {
    const { plan } = this;
    let rank = this.chosen === null ? (step > 0 ? -1 : plan.count) : plan.rank[this.chosen];
    for (rank += step; rank >= 0 && rank < plan.count; rank += step) {
      const buffer = plan.order[rank];
      if (this.isFaint?.[buffer]) continue;
      return this.choose(buffer);
    }
  }

  // Shows a buffer as large as leaves some of what is around it.
  zoomTo(buffer) {
    const uses = usesOf(this.plan.buffers, buffer);
    if (uses.length === 0) return;
    const [from, to] = [uses[0][0], uses.at(-1)[1]];
    const low = this.layout.offsets[buffer];
    const size = this.plan.buffers.size[buffer];
    const [across, up] = [(to - from) * 0.75, size * 0.75];
    this.view.set({ from: from - across, to: to + across, low: low - up, high: low + size + up });
    this.changed();
  }

  // What each buffer looks like at the moment.
  look() {
    const { plan, isFaint } = this;
    const hues = new Uint8Array(plan.count);
    for (const buffer of this.live) hues[buffer] = HUES.indexOf("live");
    for (const buffer of this.sharing.keys()) hues[buffer] = HUES.indexOf("sharing");
    return hues.map((hue, buffer) => tone(hue, buffer % SHADES, isFaint?.[buffer] === 1));
  }

  // Buffers look otherwise now.
  recoloured() {
    this.tones = null;
    this.changed();
  }

  // Draws anew with the next frame, and keeps the address.
  changed() {
    this.keep();
    this.redraw();
  }

  redraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      if (this.plan !== null) this.draw();
    });
  }

  draw() {
    this.tones ??= this.look();
    this.map.draw(this);
    this.strips.draw(this);
    this.load.draw(this);
  }

  // Says what the mouse is over, beside it.
  hover(event) {
    const { offsetX, offsetY, clientX, clientY } = event;
    const buffer = this.map.at(offsetX, offsetY, this.layout);
    const tip = byId("tip");
    tip.hidden = buffer === null;
    if (buffer !== null && buffer !== this.hovered) {
      tip.replaceChildren(about(this.plan, this.layout, buffer, MOST_IN_TIP));
    }
    if (buffer !== null) {
      const { offsetWidth, offsetHeight } = tip;
      const left = clientX + 16 + offsetWidth > window.innerWidth ? clientX - 16 - offsetWidth : clientX + 16;
      const top = Math.min(clientY + 16, window.innerHeight - offsetHeight - 8);
      Object.assign(tip.style, { left: `${Math.max(left, 4)}px`, top: `${Math.max(top, 4)}px` });
    }
    if (buffer === this.hovered) return;
    this.hovered = buffer;
    this.redraw();
  }

  leave() {
    byId("tip").hidden = true;
    this.hovered = null;
    this.redraw();
  }
}
