'use strict';
// The client's way to a host and back: scan, connect, set up, lose, return (bab.md 2, 5.1, 5.7, 8).

const { App, SECOND } = require('./app.js');
const { NOTIFY, WRITE } = require('./dialects.js');

const WINDOW = 30 * SECOND; // 8.1
const BACK_OFF = 100; // 8.7
const MOST_REFUSALS = 3; // 8.10
const CLEAN_END = 0x13; // remote user terminated connection

/** Everything about links. `Playing` (playing.js) adds what goes over them. */
class Joining extends App {
  role = 'client';
  isJoining = false;
  hasRadio = true;
  isScanning = false;
  attempt = null; // the address that a connection is asked for
  link = null;
  host = null; // address and local name of the host that gave us a seat, or of the newest try
  hasSeat = false; // on this link
  hadSeat = false; // in this session
  excluded = new Set(); // 2.5
  failures = 0;
  refusals = 0;
  subscriptions = []; // characteristics still to subscribe to
  wantsResponse = true;

  // Looking for a host

  user_joinHost() {
    if (this.isJoining) return;
    this.isJoining = true;
    this.failures = this.refusals = 0;
    this.excluded.clear();
    this.hadSeat = false;
    this.show('linkState', { linkState: 'CONNECTING' });
    this.look();
  }

  /** 2.4: scans, when there is nothing better to do. */
  look() {
    if (!this.isJoining || !this.hasRadio || this.isScanning || this.attempt || this.link) return;
    this.isScanning = true;
    this.do('scan', { services: this.dialect.scanFilter });
    if (this.dialect.scan && !this.hadSeat) {
      this.setTimer('scan', this.dialect.scan, () => this.endSession('no host found')); // 8.6
    }
  }

  stopLooking() {
    if (!this.isScanning) return;
    this.isScanning = false;
    this.cancelTimer('scan');
    this.do('stopScanning');
  }

  on_discovered({ address, localName, services }) {
    if (!this.isScanning || this.excluded.has(address)) return;
    const name = localName ?? null;
    if (this.hadSeat) {
      if (address !== this.host.address && (name === null || name !== this.host.name)) return; // 5.7.7
      this.host = { address, name: name ?? this.host.name };
    } else if (this.dialect.isHost(name, services)) {
      this.host = { address, name };
    } else {
      return;
    }
    this.stopLooking();
    this.connect();
  }

  connect() {
    this.attempt = this.host.address;
    this.do('connect', { address: this.attempt });
    this.setTimer('attempt', this.dialect.attempt, () => this.giveUpAttempt()); // 8.5
  }

  giveUpAttempt() {
    this.do('cancelConnect', { address: this.attempt });
    this.attempt = null;
    this.failed();
  }

  on_connectFailed({ address }) {
    if (address !== this.attempt) return;
    this.attempt = null;
    this.cancelTimer('attempt');
    this.failed();
  }

  /** 8.7: waits longer after each failure; every third attempt scans again. */
  failed() {
    if (!this.isJoining) return;
    this.failures += 1;
    const wait = BACK_OFF + Math.random() * BACK_OFF * 2 ** Math.min(this.failures, 4);
    this.setTimer('again', wait, () => (this.failures % 3 === 0 ? this.look() : this.tryAgain()));
  }

  tryAgain() {
    if (!this.isJoining || !this.hasRadio || this.link || this.attempt) return;
    if (this.host && !this.excluded.has(this.host.address)) this.connect();
    else this.look();
  }

  on_radioPower(input) {
    this.hasRadio = input.on;
    if (this.hasRadio) {
      this.look();
      return;
    }
    this.isScanning = false;
    this.attempt = null;
    for (const key of ['scan', 'attempt', 'again']) this.cancelTimer(key);
    if (this.link) this.lose(this.link, null);
  }

  // Setting a link up (5.1.4)

  on_connected({ link, address }) {
    if (address !== this.attempt) {
      this.do('disconnect', { link });
      return;
    }
    this.cancelTimer('attempt');
    this.attempt = null;
    this.link = this.addLink(link, address);
    this.hasSeat = false;
    this.do('exchangeMTU', { link, attMTU: this.dialect.attMTU });
  }

