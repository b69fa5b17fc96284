'use strict';
// What host and client have in common: links, the sending queue, packets, clocks, what the screen shows.
//
// Nothing here waits or asks a clock of its own: timers are those of the adapter, in virtual time.

const framing = require('./framing.js');
const { dialect } = require('./dialects.js');
const { NotAPacket, Packet, decode, encode } = require('./packets.js');

const SECOND = 1_000; // milliseconds
const MOST_QUEUED = 4_096; // 8.9
const MOST_COUNT = 2n ** 63n - 1n;
const MOST_SHOWN = 2 ** 53;

/** A packet that is ignored: nothing changes. With a clause, it is a violation (section 7). */
class Ignored extends Error {
  constructor(rule, detail = '') {
    super(detail);
    this.rule = rule;
  }
}

const plusOne = (count) => {
  if (typeof count === 'number' && count < Number.MAX_SAFE_INTEGER) return count + 1;
  return BigInt(count) < MOST_COUNT ? BigInt(count) + 1n : MOST_COUNT;
};

/** One connection, with what waits to be sent on it and what has come of packets. */
class Link {
  constructor(number, address, refuse) {
    this.number = number;
    this.address = address;
    this.attMTU = 23;
    this.maySend = false;
    this.isClosing = false;
    this.isDiscovered = false;
    this.peer = null; // the id that the first packet bound to this link
    this.lastCount = 0;
    this.queue = []; // { kind, octets }
    this.values = []; // of queue[0], once it is under way
    this.position = 0;
    this.isWaiting = false; // for the answer to a value
    this.wasRefused = false; // the platform's queue was full
    this.nextPacketID = 0;
    this.sent = 0;
    this.reassembler = new framing.Reassembler(refuse);
  }
}

/** A subclass has a method `on_<input>(input)` for each input that it cares about. */
class App {
  constructor(hello, platform) {
    this.platform = platform;
    this.id = hello.peerID;
    this.name = hello.displayName;
    this.dialect = dialect(hello.dialect);
    this.totalLines = hello.game.totalLines;
    this.script = hello.game.script;
    this.scenarios = hello.game.scenarios;
    this.heartbeat = hello.game.heartbeatMilliseconds;
    this.earlierSessions = new Map(hello.game.earlierSessions.map((row) => [row.peerID, row.count]));
    this.timers = new Map(); // key: what setTimeout gave
    this.links = new Map();
    this.clock = new Map();
    this.solo = null;
    this.soloLines = 0;
    this.shown = new Map(); // the newest report of each name that is shown only when it changes
    this.shownClock = '';
  }

  get now() {
    return this.platform.now;
  }

  handle(input) {
    this[`on_${input.name}`]?.(input);
    this.showClock();
  }

  /** Asks something of the platform, or reports something. */
  do(name, members = {}) {
    this.platform.do(name, members);
  }

  /** Reports what the screen shows, when that has changed. */
  show(name, members) {
    const text = JSON.stringify(members);
    if (this.shown.get(name) === text) return;
    this.shown.set(name, text);
    this.do(name, members);
  }

  showClock() {
    const entries = [...this.clock].map(([peerID, count]) => ({ peerID, count: Math.min(Number(count), MOST_SHOWN) }));
    const text = JSON.stringify(entries);
    if (text !== this.shownClock && entries.length) this.do('vectorClock', { entries });
    this.shownClock = text;
  }

  /** Calls `action` after so many milliseconds; a timer of the same key is moved. */
  setTimer(key, milliseconds, action) {
    this.cancelTimer(key);
    const expired = () => {
      this.timers.delete(key);
      action();
      this.showClock();
    };
    this.timers.set(key, setTimeout(expired, milliseconds));
  }

  cancelTimer(key) {
    if (!this.timers.has(key)) return;
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
  }

  /** A person did something: a method `user_<action>`, if this role has it. */
  on_user(input) {
    const actor = this.solo ?? this;
    actor[`user_${input.action}`]?.(input);
  }

  user_startSolo() {
    if (this.links.size) return;
    const { Solo } = require('./solo.js'); // most cases need none
    this.solo = new Solo(this);
  }

  on_launched() {
    this.do('identity', { role: this.role, peerID: this.id, displayName: this.name });
    this.show('phase', { phase: 'LOBBY' });
    this.show('linkState', { linkState: 'DISCONNECTED' });
  }

  /** What is known about a scenario. */
  scenario(id) {
    return this.scenarios.find((scenario) => scenario.id === id);
  }

  roleOf(scenarioID, roleID) {
    return this.scenario(scenarioID)?.roles.find((role) => role.id === roleID);
  }

  // Links

  addLink(number, address) {
    const link = new Link(number, address, (reason) => this.do('refused', { link: number, reason }));
    this.links.set(number, link);
    return link;
  }

