"use strict";
// Each heading of a sortable table becomes a button: words sort from A on first, numbers from the greatest.
// What has no value stays below, whichever way the rest is sorted.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, heads, column));
  });
}

function sort(table, heads, column) {
  const head = heads[column];
  const isNumber = head.classList.contains("number");
  const before = head.getAttribute("aria-sort");
  const isUp = before === null ? !isNumber : before === "descending";
  const value = (row) => row.cells[column].dataset.value;
  const compare = (one, other) =>
    isNumber ? Number(one) - Number(other) : one.localeCompare(other, "en", { numeric: true });
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const known = rows.filter((row) => value(row) !== undefined);
  const missing = rows.filter((row) => value(row) === undefined);
  known.sort((one, other) => (isUp ? 1 : -1) * compare(value(one), value(other)));
  body.append(...known, ...missing);
  heads.forEach((each) => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
}