  on_attMTU(input) {
    super.on_attMTU(input);
    const link = this.current(input);
    if (!link || link.isDiscovered) return;
    link.isDiscovered = true;
    this.do('discover', { link: link.number, service: this.dialect.service });
  }

  /** The link that an input is about, if it is the one we use. */
  current(input) {
    return this.link?.number === input.link && !this.link.isClosing ? this.link : null;
  }

  on_servicesDiscovered(input) {
    const link = this.current(input);
    if (!link || input.service !== this.dialect.service) return;
    const found = new Map(input.characteristics.map(({ uuid, properties }) => [uuid, properties]));
    if (!found.has(this.dialect.command) || !(found.get(this.dialect.state) & NOTIFY)) {
      this.excluded.add(link.address); // 2.5
      this.endLink(link);
      return;
    }
    this.wantsResponse = Boolean(found.get(this.dialect.command) & WRITE);
    this.subscriptions = [...found].filter(([, properties]) => properties & NOTIFY).map(([uuid]) => uuid);
    this.subscribe(link);
  }

  subscribe(link) {
    const [characteristic] = this.subscriptions;
    if (characteristic) {
      this.do('subscribe', { link: link.number, characteristic, on: true });
    } else {
      link.maySend = true;
      this.introduce();
    }
  }

  on_subscribed(input) {
    const link = this.current(input);
    if (!link || input.characteristic !== this.subscriptions[0]) return;
    if (!input.on) {
      this.endLink(link);
      return;
    }
    this.subscriptions.shift();
    this.subscribe(link);
  }

  // Values

  /** 2.8 */
  transmit(link, value) {
    const name = this.wantsResponse ? 'write' : 'writeWithoutResponse';
    this.do(name, { link: link.number, characteristic: this.dialect.command, octets: value.toString('hex') });
  }

  on_writeCompleted(input) {
    const link = this.current(input);
    if (!link?.isWaiting) return;
    if (input.error === null) this.taken(link);
    else this.endLink(link); // 5.9.6
  }

  on_valueReceived(input) {
    const link = this.current(input);
    if (link) this.receive(link, Buffer.from(input.octets, 'hex'));
  }

  // Losing a link

  on_disconnected(input) {
    const link = this.links.get(input.link);
    if (link) this.lose(link, link.isClosing ? null : input.reason);
  }

  /** 5.7.7, 5.8.3, 5.1.15. The reason is null when we have ended the link. */
  lose(link, reason) {
    this.forgetLink(link);
    this.link = null;
    this.subscriptions = [];
    if (!this.isJoining) return;
    if (this.isFinished) {
      this.endSession('the game is over');
    } else if (this.hasSeat) {
      this.hasSeat = false;
      this.failures = 0;
      this.show('linkState', { linkState: 'RECONNECTING' });
      this.setTimer('window', WINDOW, () => this.endSession('the host did not come back')); // 5.7.8
      this.look();
    } else {
      this.refusals += reason === CLEAN_END ? 1 : 0;
      if (reason === CLEAN_END && this.refusals === MOST_REFUSALS) this.endSession('refused by the host');
      else this.failed();
    }
  }

  /** We have a seat: nothing to look for any more. */
  seated() {
    this.hasSeat = this.hadSeat = true;
    this.failures = this.refusals = 0;
    this.cancelTimer('window');
    this.show('linkState', { linkState: 'CONNECTED' });
  }

  // The end

  /** 5.1.14 */
  user_leave() {
    if (this.isJoining) this.endSession('left');
  }

  /** Leaves no scan, attempt, link or timer behind. */
  endSession(reason) {
    this.isJoining = false;
    this.stopLooking();
    if (this.attempt) this.do('cancelConnect', { address: this.attempt });
    this.attempt = null;
    if (this.link) this.endLink(this.link);
    this.hasSeat = false;
    for (const key of [...this.timers.keys()]) this.cancelTimer(key);
    this.show('linkState', { linkState: 'DISCONNECTED' });
    this.do('sessionEnded', { reason });
  }
}

module.exports = { Joining };
