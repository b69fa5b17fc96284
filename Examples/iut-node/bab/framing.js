'use strict';
// Fragments (wire.md 3): cutting packets into values, and putting them together again.

const HEADER = 4;
const LONGEST_VALUE = 512;
const MOST_FRAGMENTS = 255;
const MOST_PARTIALS = 16;
const MOST_OCTETS = 262_144;
const PATIENCE = 5_000_000_000; // nanoseconds without progress (3.14)

/** 3.4: what of a value is left for the body. */
const bodySize = (attMTU) => Math.min(attMTU - 3, LONGEST_VALUE) - HEADER;

/** How many fragments octets of this length need. */
const fragmentCount = (length, attMTU) => Math.max(1, Math.ceil(length / bodySize(attMTU)));

/** The values of one packet, in order (3.1 to 3.6). */
function cut(packetID, octets, attMTU) {
  const size = bodySize(attMTU);
  const count = fragmentCount(octets.length, attMTU);
  return Array.from({ length: count }, (_, index) => {
    const head = Buffer.from([packetID >> 8, packetID & 0xff, index, count]);
    return Buffer.concat([head, octets.subarray(index * size, (index + 1) * size)]);
  });
}

/** The receiving side of one direction of one link (3.9 to 3.19). */
class Reassembler {
  constructor(refuse) {
    this.refuse = refuse;
    this.partials = new Map(); // by packetID, the one begun first in front
    this.octets = 0;
    this.completed = []; // the 16 completed last (3.17)
  }

  /** The octets of a packet that this value completes, else null. */
  take(value, now) {
    if (value.length < HEADER) {
      this.refuse(`a value of ${value.length} octets`);
      return null;
    }
    const [id, index, count, body] = [value.readUInt16BE(0), value[2], value[3], value.subarray(HEADER)];
    if (count === 0 || index >= count) return this.drop(id, `fragment ${index} of ${count}`);
    let partial = this.partials.get(id);
    if (!partial) {
      if (this.isRepeat(id, index, count, body, now)) return null;
      partial = { bodies: new Map(), count, octets: 0, deadline: 0 };
      this.partials.set(id, partial);
    } else if (partial.count !== count) {
      return this.drop(id, `packet ${id} changed its count`);
    }
    const known = partial.bodies.get(index);
    if (known) return known.equals(body) ? null : this.drop(id, `packet ${id} has two fragments ${index}`);
    partial.bodies.set(index, body);
    partial.octets += body.length;
    partial.deadline = now + PATIENCE;
    this.octets += body.length;
    if (partial.bodies.size === count) return this.complete(id, partial, now);
    while (this.partials.size > MOST_PARTIALS || this.octets > MOST_OCTETS) {
      const oldest = this.partials.keys().next().value;
      this.drop(oldest, `too much that is unfinished; packet ${oldest} dropped`);
    }
    return null;
  }

  /** Drops what has had no progress for five seconds (3.14). */
  expire(now) {
    for (const [id, partial] of [...this.partials]) {
      if (partial.deadline <= now) this.drop(id, `packet ${id} never came whole`);
    }
  }

  /** When something expires next; null without partial packets. */
  get deadline() {
    return this.partials.size ? Math.min(...[...this.partials.values()].map((partial) => partial.deadline)) : null;
  }

  complete(id, partial, now) {
    this.drop(id);
    if (partial.octets > MOST_OCTETS) {
      this.refuse(`a packet of ${partial.octets} octets`);
      return null;
    }
    this.completed = [...this.completed.slice(-15), { now, id, bodies: partial.bodies }];
    return Buffer.concat(Array.from({ length: partial.count }, (_, index) => partial.bodies.get(index)));
  }

  isRepeat(id, index, count, body, now) {
    const isFresh = (done) => done.id === id && done.bodies.size === count && now - done.now < PATIENCE;
    return this.completed.some((done) => isFresh(done) && done.bodies.get(index).equals(body));
  }

  drop(id, reason) {
    if (reason) this.refuse(reason);
    this.octets -= this.partials.get(id)?.octets ?? 0;
    this.partials.delete(id);
    return null;
  }
}

module.exports = { MOST_FRAGMENTS, Reassembler, cut, fragmentCount };
