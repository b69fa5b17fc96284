'use strict';
// The three published GATT profiles (bab.md 2) and their numbers.

const [READ, WRITE_WITHOUT_RESPONSE, WRITE, NOTIFY] = [0x02, 0x04, 0x08, 0x10];
const BOTH = WRITE | WRITE_WITHOUT_RESPONSE;

/** One column of the table in section 2; times in milliseconds. */
class Dialect {
  constructor({ service, command, state, others = [], capacity = 8, attMTU = 185, attempt = 10_000, scan, points }) {
    this.service = service;
    [this.command, this.state] = [command.uuid, state.uuid];
    this.characteristics = [command, state, ...others];
    Object.assign(this, { capacity, attMTU, attempt, scan, points });
    this.countsExtraWords = false; // 6.11
    this.isApp = service.startsWith('BAB10000');
    this.scanFilter = this.isApp ? [] : [service];
  }

  localName(peerID, displayName) {
    if (this.points === 'sdk') return `bab-game-${peerID}`;
    return this.isApp ? `BAB-${[...displayName].slice(0, 8).join('')}` : 'BabLanguage Game';
  }

  /** 2.5: what an advertiser shows makes it a host, and nothing else. */
  isHost(localName, services) {
    return this.isApp ? (localName ?? '').startsWith('BAB-') : services.includes(this.service);
  }
}

const of = (uuid, properties) => ({ uuid, properties });

function dialect(name) {
  if (name === 'sdk') {
    return new Dialect({
      service: 'BAB1', command: of('BAB2', BOTH), state: of('BAB3', NOTIFY), others: [of('BAB4', NOTIFY)],
      points: 'sdk',
    });
  }
  if (name === 'guide') {
    const base = '12345678-1234-1234-1234-123456789AB';
    const guide = new Dialect({
      service: `${base}C`, command: of(`${base}D`, BOTH), state: of(`${base}E`, NOTIFY), points: 'guide',
    });
    guide.countsExtraWords = true;
    return guide;
  }
  if (name !== 'app') throw new Error(`unknown dialect ${name}`);
  const base = 'BAB10000-1A46-0001-0000-00000000000';
  return new Dialect({
    service: `${base}1`, command: of(`${base}3`, WRITE), state: of(`${base}2`, READ | NOTIFY),
    others: [of(`${base}4`, WRITE | NOTIFY), of(`${base}5`, READ | NOTIFY)], capacity: 4, attMTU: 517, attempt: 30_000,
    scan: 15_000, points: 'guide',
  });
}

module.exports = { WRITE, NOTIFY, dialect };
