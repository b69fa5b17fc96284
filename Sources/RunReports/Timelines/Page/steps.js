// The list of steps, expectations and findings beside the picture; it marks the one that is at the cursor.

const narrow = matchMedia("(max-width:759px)");

class Steps {
  constructor(model) {
    this.box = byId("story");
    this.current = null;
    this.take(model);
    // Where it is below the picture it is closed until somebody wants it.
    const fold = () => { this.box.open = !narrow.matches; };
    narrow.addEventListener("change", fold);
    fold();
    this.box.addEventListener("keydown", (event) => this.key(event));
  }

  // The list is in the page; each item says which mark it is.
  take(model) {
    this.model = model;
    this.items = [...this.box.querySelectorAll("[data-mark]")].map((button) => ({ button, index: Number(button.dataset.mark) }));
    this.current = null;
    byId("steps-count").textContent = `(${this.items.length})`;
  }

  // The chosen one, else the last one that is not after an instant.
  at(time, chosen) {
    const own = chosen?.kind === "mark" ? this.items.find((item) => item.index === chosen.index) : null;
    return own ?? this.items.findLast((item) => this.model.marks[item.index].at <= time) ?? null;
  }

  mark(time, chosen) {
    const item = this.at(time, chosen);
    if (item === this.current) return;
    this.current?.button.removeAttribute("aria-current");
    item?.button.setAttribute("aria-current", "step");
    this.current = item;
    if (item) this.reveal(item.button);
  }

  // Moves the list only, not the page.
  reveal(button) {
    const box = this.box.getBoundingClientRect(), own = button.getBoundingClientRect();
    const top = box.top + this.box.querySelector("summary").offsetHeight;
    if (own.top < top) this.box.scrollTop -= top - own.top;
    else if (own.bottom > box.bottom) this.box.scrollTop += own.bottom - box.bottom;
  }

  // Up and down go through the list.
  key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const place = this.items.findIndex((item) => item.button === event.target);
    if (!by || place < 0) return;
    event.preventDefault();
    this.items[place + by]?.button.focus();
  }
}
