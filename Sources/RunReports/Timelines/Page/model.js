// The data of the page: columns of numbers beside a table of texts (TimelineData.swift writes them).

const byId = (id) => document.getElementById(id);

async function unpack(id) {
  const octets = Uint8Array.from(atob(byId(id).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([octets]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

class Model {
  constructor(data) {
    this.end = Math.max(1, data.end);
    this.texts = data.texts;
    this.files = data.files;
    this.rows = data.rows;
    this.lanes = data.lanes.map(([name, role, about]) => ({ name, role, about }));
    const [lane, track, from, to, text] = data.spans;
    this.spans = lane.map((_, i) => ({ lane: lane[i], track: track[i], from: from[i], to: to[i], text: text[i] }));
    // Each lane has room for what it shows.
    const used = this.lanes.map(() => new Set());
    for (const span of this.spans) used[span.lane]?.add(span.track);
    const tracks = [...new Set(track)];
    this.tracks = used.map((own) => tracks.filter((name) => own.has(name)));
    this.packets = new Columns(data.packets, ["from", "to", "sent", "received", "label", "fragments", "whole", "text", "record", "file", "note", "head"]);
    this.carriers = data.carriers;
    this.pdus = new Columns(data.pdus, ["start", "duration", "transmitter", "receiver", "channel", "fate", "words", "number", "file", "row"]);
    this.calls = new Columns(data.calls ?? [[], [], [], [], [], [], []], ["kind", "lane", "at", "text", "peer", "bad", "record"]);
    // Of each lane the indices of its calls, in order; and the place of each call among them.
    this.callsOf = this.lanes.map(() => []);
    this.callPlace = this.calls.lane.map((lane, index) => (this.callsOf[lane]?.push(index) ?? 0) - 1);
    this.log = new Columns(data.log ?? [[], [], [], []], ["lane", "at", "text", "after"]);
    this.logOf = this.lanes.map(() => []);
    this.logPlace = this.log.lane.map((lane, index) => (this.logOf[lane]?.push(index) ?? 0) - 1);
    this.marks = data.marks.map(([kind, at, lane, text, bad, line, details, evidence, around, place, story]) => (
      { kind, at, lane, text, bad, line, details, evidence, around, place, story })).sort((a, b) => a.at - b.at);
    // Packets by the instant of their sending, for what is in view; and how long the slowest took.
    this.bySending = [...this.packets.sent.keys()].sort((a, b) => this.packets.sent[a] - this.packets.sent[b]);
    this.slowest = 0;
    for (let i = 0; i < this.packets.length; i++) {
      this.slowest = Math.max(this.slowest, this.packets.received[i] - this.packets.sent[i]);
    }
    this.labels = [...new Set(this.packets.label)].sort((a, b) => (this.texts[a] < this.texts[b] ? -1 : 1));
    this.queues = this.countQueues();
    this.more = null;
  }

  // How many packets of each lane were under way, after each change.
  countQueues() {
    const changes = this.lanes.map(() => []);
    const p = this.packets;
    for (let i = 0; i < p.length; i++) {
      if (p.from[i] < 0) continue;
      changes[p.from[i]].push([p.sent[i], 1], [p.received[i] < 0 ? this.end : p.received[i], -1]);
    }
    return changes.map((list) => {
      let depth = 0;
      return list.sort((a, b) => a[0] - b[0]).map(([at, by]) => [at, (depth += by)]);
    });
  }

  // Indices of PDUs from the first that may reach into the time.
  firstPDU(time) { return lowerBound(this.pdus.start, time - 3e6); }

  packetsIn(from, to) {
    const order = this.bySending;
    const sent = this.packets.sent;
    let low = 0, high = order.length;
    const begin = from - this.slowest;
    while (low < high) { const middle = (low + high) >> 1; sent[order[middle]] < begin ? (low = middle + 1) : (high = middle); }
    const found = [];
    for (; low < order.length && sent[order[low]] <= to; low++) {
      const i = order[low];
      if (Math.max(this.packets.received[i], sent[i]) >= from) found.push(i);
    }
    return found;
  }

  // The label with what tells it from others of its label.
  packetName(index) {
    const label = this.texts[this.packets.label[index]], note = this.texts[this.packets.note[index]];
    return note ? `${label} ${note}` : label;
  }

  laneName(lane) { return lane >= 0 && lane < this.lanes.length ? this.lanes[lane].name : "nobody of this run"; }

  // The PDU that is a record of a capture; nothing when it is not drawn.
  pduOf(file, number) {
    if (!this.places) {
      const p = this.pdus;
      this.places = new Map();
      for (let i = 0; i < p.length; i++) this.places.set(p.file[i] * 2 ** 40 + p.number[i], i);
    }
    return this.places.get(file * 2 ** 40 + number);
  }

  // How many there are of each kind that can be opened.
  get sizes() {
    return { mark: this.marks.length, packet: this.packets.length, pdu: this.pdus.length, span: this.spans.length, call: this.calls.length, log: this.log.length };
  }

  // The lane that an item is drawn in; −1: none in particular.
  lane({ kind, index }) {
    if (kind === "packet") return this.packets.from[index] < 0 ? this.packets.to[index] : this.packets.from[index];
    if (kind === "pdu") return this.pdus.transmitter[index];
    if (kind === "call") return this.calls.lane[index];
    if (kind === "log") return this.log.lane[index];
    return kind === "span" ? this.spans[index].lane : this.marks[index].lane;
  }

  // The same thing in a model of the same run at another time.
  same(item, other) {
    if (!item) return null;
    const at = other.instant(item), words = other.words(item);
    const sizes = this.sizes;
    const isSame = (index) => {
      const candidate = { kind: item.kind, index };
      return this.instant(candidate) === at && (item.kind === "span" || this.words(candidate) === words);
    };
    if (item.index < sizes[item.kind] && isSame(item.index)) return item;
    for (let index = 0; index < sizes[item.kind]; index++) if (isSame(index)) return { kind: item.kind, index };
    return null;
  }

  // What an item is, in a line.
  words(item) {
    const { kind, index } = item;
    if (kind === "packet") {
      const p = this.packets;
      const time = p.received[index] - p.sent[index];
      // A capture at one end shows no more than one instant of it.
      const lost = /(never|octets) came$/.test(this.packetName(index)) ? "" : ", never came";
      const took = p.received[index] < 0 ? lost : time > 0 ? `, took ${duration(time)}` : "";
      return `${this.packetName(index)}: ${this.laneName(p.from[index])} → ${this.laneName(p.to[index])}${took}`;
    }
    if (kind === "pdu") {
      const p = this.pdus;
      const to = p.receiver[index] < 0 ? "" : ` → ${this.laneName(p.receiver[index])}`;
      return `${this.texts[p.words[index]]}: ${this.laneName(p.transmitter[index])}${to}${["", ", destroyed", ", unheard", ", did not arrive"][p.fate[index]]}`;
    }
    if (kind === "call") {
      const c = this.calls;
      const about = c.peer[index] < 0 ? "" : `, about ${this.laneName(c.peer[index])}`;
      return `${this.laneName(c.lane[index])} ${["calls", "is told", "has"][c.kind[index]]} ${this.texts[c.text[index]]}${about}`;
    }
    if (kind === "log") return `${this.laneName(this.log.lane[index])} writes ${this.texts[this.log.text[index]]}`;
    if (kind === "span") return `${this.laneName(this.spans[index].lane)}: ${this.texts[this.spans[index].track]} ${this.texts[this.spans[index].text]}`;
    const mark = this.marks[index];
    return (mark.lane >= 0 ? `${this.laneName(mark.lane)}: ` : "") + mark.text;
  }

  instant(item) {
    if (item.kind === "packet") return this.packets.sent[item.index];
    if (item.kind === "pdu") return this.pdus.start[item.index];
    if (item.kind === "call") return this.calls.at[item.index];
    if (item.kind === "log") return this.log.at[item.index];
    return item.kind === "span" ? this.spans[item.index].from : this.marks[item.index].at;
  }

  // Everything whose words contain a text, in the order of time.
  find(text, shows) {
    const wanted = text.toLowerCase();
    const found = [];
    const hits = new Set();
    this.texts.forEach((t, i) => { if (t.toLowerCase().includes(wanted)) hits.add(i); });
    if (shows.packets) {
      const p = this.packets;
      for (let i = 0; i < p.length; i++) {
        const isNamed = this.texts[p.note[i]] && this.packetName(i).toLowerCase().includes(wanted);
        if (hits.has(p.label[i]) || hits.has(p.text[i]) || isNamed) found.push({ kind: "packet", index: i });
      }
    }
    if (shows.pdus) {
      for (let i = 0; i < this.pdus.length; i++) if (hits.has(this.pdus.words[i])) found.push({ kind: "pdu", index: i });
    }
    if (shows.calls) {
      for (let i = 0; i < this.calls.length; i++) if (hits.has(this.calls.text[i])) found.push({ kind: "call", index: i });
    }
    if (shows.log) {
      for (let i = 0; i < this.log.length; i++) if (hits.has(this.log.text[i])) found.push({ kind: "log", index: i });
    }
    this.marks.forEach((mark, i) => {
      if (this.words({ kind: "mark", index: i }).toLowerCase().includes(wanted)) found.push({ kind: "mark", index: i });
    });
    return found.sort((a, b) => this.instant(a) - this.instant(b));
  }
}

class Columns {
  constructor(columns, names) {
    names.forEach((name, i) => { this[name] = columns[i]; });
    this.length = columns[0].length;
  }
}

function lowerBound(values, value) {
  let low = 0, high = values.length;
  while (low < high) { const middle = (low + high) >> 1; values[middle] < value ? (low = middle + 1) : (high = middle); }
  return low;
}

// 1.234 567 s, with as many digits as the step between two ticks needs.
function seconds(ns, step = 1) {
  const digits = step >= 1e9 ? 0 : Math.min(9, Math.ceil(9 - Math.log10(step)));
  const text = (ns / 1e9).toFixed(digits);
  const [whole, rest] = text.split(".");
  return whole + (rest ? "." + rest.replace(/(\d{3})(?=\d)/g, "$1 ") : "");
}

function duration(ns) {
  if (ns >= 1e9) return `${(ns / 1e9).toFixed(3)} s`;
  if (ns >= 1e6) return `${(ns / 1e6).toFixed(3)} ms`;
  return `${(ns / 1e3).toFixed(1)} µs`;
}