  /** A link is over: what waited for it is dropped, and its partial packets (5.9.5, 3.16). */
  forgetLink(link) {
    this.links.delete(link.number);
    link.isClosing = true;
    link.queue = [];
    this.cancelTimer(`partial ${link.number}`);
  }

  /** Ends a link cleanly; `disconnected` says when it is gone. */
  endLink(link) {
    if (link.isClosing) return;
    link.isClosing = true;
    link.queue = [];
    this.cancelTimer(`partial ${link.number}`);
    this.do('disconnect', { link: link.number });
  }

  on_attMTU(input) {
    const link = this.links.get(input.link);
    if (link) link.attMTU = input.attMTU;
  }

  // Sending: one value at a time, the next one when the platform has taken it (5.9)

  /** A new packet, counted (5.6.1). */
  stamped(kind, payload = {}) {
    this.clock.set(this.id, plusOne(this.clock.get(this.id) ?? 0));
    return new Packet(kind, this.id, new Map(this.clock), payload);
  }

  fits(link, octets) {
    return framing.fragmentCount(octets.length, link.attMTU) <= framing.MOST_FRAGMENTS;
  }

  /** Queues a packet for a link. */
  post(link, packet, octets = encode(packet)) {
    if (link.isClosing || !this.fits(link, octets)) return;
    if (link.queue.length >= MOST_QUEUED) {
      this.endLink(link);
      return;
    }
    link.queue.push({ kind: packet.kind, octets });
    this.pump(link);
  }

  /** Hands the platform the next value, when nothing is on the way. */
  pump(link) {
    if (link.isWaiting || link.isClosing || !link.maySend || !link.queue.length) return;
    if (!link.values.length) {
      link.values = framing.cut(link.nextPacketID, link.queue[0].octets, link.attMTU);
      link.position = 0;
      link.nextPacketID = (link.nextPacketID + 1) & 0xffff;
    }
    link.isWaiting = true;
    this.transmit(link, link.values[link.position]);
  }

  /** The platform has taken the value that was on the way. */
  taken(link) {
    link.isWaiting = false;
    if (link.isClosing || !link.queue.length) return;
    link.position += 1;
    if (link.position === link.values.length) {
      const { kind } = link.queue.shift();
      this.do('packetSent', { link: link.number, type: kind, packet: link.sent, fragments: link.values.length });
      link.sent += 1;
      link.values = [];
      if (!link.queue.length) this.drained(link);
    }
    this.pump(link);
  }

  /** Everything that was queued for a link has been sent. */
  drained() {}

  on_submitted(input) {
    const link = this.links.get(input.link);
    if (!link?.isWaiting) return;
    if (input.accepted) this.taken(link);
    else link.wasRefused = true;
  }

  on_readyToSend(input) {
    const link = this.links.get(input.link);
    if (!link?.wasRefused) return;
    link.wasRefused = false;
    link.isWaiting = false;
    this.pump(link);
  }

  // Receiving

  /** One value of a packet came. */
  receive(link, value) {
    const octets = link.reassembler.take(value, this.now);
    this.watchPartials(link);
    if (!octets) return;
    let packet;
    try {
      packet = decode(octets);
    } catch (error) {
      if (!(error instanceof NotAPacket)) throw error;
      this.do('refused', { link: link.number, reason: error.message });
      return;
    }
    const mark = this.platform.mark();
    const violation = (rule, detail) => this.do('violation', { link: link.number, rule, detail });
    try {
      this.accept(link, packet);
    } catch (error) {
      if (!(error instanceof Ignored)) throw error;
      if (error.rule) violation(error.rule, error.message);
      else this.do('refused', { link: link.number, reason: `${packet.kind} is ignored` });
      return;
    }
    if (packet.envelope !== packet.kind) {
      violation('BAB 7.8', `envelope says ${packet.envelope}, payload ${packet.kind}`);
    }
    this.platform.insert(mark, 'packetReceived', {
      link: link.number, type: packet.kind, senderID: packet.sender, json: encode(packet).toString(),
    });
  }

  /** 5.6.4: late news is not taken. */
  inOrder(link, packet) {
    if (packet.count < link.lastCount) throw new Ignored();
    link.lastCount = packet.count;
  }

  /** 3.14: a timer for what has begun and may never be finished. */
  watchPartials(link) {
    const deadline = link.reassembler.deadline;
    const key = `partial ${link.number}`;
    if (deadline === null) this.cancelTimer(key);
    else this.setTimer(key, (deadline - this.now) / 1_000_000, () => this.expirePartials(link));
  }

  expirePartials(link) {
    link.reassembler.expire(this.now);
    this.watchPartials(link);
  }

  /** 5.6.2 for the entries of peers that `known` says yes to. */
  merge(clock, known) {
    for (const [peer, count] of clock) {
      if (count > (this.clock.get(peer) ?? 0) && known(peer)) this.clock.set(peer, count);
    }
  }
}

module.exports = { App, Ignored, SECOND };
