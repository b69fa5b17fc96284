// The picture: a ruler, and for each lane bands of states, the line that packets start and end at, and the radio.

const gutter = 132, rulerHeight = 30, bandHeight = 13, callHeight = 28, logHeight = 15;

class Drawing {
  constructor(canvas, model) {
    this.canvas = canvas;
    this.model = model;
    this.pen = canvas.getContext("2d");
    this.start = 0;
    this.shows = { packets: true, pdus: true, states: true, notes: true, calls: true, log: true };
    this.selected = null;
    this.hits = [];
    this.resize();
    this.fit();
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const n = Math.max(1, this.model.lanes.length);
    const span = this.scale ? this.span : 0;
    this.width = this.canvas.parentElement.clientWidth;
    this.gutter = this.width < 600 ? 74 : gutter;
    const share = Math.min(120, (window.innerHeight * 0.7 - rulerHeight) / n);
    const rows = (this.model.rows.length - 1) * 14;
    this.heights = this.model.tracks.map((tracks, lane) => Math.max(tracks.length * bandHeight + this.callRoom(lane) + this.logRoom(lane) + rows + 48, share));
    this.tops = [rulerHeight];
    for (const height of this.heights) this.tops.push(this.tops.at(-1) + height);
    this.height = Math.max(rulerHeight + 44, this.tops.at(-1));
    this.canvas.style.height = `${this.height}px`;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(document.documentElement);
    this.colour = (name) => style.getPropertyValue(`--${name}`).trim();
    // What was in view stays in view.
    if (!span) return;
    this.scale = span / (this.width - this.gutter - 12);
    this.clamp();
  }

  get span() { return (this.width - this.gutter - 12) * this.scale; }
  get finish() { return this.start + this.span; }
  x(time) { return this.gutter + (time - this.start) / this.scale; }
  time(x) { return this.start + (x - this.gutter) * this.scale; }
  top(lane) { return this.tops[lane]; }
  // Where packets of a lane start and end.
  axis(lane) { return this.logTop(lane) + this.logRoom(lane) + 16; }
  // Where the ruler is: always in sight, however far the lanes are scrolled.
  get ruler() { return this.canvas.parentElement.scrollTop; }
  // Where calls of a lane are drawn, and the room for them where there are any.
  callTop(lane) { return this.top(lane) + this.model.tracks[lane].length * bandHeight; }
  callRoom(lane) { return this.model.callsOf[lane].length ? callHeight : 0; }
  // Where lines of standard error are, and the room for them.
  logTop(lane) { return this.callTop(lane) + this.callRoom(lane); }
  logRoom(lane) { return this.model.logOf[lane].length ? logHeight : 0; }
  // Where PDUs of a lane are drawn.
  radio(lane, row = 0) { return this.tops[lane + 1] - 16 - (this.model.rows.length - 1 - row) * 14; }

  fit() {
    this.scale = this.model.end * 1.02 / (this.width - this.gutter - 12);
    this.start = -this.model.end * 0.01;
  }

  // From 10 ns for a pixel to the whole run.
  clamp() {
    const whole = this.model.end * 1.02 / (this.width - this.gutter - 12);
    this.scale = Math.min(Math.max(this.scale, 10), whole);
    const room = this.model.end * 0.01;
    this.start = Math.min(Math.max(this.start, -room), Math.max(-room, this.model.end + room - this.span));
  }

  zoom(factor, x = (this.gutter + this.width) / 2) {
    const fixed = this.time(x);
    this.scale *= factor;
    this.clamp();
    this.start = fixed - (x - this.gutter) * this.scale;
    this.clamp();
  }

  pan(pixels) { this.start += pixels * this.scale; this.clamp(); }

  // Brings an instant to the middle; closer when the view is wider than a width.
  show(time, width) {
    if (width && this.span > width) this.scale = width / (this.width - this.gutter - 12);
    this.clamp();
    this.start = time - this.span / 2;
    this.clamp();
  }

