'use strict';
// JSON as the wire wants it (wire.md 4.3 to 4.12). JSON.parse loses what tells 1 from 1.0, whole numbers above 2^53,
// and the order of keys such as "7".

class NotJSON extends Error {}

/** A number with a point or an exponent. */
class Real {
  constructor(value) {
    this.value = value;
  }
}

const ESCAPES = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const MOST_NESTED = 512;
const MOST_DIGITS = 400;

/** The value of one JSON text: objects are Maps, whole numbers beyond ±2^53 are BigInts. Throws NotJSON. */
function read(text) {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.skip();
  if (reader.at !== text.length) throw new NotJSON(`something follows at character ${reader.at}`);
  return value;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail(what) {
    throw new NotJSON(`${what} at character ${this.at}`);
  }

  skip() {
    while (' \t\n\r'.includes(this.text[this.at] ?? 'x')) this.at += 1;
  }

  take(character, what) {
    this.skip();
    if (this.text[this.at] !== character) this.fail(what);
    this.at += 1;
  }

  /** Whether this sign is next; it is taken then. */
  has(character) {
    this.skip();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  value(depth) {
    if (depth > MOST_NESTED) this.fail('too deep');
    this.skip();
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first === '{') return this.object(depth);
    if (first === '[') return this.list(depth);
    for (const [word, value] of [['true', true], ['false', false], ['null', null]]) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.number();
  }

  object(depth) {
    this.at += 1;
    const result = new Map();
    if (this.has('}')) return result;
    do {
      this.skip();
      if (this.text[this.at] !== '"') this.fail('no key');
      const key = this.string();
      this.take(':', 'no colon');
      result.set(key, this.value(depth + 1));
    } while (this.has(','));
    this.take('}', 'no comma');
    return result;
  }

  list(depth) {
    this.at += 1;
    const result = [];
    if (this.has(']')) return result;
    do result.push(this.value(depth + 1));
    while (this.has(','));
    this.take(']', 'no comma');
    return result;
  }

  string() {
    let result = '';
    this.at += 1;
    for (;;) {
      const sign = this.text[this.at];
      if (sign === undefined) this.fail('a string without end');
      if (sign < ' ') this.fail('a control in a string');
      this.at += 1;
      if (sign === '"') return result;
      result += sign === '\\' ? this.escaped() : sign;
    }
  }

  escaped() {
    const sign = this.text[this.at];
    this.at += 1;
    if (sign in ESCAPES) return ESCAPES[sign];
    const code = this.unit(sign);
    if (code >= 0xd800 && code < 0xdc00 && this.text.startsWith('\\u', this.at)) {
      const before = this.at;
      this.at += 2;
      const low = this.unit('u');
      if (low >= 0xdc00 && low < 0xe000) return String.fromCharCode(code, low);
      this.at = before;
    }
    return code >= 0xd800 && code < 0xe000 ? '?' : String.fromCharCode(code); // 4.31
  }

  unit(sign) {
    const digits = this.text.slice(this.at, this.at + 4);
    if (sign !== 'u' || !/^[0-9a-fA-F]{4}$/.test(digits)) this.fail('no escape');
    this.at += 4;
    return parseInt(digits, 16);
  }

  number() {
    const text = this.text.slice(this.at, this.at + MOST_DIGITS);
    const [number] = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/.exec(text) ?? [];
    if (number === undefined) this.fail('no value');
    this.at += number.length;
    if (/[.eE]/.test(number)) return new Real(Number(number));
    return Number.isSafeInteger(Number(number)) ? Number(number) : BigInt(number);
  }
}

/** 4.7: only quote, backslash and controls are escaped. */
const quoted = (text) => JSON.stringify(text.replace(/\p{Surrogate}/gu, '?'));

/** 4.11: a 32-bit number as the JVM prints it. 4.12: 0.0 for what is not finite. */
function jvmFloat(number) {
  const value = Math.fround(number);
  if (!Number.isFinite(value)) return '0.0';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  let text;
  for (let digits = 0; digits < 9; digits += 1) {
    text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) break;
  }
  const [mantissa, power] = text.split('e');
  const exponent = Number(power);
  const sign = mantissa[0] === '-' ? '-' : '';
  const figures = mantissa.replace(/[-.]/g, '').replace(/0+$/, '') || '0';
  if (exponent < -3 || exponent >= 7) return `${sign}${figures[0]}.${figures.slice(1) || '0'}E${exponent}`;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${figures}`;
  const all = figures.padEnd(exponent + 2, '0');
  return `${sign}${all.slice(0, exponent + 1)}.${all.slice(exponent + 1)}`;
}

/** What `read` gave, without spaces and with its keys in their order. */
function write(value) {
  if (value instanceof Real) return jvmFloat(value.value);
  if (value instanceof Map) {
    return `{${[...value].map(([key, member]) => `${quoted(key)}:${write(member)}`).join()}}`;
  }
  if (Array.isArray(value)) return `[${value.map(write).join()}]`;
  return typeof value === 'string' ? quoted(value) : String(value);
}

module.exports = { NotJSON, Real, read, write, quoted, jvmFloat };
