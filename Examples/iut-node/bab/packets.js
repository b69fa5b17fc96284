'use strict';
// Packets: one JSON object each (wire.md 4). The payload in memory is an object with the keys of its kind; maps are
// Maps, numbers of 32 bits with a fraction are plain numbers.

const { NotJSON, Real, jvmFloat, quoted, read, write } = require('./json.js');
const { KINDS, OBJECTS } = require('./tables.js');

const PREFIX = 'com.bablabs.bringabrainlanguage.domain.models.PacketPayload.';
const byPayload = new Map(Object.entries(KINDS).map(([kind, [name]]) => [PREFIX + name, kind]));

/** Octets that are no packet, with why. */
class NotAPacket extends Error {}

/** One packet. `envelope` differs from `kind` when a sender contradicted itself (4.6). */
class Packet {
  constructor(kind, sender, clock, payload, envelope = kind) {
    Object.assign(this, { kind, sender, clock, payload, envelope });
  }

  /** The sender's own entry (5.6.4). */
  get count() {
    return this.clock.get(this.sender) ?? 0;
  }
}

// Writing

function written(value, type) {
  if (type === 'str') return quoted(value);
  if (type === 'f32') return jvmFloat(value);
  if (type in OBJECTS) return `{${members(value, OBJECTS[type])}}`;
  if (value === null || type === 'any' || typeof type === 'string') return write(value);
  if (type.is === 'nullable') return written(value, type.of);
  if (type.is === 'list') return `[${value.map((item) => written(item, type.of)).join()}]`;
  if (type.is === 'oneOf') return quoted(value);
  return `{${[...value].map(([key, item]) => `${quoted(key)}:${written(item, type.of)}`).join()}}`;
}

const members = (value, table) =>
  table.map(([name, type, ifAbsent]) => `"${name}":${written(name in value ? value[name] : ifAbsent, type)}`).join();

/** The octets of a packet (4.1 to 4.13). */
function encode(packet) {
  const [name, ...table] = KINDS[packet.kind];
  const rest = members(packet.payload, table);
  const clock = written({ timestamps: packet.clock }, 'clock');
  return Buffer.from(
    `{"type":"${packet.envelope}","senderId":${quoted(packet.sender)},"vectorClock":${clock},` +
      `"payload":{"type":"${PREFIX}${name}"${rest && ','}${rest}}}`);
}

// Reading

const refuse = (reason) => {
  throw new NotAPacket(reason);
};

function whole(value, bits, path) {
  const isWhole = typeof value === 'number' || typeof value === 'bigint';
  if (!isWhole || value < -(2n ** bits) || value >= 2n ** bits) refuse(`${path} is no integer of ${bits + 1n} bits`);
  return value;
}

function checked(value, type, path) {
  switch (type) {
    case 'str':
      return typeof value === 'string' ? value : refuse(`${path} is no string`);
    case 'bool':
      return typeof value === 'boolean' ? value : refuse(`${path} is no boolean`);
    case 'i32':
      return Number(whole(value, 31n, path));
    case 'i64':
      return whole(value, 63n, path);
    case 'f32': {
      const isNumber = value instanceof Real || typeof value === 'number' || typeof value === 'bigint';
      const number = isNumber ? Math.fround(value instanceof Real ? value.value : Number(value)) : NaN;
      return Number.isFinite(number) ? number : refuse(`${path} is no 32-bit number`);
    }
    case 'any':
      return value;
    default:
  }
  if (typeof type === 'string') return object(value, OBJECTS[type], path);
  if (type.is === 'oneOf') return type.names.includes(value) ? value : refuse(`${path} is none of ${type.names}`);
  if (type.is === 'nullable') return value === null ? null : checked(value, type.of, path);
  if (type.is === 'list') {
    return Array.isArray(value) ? value.map((item) => checked(item, type.of, path)) : refuse(`${path} is no list`);
  }
  if (!(value instanceof Map)) return refuse(`${path} is no map`);
  return new Map([...value].map(([key, item]) => [key, checked(item, type.of, path)]));
}

function object(value, table, path) {
  if (!(value instanceof Map)) refuse(`${path} is no object`);
  const result = {};
  for (const [name, type, ...ifAbsent] of table) {
    if (value.has(name)) result[name] = checked(value.get(name), type, `${path}.${name}`);
    else if (ifAbsent.length) [result[name]] = ifAbsent;
    else refuse(`${path}.${name} is missing`);
  }
  return result;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The packet in these octets. Throws NotAPacket. */
function decode(octets) {
  let value;
  try {
    value = read(utf8.decode(octets));
  } catch (error) {
    if (error instanceof NotJSON) refuse(`no JSON: ${error.message}`);
    if (error instanceof TypeError) refuse('no UTF-8');
    throw error;
  }
  if (!(value instanceof Map)) refuse('no object');
  const envelope = value.get('type');
  if (typeof envelope !== 'string' || !Object.hasOwn(KINDS, envelope)) refuse('unknown type');
  const sender = checked(value.get('senderId'), 'str', 'senderId');
  const clock = checked(value.get('vectorClock'), 'clock', 'vectorClock').timestamps;
  const payload = value.get('payload');
  if (!(payload instanceof Map)) refuse('payload is no object');
  const kind = byPayload.get(payload.get('type')) ?? refuse('unknown payload');
  return new Packet(kind, sender, clock, object(payload, KINDS[kind].slice(1), 'payload'), envelope);
}

module.exports = { NotAPacket, Packet, decode, encode };
