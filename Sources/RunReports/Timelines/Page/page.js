// What people do with the page.

class Page {
  constructor(model) {
    this.model = model;
    this.view = byId("view");
    this.drawing = new Drawing(this.view, model);
    this.overview = byId("overview");
    this.scroll = this.view.parentElement;
    this.steps = new Steps(model);
    // The instant that the list and the keys are about.
    this.cursor = 0;
    this.matches = null;
    this.isWaiting = false;
    // Counts what was opened.
    this.turn = 0;
    this.listen();
    this.readHash();
    this.point();
    this.refresh();
  }

  // Puts the cursor at an instant, or leaves it where it is; it stays in sight.
  point(time = this.cursor) {
    const drawing = this.drawing;
    const isSeen = time >= drawing.start && time <= drawing.finish;
    this.cursor = Math.min(this.model.end, Math.max(0, isSeen ? time : drawing.start + drawing.span / 2));
    const line = byId("cursor");
    line.hidden = false;
    line.style.height = `${drawing.height}px`;
    line.style.transform = `translateX(${drawing.x(this.cursor).toFixed(1)}px)`;
    // As close as a flag can be hit.
    this.steps.mark(this.cursor + 5 * drawing.scale, drawing.selected && this.model.instant(drawing.selected) === this.cursor ? drawing.selected : null);
  }

  // What is stepped through: matches of a search, the calls of a lane once one of them is open, else marks.
  get drawnItems() {
    const chosen = this.drawing.selected;
    if (!this.matches && chosen?.kind === "call") {
      return this.model.callsOf[this.model.calls.lane[chosen.index]].map((index) => ({ kind: "call", index }));
    }
    return this.matches ?? this.model.marks.map((_, index) => ({ kind: "mark", index })).filter((item) => !isSmall(this.model.marks[item.index]));
  }

