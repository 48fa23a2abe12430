// What is said of buffers in words.

// No list on the page is longer than this.
const MOST_ROWS = 100;
const MOST_IN_TIP = 4;

// An element with attributes and what is in it.
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  made.append(...children);
  return made;
}

// A button that chooses a buffer; marked by its place, so that one listener serves all.
function link(plan, buffer) {
  const button = element("button", { type: "button", className: "link" }, plan.label(buffer));
  button.dataset.buffer = buffer;
  return button;
}

// All about a buffer, with at most so many of those that share its bytes.
function about(plan, layout, buffer, most) {
  const { buffers } = plan;
  const rows = [];
  if (plan.type(buffer) !== "") rows.push(["type", plan.type(buffer)]);
  rows.push(["size", plan.unknownSize(buffer) ?? both(buffers.size[buffer])]);
  const ends = buffers.offset[buffer] + buffers.size[buffer];
  const isKnown = plan.unknownSize(buffer) === null;
  rows.push(["offset", isKnown ? `${plan.offsetText(buffer)} B, to ${grouped(ends)} B` : plan.offsetText(buffer)]);
  if (layout !== plan.layouts.plan && isKnown) rows.push(["before", `${grouped(layout.offsets[buffer])} B`]);
  rows.push(["alignment", `${grouped(buffers.alignment[buffer])} B`], ["live", plan.liveText(buffer)]);
  if (buffers.location[buffer] !== "") rows.push(["location", buffers.location[buffer]]);
  if (buffer in buffers.made_by) rows.push(["from", buffers.made_by[buffer]], ["at the peak", buffers.at_peak[buffer]]);
  if (buffer in buffers.lines) rows.push(["strips", buffers.lines[buffer]]);
  if (buffer in buffers.arena_of) rows.push(["arena of", buffers.arena_of[buffer]]);
  if (buffer in buffers.in_place_with) rows.push(["in place with", other(plan, buffers.in_place_with[buffer])]);
  if (buffer in buffers.same_as) rows.push(["the same as", other(plan, buffers.same_as[buffer])]);
  rows.push(["shares with", sharers(plan, buffer, most)]);
  const list = element("dl", {});
  for (const [name, text] of rows) list.append(element("dt", {}, name), element("dd", {}, text));
  const fragment = document.createDocumentFragment();
  fragment.append(element("h3", {}, `${plan.label(buffer)} ${plan.shape(buffer)}`), list);
  return fragment;
}

function other(plan, id) {
  const place = plan.places.get(id);
  return place === undefined ? `#${id}` : link(plan, place);
}

// Those that share a buffer's bytes, most bytes first.
function sharers(plan, buffer, most) {
  const sharing = [...plan.sharing(buffer)].sort((a, b) => b[1] - a[1] || plan.rank[a[0]] - plan.rank[b[0]]);
  if (sharing.length === 0) return "none";
  const all = element("span", {}, `${counted(sharing.length, "buffer")}: `);
  sharing.slice(0, most).forEach(([one, bytes], at) => {
    if (at > 0) all.append(", ");
    all.append(link(plan, one), plan.unknownSize(one) === null ? ` ${short(bytes)}` : "");
  });
  if (sharing.length > most) all.append(` and ${grouped(sharing.length - most)} more`);
  return all;
}

// The rows of the table of what is live.
function liveRows(plan, live, chosen) {
  return live.slice(0, MOST_ROWS).map((buffer) => {
    const row = element(
      "tr",
      { className: buffer === chosen ? "chosen" : "" },
      element("th", { scope: "row" }, link(plan, buffer), element("span", {}, plan.shape(buffer))),
      element("td", {}, plan.sizeText(buffer)),
      element("td", {}, plan.offsetText(buffer)),
      element("td", {}, plan.liveText(buffer)),
    );
    row.dataset.buffer = buffer;
    return row;
  });
}

// The rows of the table of what other options would give.
function measureRows(measures) {
  return measures.map(({ option, about, heap, base, removes }) => {
    const percent = base === 0 ? "" : `, ${((100 * Math.abs(heap - base)) / base).toFixed(1)}%`;
    const change = `${short(Math.abs(heap - base))}${percent} ${heap < base ? "less" : "more"}`;
    const words = removes ? `without: ${about}` : about;
    return element(
      "tr",
      { className: heap < base ? "lowers" : "" },
      element("th", { scope: "row" }, element("code", {}, option), element("span", {}, words)),
      element("td", {}, short(heap), element("span", {}, change)),
    );
  });
}

// What a scope is, in a line.
function facts(plan) {
  const ratio = plan.naive > plan.planned ? `, ${(100 - (100 * plan.planned) / plan.naive).toFixed(1)}% less` : "";
  const words = [
    counted(plan.count, "buffer"),
    `arena of ${both(plan.planned)} instead of ${short(plan.naive)}${ratio}`,
    plan.optimal ? "no plan is smaller" : `no plan is below ${short(plan.bound)}`,
  ];
  if (plan.peak !== null) words.push(`peak load ${short(plan.peak[2])} at ${grouped(plan.peak[0])}`);
  if (plan.slots.length > 0) words.push(`${counted(plan.slots.length, "slot")} for dynamic sizes`);
  if (plan.chains.length > 0) words.push(`${counted(plan.chains.length, "chain")} in strips`);
  words.push(`alignment ${grouped(plan.alignment)} B`);
  if (plan.planner !== "") words.push(`planner ${plan.planner}`);
  if (plan.arena !== "") words.push(`in ${plan.arena}`);
  return words.join(" · ");
}
