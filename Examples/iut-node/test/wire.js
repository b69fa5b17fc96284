'use strict';
// Packets and fragments against octets that others made: node --test test/wire.js
const assert = require('node:assert');
const { test } = require('node:test');

const { Reassembler, cut } = require('../bab/framing.js');
const { NotJSON, jvmFloat, read, write } = require('../bab/json.js');
const { NotAPacket, decode, encode } = require('../bab/packets.js');

// The published encoder's real output.
const PREFIX = 'com.bablabs.bringabrainlanguage.domain.models.PacketPayload.';
const EXCERPT =
  '{"type":"VOTE_CAST","senderId":"host-1","vectorClock":{"timestamps":{"host-1":3,"peer-a":1}},"payload":' +
  `{"type":"${PREFIX}VoteCast","voterId":"peer-a","vote":true}}`;

test('a packet of the published encoder is read and written octet for octet', () => {
  const packet = decode(Buffer.from(EXCERPT));
  assert.equal(packet.kind, 'VOTE_CAST');
  assert.equal(packet.count, 3);
  assert.equal(encode(packet).toString(), EXCERPT);
});

test('every prefix of a packet is refused, and no flipped bit does worse', () => {
  const octets = Buffer.from(EXCERPT);
  for (let length = 0; length < octets.length; length += 1) {
    assert.throws(() => decode(octets.subarray(0, length)), NotAPacket);
  }
  for (let bit = 0; bit < octets.length * 8; bit += 1) {
    const flipped = Buffer.from(octets);
    flipped[bit >> 3] ^= 1 << (bit & 7);
    try {
      decode(flipped);
    } catch (error) {
      assert.ok(error instanceof NotAPacket, String(error));
    }
  }
});

test('numbers keep what tells them apart, and keys their order', () => {
  const text = '{"7":1,"1":1.5,"a":9223372036854775807,"b":[true,null,"\\u001f"]}';
  assert.equal(write(read(text)), text);
  for (const bad of ['', '{', '[1,]', '01', '1.', '"\\ud8"', 'nul', '{"a":1 "b":2}', '1 2', '\ufeff1']) {
    assert.throws(() => read(bad), NotJSON, bad);
  }
});

test('32-bit numbers are written as the JVM prints them', () => {
  const numbers = { 0.85: '0.85', 1: '1.0', 1e10: '1.0E10', 0.0001: '1.0E-4', 0.001: '0.001', 12345678: '1.2345678E7' };
  for (const [number, text] of Object.entries(numbers)) assert.equal(jvmFloat(Number(number)), text);
});

test('fragments come together in any order', () => {
  const octets = Buffer.from(EXCERPT);
  const values = cut(0xffff, octets, 40);
  assert.deepEqual([...values[1].subarray(0, 4)], [0xff, 0xff, 1, values.length]);
  const reassembler = new Reassembler(assert.fail);
  const results = [...values].reverse().map((value) => reassembler.take(value, 0));
  assert.deepEqual(results.pop(), octets);
  assert.ok(results.every((result) => result === null));
});