  draw() {
    const pen = this.pen;
    this.hits = [];
    pen.fillStyle = this.colour("paper");
    pen.fillRect(0, 0, this.width, this.height);
    pen.font = "12px system-ui,sans-serif";
    pen.textBaseline = "middle";
    pen.save();
    pen.beginPath();
    pen.rect(this.gutter, 0, this.width - this.gutter, this.height);
    pen.clip();
    this.drawTicks();
    for (let lane = 0; lane < this.model.lanes.length; lane++) this.drawLane(lane);
    if (this.shows.states) this.drawSpans();
    if (this.shows.pdus) this.drawPDUs();
    if (this.shows.packets) this.drawPackets();
    if (this.shows.states) this.drawBandWords();
    if (this.shows.calls) this.drawCalls();
    if (this.shows.log) this.drawLog();
    this.drawMarks();
    pen.restore();
    this.drawNames();
  }

  line(x0, y0, x1, y1, colour, width = 1) {
    const pen = this.pen;
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
  }

  // A text that does not fit is shortened; of fewer than three letters nothing is left.
  text(text, x, y, colour, room, edge) {
    const pen = this.pen;
    if (room !== undefined && pen.measureText(text).width > room) {
      // As many letters as fit, looked for in halves.
      let low = 0, high = text.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        pen.measureText(text.slice(0, middle) + "…").width <= room ? (low = middle) : (high = middle - 1);
      }
      if (low < 3) return;
      text = text.slice(0, low) + "…";
    }
    if (edge) {
      pen.strokeStyle = edge;
      pen.lineWidth = 3;
      pen.lineJoin = "round";
      pen.strokeText(text, x, y);
    }
    pen.fillStyle = colour;
    pen.fillText(text, x, y);
  }

  ticks(draw) {
    const step = niceStep(this.scale * 110);
    for (let at = Math.ceil(Math.max(0, this.start) / step) * step; at <= Math.min(this.finish, this.model.end); at += step) {
      draw(this.x(at), seconds(at, step) + " s");
    }
  }

  drawTicks() {
    const line = this.colour("line");
    this.ticks((x) => this.line(x, 20, x, this.height, line));
  }

  // Over what is scrolled below it.
  drawRuler() {
    const y = this.ruler, soft = this.colour("soft"), line = this.colour("line");
    this.pen.fillStyle = this.colour("paper");
    this.pen.fillRect(this.gutter, y, this.width - this.gutter, rulerHeight);
    let end = this.gutter;
    this.ticks((x, text) => {
      this.line(x, y + 20, x, y + rulerHeight, line);
      // Near the right edge left of its line.
      const width = this.pen.measureText(text).width, left = x + 3 + width > this.width - 2 ? x - 3 - width : x + 3;
      if (left < end) return;
      end = left + width + 4;
      this.text(text, left, y + 10, soft);
    });
    this.line(this.gutter, y + rulerHeight, this.width, y + rulerHeight, line);
  }

  drawLane(lane) {
    const y = this.top(lane);
    this.line(this.gutter, y, this.width, y, this.colour("line"));
    this.line(this.x(0), this.axis(lane), this.x(this.model.end), this.axis(lane), this.colour("soft"), 0.6);
    const queue = this.model.queues[lane];
    if (!this.shows.packets || !queue.length) return;
    const most = Math.max(...queue.map((change) => change[1]), 1);
    const base = this.radio(lane) - 3, height = Math.min(16, base + 3 - this.axis(lane) - 8);
    if (height < 4) return;
    const pen = this.pen;
    pen.fillStyle = this.colour("maybebg");
    pen.beginPath();
    let first = 0;
    for (let low = 0, high = queue.length; low < high;) {
      const middle = (low + high) >> 1;
      queue[middle][0] < this.start ? (first = low = middle + 1) : (high = middle);
    }
    let depth = first > 0 ? queue[first - 1][1] : 0;
    pen.moveTo(this.gutter, base);
    pen.lineTo(this.gutter, base - height * depth / most);
    for (let i = first; i < queue.length && queue[i][0] <= this.finish; i++) {
      const x = this.x(queue[i][0]);
      pen.lineTo(x, base - height * depth / most);
      depth = queue[i][1];
      pen.lineTo(x, base - height * depth / most);
    }
    pen.lineTo(this.width, base - height * depth / most);
    pen.lineTo(this.width, base);
    pen.fill();
  }

  drawSpans() {
    const { spans, tracks, texts } = this.model;
    this.bars = new Map();
    spans.forEach((span, index) => {
      if (span.to < this.start || span.from > this.finish) return;
      const x0 = Math.max(this.gutter, this.x(span.from)), x1 = Math.min(this.width, this.x(span.to));
      if (!tracks[span.lane]) return;
      const y = this.top(span.lane) + 2 + tracks[span.lane].indexOf(span.track) * bandHeight;
      const wide = Math.max(1, x1 - x0);
      const tone = this.tone(texts[span.track], texts[span.text]);
      this.pen.fillStyle = tone;
      this.pen.fillRect(x0, y, wide, bandHeight - 2);
      if (!this.bars.has(y)) this.bars.set(y, []);
      if (wide > 24) this.bars.get(y).push({ x0, x1: x0 + wide, text: texts[span.text], tone });
      this.hits.push({ x0, x1: x0 + wide, y0: y, y1: y + bandHeight - 2, item: { kind: "span", index }, far: 1 });
    });
  }

  // The words of the bands of each bar, each as far as its band or the next one with words: also where bands lie over
  // each other. Packets cross them, so they come later and have an edge.
  drawBandWords() {
    const ink = this.colour("ink");
    for (const [y, bar] of this.bars) {
      bar.sort((a, b) => a.x0 - b.x0 || b.x1 - a.x1);
      bar.forEach(({ x0, x1, text, tone }, place) => {
        const room = Math.min(x1, bar[place + 1]?.x0 ?? Infinity) - x0 - 6;
        if (room > 18) this.text(text, x0 + 3, y + bandHeight / 2 - 1, ink, room, tone);
      });
    }
  }

  // What a network is in has a colour that says how it is; everything else one colour for one text.
  tone(track, text) {
    if (track === "path" || /(^| )stream( \(\d+\))?$/.test(track)) {
      if (text.startsWith("failed")) return this.colour("badbg");
      if (/^(waiting|not viable)/.test(text)) return this.colour("oddbg");
      if (/^(connecting|the other end)/.test(text)) return this.colour("maybebg");
      if (/^(closed|none)/.test(text)) return this.colour("nabg");
      return this.colour(text.includes("infrastructure") ? "goodbg" : "waivebg");
    }
    if (["asleep", "idle", "off"].includes(text) && ["AWDL", "BLE"].includes(track)) return this.colour("nabg");
    return this.shade(text);
  }

  // One colour for one text, pale on either paper.
  shade(text, light = null) {
    let hash = 0;
    for (const c of text) hash = (hash * 31 + c.codePointAt(0)) % 270;
    // Red is for what is wrong.
    hash += 40;
    const dark = matchMedia("(prefers-color-scheme:dark)").matches;
    return light === null ? `hsl(${hash} 55% ${dark ? 24 : 86}%)` : `hsl(${hash} 70% ${dark ? 68 : 38}%)`;
  }

  drawPDUs() {
    const p = this.model.pdus, pen = this.pen;
    const colours = [this.colour("link"), this.colour("bad"), this.colour("na"), this.colour("bad")];
    const last = this.model.lanes.map(() => new Array(4 * this.model.rows.length).fill(-1));
    const wide = this.scale < 20e3;
    for (let i = this.model.firstPDU(this.start); i < p.length && p.start[i] <= this.finish; i++) {
      const lane = p.transmitter[i];
      if (!last[lane]) continue;
      // What has no duration is an instant.
      const least = p.duration[i] === 0 && this.scale < 1e6 ? 3 : 1;
      const x = this.x(p.start[i]), w = Math.max(least, p.duration[i] / this.scale), fate = p.fate[i], row = p.row[i];
      if (x + w < this.gutter) continue;
      // Many in one pixel are one stroke.
      if (w <= 1 && Math.round(x) === last[lane][4 * row + fate]) continue;
      last[lane][4 * row + fate] = Math.round(x);
      const y = this.radio(lane, row), high = fate === 0 ? 9 : 12;
      pen.fillStyle = colours[fate];
      pen.fillRect(x, y + 12 - high, w, high);
      if (wide && p.receiver[i] >= 0) {
        const to = p.receiver[i] < lane ? this.radio(p.receiver[i], row) + 12 : this.radio(p.receiver[i], row);
        pen.globalAlpha = 0.5;
        this.line(x + w / 2, p.receiver[i] < lane ? y : y + 12, x + w / 2, to, colours[fate]);
        pen.globalAlpha = 1;
        this.head(x + w / 2, to, p.receiver[i] < lane ? -1 : 1, colours[fate]);
      }
      if (w > 40) this.text(this.model.texts[p.words[i]], Math.max(x, this.gutter) + 3, y + 7, this.colour("paper"), Math.min(x + w, this.width) - Math.max(x, this.gutter) - 6);
      if (w > 2) this.hits.push({ x0: x, x1: x + w, y0: y, y1: y + 12, item: { kind: "pdu", index: i }, far: 0 });
    }
  }

  head(x, y, down, colour) {
    const pen = this.pen;
    pen.fillStyle = colour;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x - 4, y - 6 * down);
    pen.lineTo(x + 4, y - 6 * down);
    pen.fill();
  }

  drawPackets() {
    const p = this.model.packets, pen = this.pen;
    const shown = this.model.packetsIn(this.start, this.finish);
    const few = shown.length < 400, labels = shown.length < 60;
    const evidence = this.selected && this.selected.kind === "mark" ? new Set(this.model.marks[this.selected.index].evidence) : null;
    const taken = [];
    pen.globalAlpha = shown.length > 1500 ? 0.35 : 0.8;
    for (const i of shown) {
      const lost = p.received[i] < 0;
      const from = p.from[i] < 0 ? p.to[i] : p.from[i], to = p.to[i] < 0 ? p.from[i] : p.to[i];
      if (from < 0 || to < 0) continue;
      const x0 = this.x(p.sent[i]), y0 = this.axis(from);
      const x1 = lost ? x0 + 14 : this.x(p.received[i]), y1 = lost ? y0 + Math.sign(to - from || 1) * 16 : this.axis(to);
      const label = this.model.texts[p.label[i]];
      const name = this.model.packetName(i);
      const chosen = this.selected && this.selected.kind === "packet" && this.selected.index === i;
      const colour = lost || !p.whole[i] ? this.colour("bad") : this.shade(label, true);
      if (lost) pen.setLineDash([3, 3]);
      this.line(x0, y0, x1, y1, colour, chosen || (evidence && evidence.has(i)) ? 3 : 1.2);
      pen.setLineDash([]);
      if (few) {
        pen.fillStyle = colour;
        pen.fillRect(x0 - 2, y0 - 2, 4, 4);
        if (lost) this.text("×", x1, y1, colour);
        else this.head(x1, y1 - Math.sign(y1 - y0) * 2, Math.sign(y1 - y0) || 1, colour);
      }
      if (labels) this.label(name, x1, y1 - 9, colour, taken);
      if (few || chosen) this.hits.push({ line: [x0, y0, x1, y1], item: { kind: "packet", index: i }, far: 5 });
    }
    pen.globalAlpha = 1;
  }

  // Calls point down, to the phone; callbacks point up, to the app; what is wrong is red.
  drawCalls() {
    const c = this.model.calls, pen = this.pen;
    const colours = [this.colour("link"), this.colour("good"), this.colour("odd")];
    this.model.callsOf.forEach((own, lane) => {
      if (!own.length) return;
      const top = this.callTop(lane) + 2;
      const last = [-9, -9, -9], words = [[], []];
      for (let place = lowerBoundBy(own, (i) => c.at[i], this.start); place < own.length && c.at[own[place]] <= this.finish; place++) {
        const i = own[place], kind = c.kind[i], x = this.x(c.at[i]);
        const chosen = this.selected && this.selected.kind === "call" && this.selected.index === i;
        // Many in one pixel are one mark; what is bad is never left out.
        if (!chosen && !c.bad[i] && Math.round(x) === last[kind]) continue;
        last[kind] = Math.round(x);
        const size = chosen ? 6 : 4, y = kind === 0 ? top + 6 : top + 19;
        pen.fillStyle = c.bad[i] ? this.colour("bad") : colours[kind];
        pen.beginPath();
        if (kind === 2) this.diamond(x, y, size + 1);
        else this.arrowHead(x, y, kind === 0 ? size : -size);
        pen.fill();
        const row = kind === 0 ? 0 : 1;
        this.hits.push({ x0: x - 4, x1: x + 4, y0: y - 6, y1: y + 6, item: { kind: "call", index: i }, far: c.bad[i] ? 0 : 1 });
        words[row].push({ x, text: this.model.texts[c.text[i]], colour: pen.fillStyle, y });
      }
      for (const row of words) this.callWords(row);
    });
  }

  // A stroke for each line, its words right of it.
  drawLog() {
    const log = this.model.log, pen = this.pen, colour = this.colour("odd");
    this.model.logOf.forEach((own, lane) => {
      if (!own.length) return;
      const y = this.logTop(lane) + 7, words = [];
      for (let place = lowerBoundBy(own, (i) => log.at[i], this.start); place < own.length && log.at[own[place]] <= this.finish; place++) {
        const i = own[place], x = this.x(log.at[i]);
        const chosen = this.selected && this.selected.kind === "log" && this.selected.index === i;
        // Of lines in one pixel the first has the words, and says how many there are.
        const last = words.at(-1);
        if (last && x - last.x < 2) {
          last.more += 1;
          if (chosen) { last.chosen = true; last.index = i; }
        } else words.push({ x, index: i, more: 0, chosen });
      }
      for (const { x, index, chosen } of words) {
        pen.fillStyle = colour;
        pen.fillRect(x - (chosen ? 2.5 : 1), y - 6, chosen ? 5 : 2, 12);
        this.hits.push({ x0: x - 4, x1: x + 4, y0: y - 6, y1: y + 6, item: { kind: "log", index }, far: 1 });
      }
      if (words.length > 400) return;
      pen.font = "11px ui-monospace,Menlo,Consolas,monospace";
      words.forEach(({ x, index, more }, place) => {
        const room = (words[place + 1]?.x ?? this.width) - x - 9;
        const text = (more ? `${more + 1}× ` : "") + this.model.texts[log.text[index]];
        if (room > 30) this.text(text.slice(0, 400), x + 4, y, colour, room);
      });
      pen.font = "12px system-ui,sans-serif";
    });
  }

  // Right of its mark as far as the next one; without the class, and without who tells it.
  callWords(row) {
    if (row.length > 200) return;
    this.pen.font = "11px system-ui,sans-serif";
    row.forEach(({ x, text, colour, y }, place) => {
      const room = (row[place + 1]?.x ?? this.width) - x - 12;
      const told = /^(?:peripheral|centralManager|peripheralManager)\((.*)\)$/.exec(text);
      // No letter is narrower than 3 pixels as a rule: what is far too long is not measured letter by letter.
      if (room > 40) this.text((told ? told[1] : text.replace(/^CB[A-Za-z]+\./, "")).slice(0, room / 3), x + 7, y, colour, room);
    });
    this.pen.font = "12px system-ui,sans-serif";
  }

  // Down where the size is positive, else up.
  arrowHead(x, y, size) {
    const pen = this.pen, wide = Math.abs(size);
    pen.moveTo(x - wide, y - size * 0.8);
    pen.lineTo(x + wide, y - size * 0.8);
    pen.lineTo(x, y + size * 0.8);
    pen.closePath();
  }

  // A text that ends at a place, where no other is yet.
  label(text, x, y, colour, taken) {
    const width = this.pen.measureText(text).width;
    const left = Math.max(this.gutter + 2, Math.min(x - width - 8, this.width - width - 4));
    if (taken.some((other) => Math.abs(other.y - y) < 12 && left < other.right && other.left < left + width)) return;
    taken.push({ left, right: left + width, y });
    this.text(text, left, y, colour);
  }

  // What is bad is drawn last, and so lies on top, is hit first and keeps its words; of what coincides there is a count.
  drawMarks() {
    const colours = { step: this.colour("link"), expectation: this.colour("good"), fault: this.colour("odd"), note: this.colour("na"), discovery: this.colour("waive"), comment: this.colour("soft"), finding: this.colour("bad"), difference: this.colour("bad") };
    const seen = this.model.marks.map((mark, index) => ({ mark, index })).filter(({ mark }) => (
      mark.at >= this.start && mark.at <= this.finish && (!isSmall(mark) || this.shows.notes)));
    const order = [...seen.filter(({ mark }) => !mark.bad), ...seen.filter(({ mark }) => mark.bad).reverse()];
    const flags = new Map();
    for (const { mark, index } of order) {
      if (mark.lane < 0) continue;
      const x = this.x(mark.at), y = this.axis(mark.lane), chosen = this.isChosen("mark", index);
      this.pen.fillStyle = mark.bad ? this.colour("bad") : colours[mark.kind];
      this.pen.beginPath();
      if (mark.kind === "note") this.pen.arc(x, y, chosen ? 4 : 2.2, 0, 7);
      else if (mark.kind === "discovery") this.diamond(x, y, chosen ? 7 : 5);
      else this.pen.arc(x, y, chosen ? 8 : 6, 0, 7);
      this.pen.fill();
      const sign = { finding: "!", difference: "≠", expectation: mark.bad ? "!" : "" }[mark.kind];
      if (sign) this.text(sign, x - this.pen.measureText(sign).width / 2, y + 0.5, this.colour("paper"));
      this.hits.push({ x0: x - 5, x1: x + 5, y0: y - 6, y1: y + 6, item: { kind: "mark", index }, far: mark.kind === "note" ? 3 : mark.kind === "discovery" ? 1 : 0 });
    }
    this.drawRuler();
    const top = this.ruler;
    for (const { mark, index } of order) {
      if (isSmall(mark)) continue;
      const x = this.x(mark.at), chosen = this.isChosen("mark", index);
      const colour = mark.bad ? this.colour("bad") : colours[mark.kind];
      const end = mark.lane >= 0 && !mark.bad ? this.axis(mark.lane) : this.height;
      if (end > top + rulerHeight) this.line(x, top + 18, x, end, colour, chosen ? 2.5 : 1);
      this.pen.fillStyle = colour;
      this.pen.fillRect(x - 4, top + 18, 8, 9);
      this.hits.push({ x0: x - 6, x1: x + 6, y0: top + 14, y1: top + 29, item: { kind: "mark", index }, far: 0, isFlag: true });
      const flag = flags.get(Math.round(x)) ?? { x, all: 0, bad: 0 };
      flags.set(Math.round(x), { x, mark, colour, all: flag.all + 1, bad: flag.bad + (mark.bad ? 1 : 0) });
    }
    // The words of what is bad have the room first; no words lie over another flag.
    const inOrder = [...flags.values()].sort((a, b) => a.x - b.x);
    inOrder.forEach((flag, place) => {
      flag.from = (inOrder[place - 1]?.x ?? -Infinity) + 8;
      flag.to = (inOrder[place + 1]?.x ?? Infinity) - 8;
    });
    const taken = [];
    for (const flag of inOrder.sort((a, b) => (b.bad > 0) - (a.bad > 0) || a.x - b.x)) this.flagWords(flag, taken);
  }

  isChosen(kind, index) { return this.selected?.kind === kind && this.selected.index === index; }

  diamond(x, y, size) {
    const pen = this.pen;
    pen.moveTo(x, y - size);
    pen.lineTo(x + size, y);
    pen.lineTo(x, y + size);
    pen.lineTo(x - size, y);
    pen.closePath();
  }

  // Right of the flag; near the right edge left of it.
  flagWords({ x, mark, colour, all, bad, from: before, to: after }, taken) {
    const count = all === 1 ? "" : bad > 0 && bad < all ? `${bad} bad of ${all}: ` : `${all}: `;
    const words = count + (mark.line ? `line ${mark.line}: ` : "") + mark.text;
    const most = Math.min(170, this.pen.measureText(words).width);
    if (taken.some((other) => other.left <= x + 7 && other.right >= x - 7)) return;
    const edge = this.width - 8;
    const next = Math.min(edge, after, ...taken.filter((other) => other.left > x).map((other) => other.left - 8));
    const last = Math.max(this.gutter + 2, before, ...taken.filter((other) => other.right < x).map((other) => other.right + 8));
    const right = next - x - 7, left = x - 7 - last;
    const isLeft = right < most && left > right;
    const room = Math.min(most, isLeft ? left : right);
    if (room < 24) return;
    const from = isLeft ? x - 7 - room : x + 7;
    this.text(words, from, this.ruler + 23, colour, room + 0.5);
    taken.push({ left: from, right: from + room });
  }

  drawNames() {
    const pen = this.pen;
    pen.fillStyle = this.colour("card");
    pen.fillRect(0, 0, this.gutter, this.height);
    this.model.lanes.forEach((lane, i) => {
      const y = this.top(i);
      this.line(0, y, this.gutter, y, this.colour("line"));
      pen.font = "600 13px system-ui,sans-serif";
      this.text(lane.name, 8, this.axis(i), this.colour("ink"), this.gutter - 12);
      pen.font = "11px system-ui,sans-serif";
      this.model.tracks[i].forEach((track, j) => {
        this.text(this.model.texts[track], 8, y + 2 + j * bandHeight + bandHeight / 2 - 1, this.colour("soft"), this.gutter - 12);
      });
      if (this.logRoom(i)) this.text("stderr", 8, this.logTop(i) + 7, this.colour("soft"), this.gutter - 12);
      if (this.callRoom(i)) this.text("calls", 8, this.callTop(i) + 14, this.colour("soft"));
      if (this.heights[i] > 70) this.model.rows.forEach((row, j) => this.text(row, 8, this.radio(i, j) + 7, this.colour("soft")));
      pen.font = "12px system-ui,sans-serif";
    });
    pen.fillStyle = this.colour("card");
    pen.fillRect(0, this.ruler, this.gutter, rulerHeight);
    this.text("time", 8, this.ruler + 10, this.colour("soft"));
    this.line(0, this.ruler + rulerHeight, this.gutter, this.ruler + rulerHeight, this.colour("line"));
  }

  // What is drawn at a place; of several, what is smallest and lies on top.
  at(x, y) {
    let best = null, bestRank = Infinity;
    const isInRuler = y < this.ruler + rulerHeight;
    for (const hit of this.hits) {
      // What is scrolled below the ruler is not seen.
      if (isInRuler && !hit.isFlag) continue;
      let distance = 0;
      if (hit.line) distance = distanceToLine(x, y, hit.line);
      else {
        distance = Math.max(hit.x0 - x, x - hit.x1, hit.y0 - y, y - hit.y1, 0);
      }
      if (distance > 5) continue;
      const rank = distance + hit.far;
      if (rank <= bestRank) { best = hit.item; bestRank = rank; }
    }
    if (best || isInRuler) return best;
    return this.pduAt(x, y);
  }

  // PDUs that are thinner than a pixel are looked for, not drawn one by one.
  pduAt(x, y) {
    const p = this.model.pdus;
    const lane = this.tops.findLastIndex((top) => top <= y);
    if (!this.shows.pdus || lane < 0 || lane >= this.model.lanes.length || y < this.radio(lane) - 3) return null;
    const time = this.time(x), room = 4 * this.scale;
    let best = null, nearest = room;
    for (let i = this.model.firstPDU(time - room); i < p.length && p.start[i] <= time + room; i++) {
      if (p.transmitter[i] !== lane || Math.abs(y - this.radio(lane, p.row[i]) - 6) > 9) continue;
      const distance = Math.max(p.start[i] - time, time - p.start[i] - p.duration[i], 0);
      if (distance < nearest) { nearest = distance; best = { kind: "pdu", index: i }; }
    }
    return best;
  }
}

// The first place of a list whose value is not less.
function lowerBoundBy(list, of, value) {
  let low = 0, high = list.length;
  while (low < high) { const middle = (low + high) >> 1; of(list[middle]) < value ? (low = middle + 1) : (high = middle); }
  return low;
}

// Marks that have no flag, since there are many.
function isSmall(mark) { return mark.kind === "note" || mark.kind === "discovery"; }

function distanceToLine(x, y, [x0, y0, x1, y1]) {
  const dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
  const t = length ? Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / length)) : 0;
  return Math.hypot(x - x0 - t * dx, y - y0 - t * dy);
}

// 1, 2 or 5 times a power of ten nanoseconds, at least so much.
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= least);
}