  // One picture for each frame at most.
  refresh() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.drawing.draw();
      this.drawOverview();
      this.point();
      clearTimeout(this.listing);
      this.listing = setTimeout(() => { this.list(); this.writeHash(); }, 250);
    });
  }

  listen() {
    const view = this.view, drawing = this.drawing;
    const actions = {
      out: () => drawing.zoom(1.6), in: () => drawing.zoom(1 / 1.6), fit: () => drawing.fit(),
      previous: () => this.step(-1), next: () => this.step(1), options: () => this.showOptions(),
    };
    for (const button of document.querySelectorAll("[data-do]")) {
      button.addEventListener("click", () => { actions[button.dataset.do](); this.refresh(); });
    }
    for (const box of document.querySelectorAll("[data-show]")) {
      box.addEventListener("change", () => { drawing.shows[box.dataset.show] = box.checked; this.search(); this.refresh(); });
    }
    document.addEventListener("click", (event) => {
      const call = event.target.closest("[data-call]");
      if (call) {
        this.goto({ kind: "call", index: Number(call.dataset.call) });
        this.stage.scrollIntoView({ block: "nearest" });
      }
      for (const kind of ["mark", "log"]) {
        const button = event.target.closest(`[data-${kind}]`);
        if (!button) continue;
        this.goto({ kind, index: Number(button.dataset[kind]) });
        this.stage.scrollIntoView({ block: "nearest" });
      }
    });
    byId("search").addEventListener("input", () => { this.search(); this.refresh(); });
    byId("search").addEventListener("keydown", (event) => {
      if (event.key === "Enter") { this.step(event.shiftKey ? -1 : 1); event.preventDefault(); }
    });
    view.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) drawing.pan((event.deltaX || event.deltaY) * 1.2);
      else drawing.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.005), this.position(event)[0]);
      this.refresh();
    }, { passive: false });
    this.listenToPointer();
    // Wherever the focus is: the page has no keys before it is clicked into otherwise.
    addEventListener("keydown", (event) => this.key(event));
    this.scroll.addEventListener("scroll", () => this.refresh(), { passive: true });
    this.overview.addEventListener("pointerdown", (event) => {
      const box = this.overview.getBoundingClientRect();
      drawing.show((event.clientX - box.left - drawing.gutter) / (box.width - drawing.gutter - 12) * this.model.end);
      this.refresh();
    });
    const resize = () => { drawing.resize(); this.refresh(); };
    addEventListener("resize", resize);
    // A scroll bar may come and go.
    new ResizeObserver(() => { if (this.scroll.clientWidth !== drawing.width) resize(); }).observe(this.scroll);
    matchMedia("(prefers-color-scheme:dark)").addEventListener("change", () => { drawing.resize(); this.refresh(); });
  }

  // A drag moves time; the mouse moves the lanes, too, which a finger does by itself.
  listenToPointer() {
    const view = this.view, drawing = this.drawing;
    let drag = null, moved = false;
    view.addEventListener("pointerdown", (event) => {
      drag = [event.clientX, event.clientY];
      moved = false;
      view.setPointerCapture(event.pointerId);
    });
    view.addEventListener("pointermove", (event) => {
      if (drag === null) { this.hover(event); return; }
      const [x, y] = [event.clientX, event.clientY];
      if (Math.hypot(x - drag[0], y - drag[1]) < 3 && !moved) return;
      moved = true;
      drawing.pan(drag[0] - x);
      if (event.pointerType === "mouse") this.scroll.scrollTop += drag[1] - y;
      drag = [x, y];
      this.refresh();
    });
    view.addEventListener("pointerup", (event) => {
      if (!moved) {
        const [x, y] = this.position(event), item = drawing.at(x, y);
        this.open(item);
        this.point(item ? this.model.instant(item) : drawing.time(x));
      }
      drag = null;
    });
    view.addEventListener("pointercancel", () => { drag = null; });
    view.addEventListener("pointerleave", () => {
      if (drawing.selected) this.point(this.model.instant(drawing.selected));
    });
  }

  get stage() { return this.scroll.parentElement; }

  // Where there is little room, what is shown and the search are behind a button.
  showOptions(isShown = !byId("options").classList.contains("shown")) {
    byId("options").classList.toggle("shown", isShown);
    byId("options-button").setAttribute("aria-expanded", isShown);
    if (isShown) byId("search").focus();
  }

  position(event) {
    const box = this.view.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  hover(event) {
    const [x, y] = this.position(event), item = this.drawing.at(x, y);
    if (x >= this.drawing.gutter) this.point(this.drawing.time(x));
    this.view.title = item ? `${this.model.words(item)} (${seconds(this.model.instant(item), 1e3)} s)` : "";
    this.view.style.cursor = item ? "pointer" : "";
  }

  // Escape works everywhere; letters and signs wherever nothing is written; what scrolls and opens elsewhere, in the
  // picture only, or before anything has the focus.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const drawing = this.drawing, target = event.target;
    const width = drawing.width - drawing.gutter - 12;
    const pan = (by) => { drawing.pan(by * width); this.point(drawing.start + drawing.span / 2); };
    const end = (time) => { drawing.show(time); this.point(time); };
    const everywhere = {
      "+": () => drawing.zoom(1 / 1.6), "=": () => drawing.zoom(1 / 1.6), "-": () => drawing.zoom(1.6),
      0: () => drawing.fit(), "[": () => this.step(-1), "]": () => this.step(1),
      "/": () => { this.showOptions(true); byId("search").focus(); },
    };
    const inPicture = {
      ArrowLeft: () => pan(-0.15), ArrowRight: () => pan(0.15), PageUp: () => pan(-1), PageDown: () => pan(1),
      ArrowUp: () => { this.scroll.scrollTop -= 60; }, ArrowDown: () => { this.scroll.scrollTop += 60; },
      Home: () => end(0), End: () => end(this.model.end), Enter: () => this.read(this.nearest()),
    };
    const isWriting = target.matches?.("input[type=search]");
    const isPicture = target === this.view || target === document.body || target === document.documentElement;
    const action = event.key === "Escape" ? () => this.escape()
      : isWriting ? null : everywhere[event.key] ?? (isPicture ? inPicture[event.key] : null);
    if (!action) return;
    event.preventDefault();
    action();
    this.refresh();
  }

  // A search goes first, then what is open; the picture has the keys again.
  escape() {
    if (byId("search").value) {
      byId("search").value = "";
      this.search();
    } else this.open(null);
    this.showOptions(false);
    this.view.focus({ preventScroll: true });
  }

  nearest() {
    let best = null, distance = Infinity;
    for (const item of this.inView(2000)) {
      const away = Math.abs(this.model.instant(item) - this.cursor);
      if (away < distance) { distance = away; best = item; }
    }
    return best;
  }

  // To the next or the previous match; without a search, step, expectation, fault or finding.
  step(by) {
    const items = this.drawnItems;
    if (!items.length) return;
    const now = this.drawing.selected ? this.model.instant(this.drawing.selected) : this.cursor;
    const same = (item) => this.drawing.selected && item.kind === this.drawing.selected.kind && item.index === this.drawing.selected.index;
    const place = items.findIndex(same);
    let next = place >= 0 ? place + by : by > 0 ? items.findIndex((item) => this.model.instant(item) >= now) : items.findLastIndex((item) => this.model.instant(item) <= now);
    next = (next + items.length) % items.length;
    byId("count").textContent = `${next + 1} of ${items.length}`;
    this.goto(items[next]);
  }

  goto(item, time = this.model.instant(item)) {
    const widths = { packet: 500e6, pdu: 5e6, mark: 2e9, span: 2e9, call: 500e6, log: 500e6 };
    this.drawing.show(time, item ? widths[item.kind] : 2e9);
    if (item) this.open(item);
    this.point(time);
    if (item) this.reveal(this.model.lane(item));
    this.refresh();
  }

  // Scrolls a lane into the part of the picture that is seen.
  reveal(lane) {
    if (lane < 0 || lane >= this.model.lanes.length) return;
    const top = this.drawing.top(lane) - 30, bottom = this.drawing.top(lane + 1), room = this.scroll.clientHeight;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (bottom > this.scroll.scrollTop + room) this.scroll.scrollTop = Math.min(top, bottom - room + 4);
  }

  // Another instant, and what is open stays open.
  show(time) {
    this.drawing.show(time, 2e9);
    this.point(time);
    this.refresh();
  }

  search() {
    const text = byId("search").value.trim();
    this.matches = text ? this.model.find(text, this.drawing.shows) : null;
    byId("count").textContent = this.matches ? `${this.matches.length} found` : "";
  }

  // Marks and packets in view, PDUs where few are.
  inView(most) {
    const { start, finish, shows } = this.drawing;
    const items = [];
    this.model.marks.forEach((mark, index) => {
      if (mark.at >= start && mark.at <= finish && (shows.notes || !isSmall(mark))) items.push({ kind: "mark", index });
    });
    if (shows.packets) for (const index of this.model.packetsIn(start, finish)) items.push({ kind: "packet", index });
    const p = this.model.pdus, first = this.model.firstPDU(start);
    const last = lowerBound(p.start, finish);
    const c = this.model.calls;
    if (shows.calls) {
      const own = lowerBound(c.at, start), end = lowerBound(c.at, finish);
      if (end - own <= most) for (let index = own; index < end; index++) items.push({ kind: "call", index });
    }
    const l = this.model.log;
    if (shows.log && l.length <= 20 * most) {
      for (let index = 0; index < l.length; index++) if (l.at[index] >= start && l.at[index] <= finish) items.push({ kind: "log", index });
    }
    if (shows.pdus && last - first <= most) for (let index = first; index < last; index++) items.push({ kind: "pdu", index });
    return items.sort((a, b) => this.model.instant(a) - this.model.instant(b));
  }

  list() {
    const items = this.inView(100);
    const list = byId("list");
    list.replaceChildren(...items.slice(0, 200).map((item) => {
      const row = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.textContent = `${seconds(this.model.instant(item), 1e3)} s  ${this.model.words(item)}`;
      button.addEventListener("click", () => { this.read(item); this.refresh(); });
      row.append(button);
      return row;
    }));
    if (items.length > 200) {
      const row = document.createElement("li");
      row.textContent = `and ${items.length - 200} more: zoom in`;
      list.append(row);
    }
    byId("near").hidden = items.length === 0;
  }

  // Opened by the keyboard: what is read next is what was opened.
  read(item) {
    this.open(item);
    byId("detail").querySelector("h2")?.focus();
  }

  close() {
    this.open(null);
    this.view.focus({ preventScroll: true });
  }

  async open(item) {
    this.drawing.selected = item;
    const turn = ++this.turn;
    this.refresh();
    const box = byId("detail");
    box.hidden = !item;
    // Where it is below the picture, the two share the height.
    byId("board").classList.toggle("opened", Boolean(item));
    if (!item) return;
    const rows = this.details(item);
    const head = document.createElement("h2");
    head.textContent = this.model.words(item);
    head.tabIndex = -1;
    const close = document.createElement("button");
    close.type = "button";
    close.className = "close";
    close.textContent = "×";
    close.setAttribute("aria-label", "close");
    close.addEventListener("click", () => this.close());
    box.scrollTop = 0;
    box.replaceChildren(close, head, ...rows.map((row) => {
      const part = document.createElement(row.pre ? "pre" : "div");
      part.textContent = row.pre ?? row.text;
      if (!row.item && row.at === undefined) return part;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = row.text;
      button.addEventListener("click", () => (row.item ? this.goto(row.item) : this.show(row.at)));
      return button;
    }));
    if (item.kind !== "pdu") return;
    this.model.more ??= unpack("more");
    const [tree, octets, count] = (await this.model.more)[item.index];
    // Something else was opened meanwhile, or the same once more.
    if (turn !== this.turn) return;
    const layers = document.createElement("pre"), hex = document.createElement("pre");
    layers.textContent = tree;
    hex.textContent = dump(octets);
    if (count * 2 > octets.length) hex.textContent += `\n… ${count - octets.length / 2} more octets`;
    box.append(layers, hex);
  }

  // A record as Wireshark numbers it.
  place(file, number) { return `${this.model.files[file]} packet ${number}`; }

  // The same run has gone on: new data in the page, the same view. A view of everything stays one, and one that shows
  // the end moves with it.
  async renew() {
    const old = this.model, drawing = this.drawing, selected = drawing.selected;
    const showsAll = drawing.span >= old.end, showsEnd = drawing.finish >= old.end;
    this.model = drawing.model = new Model(await unpack("picture"));
    this.density = null;
    this.steps.take(this.model);
    drawing.selected = this.model.same(selected, old);
    drawing.resize();
    if (showsAll) drawing.fit();
    else if (showsEnd) drawing.pan((this.model.end - old.end) / drawing.scale);
    this.search();
    this.refresh();
  }

  details(item) {
    const model = this.model, index = item.index, rows = [];
    rows.push({ text: `at ${seconds(model.instant(item), 1)} s` });
    if (item.kind === "packet") {
      const p = model.packets;
      const place = p.file[index] < 0 ? `trace record ${p.record[index]}` : this.place(p.file[index], p.record[index]);
      const isOfStream = p.head[index] >= 0, carriers = model.carriers[index];
      const values = p.file[index] >= 0 ? "fragment" : isOfStream ? "piece" : "value";
      rows.push({ text: `${p.fragments[index]} ${values}${p.fragments[index] === 1 ? "" : "s"}, ${place}` });
      const pdu = p.file[index] < 0 ? undefined : model.pduOf(p.file[index], p.record[index]);
      if (pdu !== undefined) rows.push({ text: "layers and octets", item: { kind: "pdu", index: pdu } });
      if (p.received[index] >= 0) rows.push({ text: `whole at ${seconds(p.received[index], 1)} s` });
      for (const carrier of carriers) {
        const item = { kind: "pdu", index: carrier }, q = model.pdus;
        rows.push({ text: `${this.place(q.file[carrier], q.number[carrier])}: ${model.words(item)}`, item });
      }
      const body = model.texts[p.text[index]];
      let text = body;
      try { text = JSON.stringify(JSON.parse(text), null, 2); } catch { /* no JSON: shown as it came */ }
      if (!isOfStream) rows.push({ pre: text });
      else {
        // Of a stream the text is the body of a frame: as it is read, and as it went out.
        const isText = text !== body || !/^([0-9A-F]{2} ?)*$/.test(body);
        const octets = isText ? Array.from(new TextEncoder().encode(body), (o) => o.toString(16).padStart(2, "0")).join("") : body.replaceAll(" ", "").toLowerCase();
        const head = model.texts[p.head[index]];
        rows.push({ text: `frame of ${(head.length + octets.length) / 2} octets, ${head.length / 2} before the packet` });
        if (text) rows.push({ pre: text });
        rows.push({ pre: dump(head + octets) });
      }
    } else if (item.kind === "pdu") {
      const p = model.pdus;
      const channel = p.channel[index] < 0 ? "" : `, RF channel ${p.channel[index]} (${2402 + 2 * p.channel[index]} MHz)`;
      const took = p.duration[index] === 0 ? "" : `, ${duration(p.duration[index])} on the air`;
      rows.push({ text: this.place(p.file[index], p.number[index]) + channel + took });
    } else if (item.kind === "call") {
      const c = model.calls, own = model.callsOf[c.lane[index]], place = model.callPlace[index];
      rows.push({ text: `${place + 1} of ${own.length} in this lane, trace record ${c.record[index]}` });
      for (const [word, other] of [["before it", own[place - 1]], ["after it", own[place + 1]]]) {
        if (other === undefined) continue;
        const item = { kind: "call", index: other };
        rows.push({ text: `${word}: ${model.words(item)}`, item });
      }
    } else if (item.kind === "log") {
      const l = model.log, own = model.logOf[l.lane[index]], place = model.logPlace[index];
      rows.push({ text: l.after[index] ? "after its last answer" : "before the answer to what it was told then, or after an earlier one" });
      rows.push({ text: `line ${place + 1} of ${own.length} of its standard error` });
      rows.push({ pre: own.slice(Math.max(0, place - 5), place + 15).map((i) => `${i === index ? "▸" : " "} ${model.texts[l.text[i]]}`).join("\n") });
    } else if (item.kind === "span") {
      const span = model.spans[index];
      rows.push({ text: `until ${seconds(span.to, 1)} s, for ${duration(span.to - span.from)}` });
    } else {
      const mark = model.marks[index];
      if (mark.line) rows.push({ text: `line ${mark.line} of the scenario` });
      for (const detail of mark.details) rows.push({ text: detail });
      if (mark.place) rows.push({ text: mark.place });
      if (mark.story.length) rows.push({ text: "what led to it:" });
      for (const [at, text, packet, pdu, call] of mark.story) {
        const item = call >= 0 ? { kind: "call", index: call } : packet >= 0 ? { kind: "packet", index: packet } : pdu >= 0 ? { kind: "pdu", index: pdu } : null;
        rows.push({ text: `${seconds(at, 1e3)} s  ${text}`, item, at });
      }
      for (const pdu of mark.around) {
        const it = model.words({ kind: "pdu", index: pdu }), place = this.place(model.pdus.file[pdu], model.pdus.number[pdu]);
        rows.push({ text: `${place === mark.place ? "▸ " : ""}${place}: ${it}`, item: { kind: "pdu", index: pdu } });
      }
      for (const packet of mark.evidence) rows.push({ text: `before it: ${model.words({ kind: "packet", index: packet })}`, item: { kind: "packet", index: packet } });
    }
    return rows;
  }

  drawOverview() {
    const canvas = this.overview, drawing = this.drawing, ratio = window.devicePixelRatio || 1, height = 34;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(drawing.width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = drawing.colour("card");
    pen.fillRect(0, 0, drawing.width, height);
    const room = drawing.width - drawing.gutter - 12;
    const x = (time) => drawing.gutter + time / this.model.end * room;
    if (!this.density) this.density = this.countDensity(200);
    const most = Math.max(1, ...this.density);
    pen.fillStyle = drawing.colour("link");
    this.density.forEach((count, i) => {
      const high = (height - 6) * Math.sqrt(count / most);
      pen.globalAlpha = 0.45;
      pen.fillRect(drawing.gutter + i * room / 200, height - high, Math.max(1, room / 200 - 0.5), high);
    });
    pen.globalAlpha = 1;
    for (const mark of this.model.marks) {
      if (isSmall(mark)) continue;
      pen.fillStyle = mark.bad ? drawing.colour("bad") : mark.kind === "expectation" ? drawing.colour("good") : drawing.colour("soft");
      pen.fillRect(x(mark.at) - 1, 0, mark.bad ? 3 : 1.5, mark.bad ? height : 8);
    }
    pen.strokeStyle = drawing.colour("ink");
    pen.lineWidth = 1.5;
    const from = Math.max(drawing.gutter, x(drawing.start)), to = Math.min(drawing.width - 2, x(drawing.finish));
    pen.strokeRect(from, 1, Math.max(3, to - from), height - 2);
  }

  countDensity(columns) {
    const counts = new Array(columns).fill(0);
    const p = this.model.packets;
    for (let i = 0; i < p.length; i++) counts[Math.min(columns - 1, Math.floor(p.sent[i] / this.model.end * columns))]++;
    return counts;
  }

  // The view is in the address, so that a link shows the same.
  writeHash() {
    const { start, span, selected } = this.drawing;
    const item = selected ? `&${selected.kind}=${selected.index}` : "";
    history.replaceState(null, "", `#from=${Math.round(start)}&for=${Math.round(span)}${item}`);
  }

  readHash() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    // Two runs are looked at for where they part, and one that failed for what it failed by first.
    const marks = this.model.marks;
    const parting = marks.findIndex((mark) => mark.kind === "difference");
    const cause = marks.findIndex((mark) => mark.bad && mark.story.length > 0);
    const first = [parting, cause, marks.findIndex((mark) => mark.bad)].find((index) => index >= 0);
    if (!location.hash && first !== undefined) this.goto({ kind: "mark", index: first });
    const from = Number(wanted.get("from")), width = Number(wanted.get("for"));
    if (wanted.has("from") && width > 0) {
      this.drawing.scale = width / (this.drawing.width - this.drawing.gutter - 12);
      this.drawing.start = from;
      this.drawing.clamp();
    }
    for (const [kind, size] of Object.entries(this.model.sizes)) {
      const index = Number(wanted.get(kind));
      if (wanted.has(kind) && Number.isInteger(index) && index >= 0 && index < size) {
        this.open({ kind, index });
        this.cursor = this.model.instant({ kind, index });
        this.reveal(this.model.lane({ kind, index }));
      }
    }
  }
}

// Octets in hexadecimal, sixteen in a line.
function dump(octets) { return octets.replace(/(..)/g, "$1 ").replace(/((?:.. ){16})/g, "$1\n"); }

async function begin() {
  performance.mark("begin");
  const model = new Model(await unpack("picture"));
  for (const part of document.querySelectorAll(".tools,.stage,.keys")) part.hidden = false;
  const page = window.babbench = new Page(model);
  // So that its keys work at once.
  if (document.activeElement === document.body) page.view.focus({ preventScroll: true });
  requestAnimationFrame(() => performance.measure("open", "begin"));
}

begin().catch((error) => {
  const line = document.createElement("p");
  line.className = "remark";
  line.textContent = `The picture cannot be shown: ${error}. The lists below are complete.`;
  document.querySelector("main").prepend(line);
});
