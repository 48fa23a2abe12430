// On the index: shows the pages whose name or title has every word that is typed.
"use strict";

const field = document.getElementById("filter");
const rows = [...document.querySelectorAll("table.pages tr")];

function filter() {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    const isLeaf = row.classList.contains("leaf");
    row.hidden = !words.every((word) => text.includes(word)) || (isLeaf && words.length === 0);
  }
  for (const part of document.querySelectorAll("section"))
    part.hidden = ![...part.querySelectorAll("tr")].some((row) => !row.hidden);
  document.getElementById("none").hidden = rows.some((row) => !row.hidden);
}

field.addEventListener("input", filter);
field.addEventListener("keydown", (event) => {
  const first = rows.find((row) => !row.hidden);
  if (event.key === "Enter" && first) location.href = first.querySelector("a").href;
});
field.closest("p").hidden = false;
filter();
