import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import Judging
import LinkCrypto
import SimKernel
import Testing
import VirtualRadio

@testable import CaptureCheck

/// Links of our own radio, which encrypts by itself: what the air gives with a key is what both hosts were given.
@Suite("Encrypted links of the virtual radio, read with a key")
struct ReadEncryptionTests {
  private static func key(_ octets: [UInt8]) -> CaptureKey { .longTerm(octets.reversed()) }

  /// Sends numbered values in turn, and waits for each.
  private static func talk(_ bench: AirLinkBench, _ count: Int, from first: Int = 0) {
    for number in first..<first + count {
      let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1 + number % 18)
      bench.send(number % 2, AirLinkBench.frame([number % 2 == 0 ? 0x1B : 0x52, 0x12, 0x00] + value))
      bench.run(for: .milliseconds(150))
    }
  }

  private static func compare(_ bench: AirLinkBench, _ log: AirLog) {
    let links = log.opened.map(\.index)
    equal(links.flatMap { log.att(link: $0, fromCentral: true) }, HostFrames.att(bench.received[0]))
    equal(links.flatMap { log.att(link: $0, fromCentral: false) }, HostFrames.att(bench.received[1]))
  }

  /// Where PDUs are damaged, and the sniffer does not say who speaks, the follower loses track now and then.
  @Test(
    "Encryption starts, is paused, and starts again with other numbers",
    arguments: [(false, true), (false, false), (true, true)])
  func sessions(isLossy: Bool, tellsDirection: Bool) {
    var environment = RadioEnvironment()
    environment.isLevelDependent = false
    if isLossy { environment.packetLoss = .partsPerMillion(100_000) }
    let bench = AirLinkBench(environment: environment, seed: 5)
    bench.connect()
    Self.talk(bench, 6)
    bench.encrypt()
    Self.talk(bench, 30, from: 6)
    bench.encrypt()
    Self.talk(bench, 30, from: 36)
    let records = AirRecords.records(bench.air, tellsDirection: tellsDirection)
    let read = DecryptedRecords(records, [Self.key(AirLinkBench.key)])
    let log = AirLog.reading(read.records)
    Self.compare(bench, log)
    equal(HostFrames.att(bench.received[0]).count, 33)
    expect(read.sessions.count == 2 && read.sessions.allSatisfy { $0.unread == 0 && $0.read > 30 })
    // LL_ENC_REQ of the second start is in plain.
    equal(log.count(.encrypted), 0)
    equal(RuleCaptures.lines(RuleScript.judge(read.records)), [])
    expect(read.notes(log).allSatisfy { $0.hasPrefix("link 0: encrypted with the key of --key ltk=") })
    // Control PDUs of an encrypted link are judged as well.
    let judged = RuleScript.judge(read.records).first { $0.id == "ControlPDUsHaveTheirLength" }?.judged ?? 0
    let unread = RuleScript.judge(records).first { $0.id == "ControlPDUsHaveTheirLength" }?.judged ?? 0
    expect(judged >= unread + 6)
  }

  @Test("Without a key, or with a wrong one, the records stay what they are")
  func untouched() {
    let bench = AirLinkBench()
    bench.connect()
    bench.encrypt()
    Self.talk(bench, 20)
    let records = AirRecords.records(bench.air)
    equal(DecryptedRecords(records).records, records)
    equal(DecryptedRecords(records, [Self.key([UInt8](repeating: 7, count: 16))]).records, records)
  }

  // MARK: Pairing on the air

  private static let request: [UInt8] = [0x01, 0x04, 0x00, 0x05, 0x10, 0x00, 0x03]
  private static let response: [UInt8] = [0x02, 0x02, 0x00, 0x05, 0x10, 0x00, 0x03]

  private static func security(_ bench: AirLinkBench, _ device: Int, _ pdu: [UInt8]) {
    bench.send(device, [UInt8(pdu.count), 0, 6, 0] + pdu)
    bench.run(for: .milliseconds(150))
  }

  /// LE legacy pairing between hands: the short term key.
  private static func pair(_ bench: AirLinkBench, temporary: [UInt8], confirms: Bool) -> [UInt8] {
    let randoms: [[UInt8]] = [(0..<16).map { $0 &* 7 }, (0..<16).map { $0 &* 11 &+ 3 }]
    security(bench, 1, request)
    security(bench, 0, response)
    for device in [1, 0] where confirms {
      let confirm = SecurityToolbox.c1(
        key: temporary, random: randoms[device], request: request, response: response,
        initiator: AirLinkBench.address(1), responder: AirLinkBench.address(0))
      security(bench, device, [0x03] + confirm)
    }
    security(bench, 1, [0x04] + randoms[1])
    security(bench, 0, [0x04] + randoms[0])
    return SecurityToolbox.s1(key: temporary, responderRandom: randoms[0], initiatorRandom: randoms[1])
  }

  @Test("Legacy pairing: the passkey is found, keys are taken from what it encrypts, later links are read with them")
  func legacy() {
    for (passkey, confirms) in [(0, true), (461_140, true), (0, false)] as [(UInt32, Bool)] {
      let bench = AirLinkBench()
      bench.connect()
      bench.longTermKey = Self.pair(bench, temporary: PasskeySearch.key(passkey), confirms: confirms)
      bench.encrypt(random: 0, diversifier: 0)
      let distributed: [UInt8] = (0..<16).map { 0xA0 ^ $0 &* 3 }
      let identity: [UInt8] = (0..<16).map { 0x40 &+ $0 }
      Self.security(bench, 0, [0x06] + distributed)
      Self.security(bench, 0, [0x07, 0x34, 0x12, 1, 2, 3, 4, 5, 6, 7, 8])
      Self.security(bench, 0, [0x08] + identity)
      Self.security(bench, 0, [0x09, 0x00, 0xA0, 0xF4, 0xF3, 0xF2, 0xF1, 0x10])
      Self.talk(bench, 10)
      if let handle = bench.handles[1] {
        bench.command(1, .disconnect(handle, reason: .remoteUserTerminatedConnection))
      }
      bench.run(for: .seconds(1))
      bench.longTermKey = distributed
      bench.connect()
      bench.encrypt(random: 0x0807_0605_0403_0201, diversifier: 0x1234)
      Self.talk(bench, 10, from: 10)
      let records = AirRecords.records(bench.air)
      let read = DecryptedRecords(records)
      let log = AirLog.reading(read.records)
      Self.compare(bench, log)
      equal(read.sessions.map(\.unread), [0, 0])
      equal(
        read.sessions.map(\.origin), [passkey == 0 ? .justWorks : .passkey(passkey), .distributed])
      equal(RuleCaptures.lines(RuleScript.judge(read.records)), [])
      // The identity resolving key that was handed out names the device of an address.
      let resolvable = Self.resolvable(identity)
      equal(
        read.ring.identities.identity(of: resolvable), BluetoothAddress(kind: .publicDevice, bits: 0x10F1_F2F3_F4A0))
    }
  }

  static func resolvable(_ key: [UInt8], random: UInt32 = 0x4A_BCDE) -> BluetoothAddress {
    BluetoothAddress(
      kind: .random, bits: UInt64(random) << 24 | UInt64(SecurityToolbox.ah(key, prand: random)))
  }

  @Test("Out of band: the temporary key must be given, in either order of octets")
  func outOfBand() {
    let temporary: [UInt8] = (0..<16).map { $0 &* 29 &+ 1 }
    let bench = AirLinkBench()
    bench.connect()
    bench.longTermKey = Self.pair(bench, temporary: temporary, confirms: true)
    bench.encrypt(random: 0, diversifier: 0)
    Self.talk(bench, 6)
    let records = AirRecords.records(bench.air)
    equal(DecryptedRecords(records).records, records)
    for key in [temporary, temporary.reversed()] {
      let read = DecryptedRecords(records, [.temporary(key)])
      equal(read.sessions.map(\.origin), [.temporary])
      Self.compare(bench, AirLog.reading(read.records))
    }
  }

  @Test("LE Secure Connections: with the debug key of the specification, and with no other")
  func debugKey() throws {
    for isDebug in [true, false] {
      let bench = AirLinkBench()
      bench.connect()
      let own = try required(P256KeyPair(privateKey: (0..<32).map { $0 &+ 1 }))
      let other = isDebug ? P256KeyPair.debug : try required(P256KeyPair(privateKey: (0..<32).map { $0 &+ 2 }))
      let randoms: [[UInt8]] = [(0..<16).map { $0 &* 7 }, (0..<16).map { $0 &* 11 &+ 3 }]
      Self.security(bench, 1, [0x01, 0x03, 0x00, 0x09, 0x10, 0x00, 0x00])
      Self.security(bench, 0, [0x02, 0x03, 0x00, 0x09, 0x10, 0x00, 0x00])
      Self.security(bench, 1, [0x0C] + own.publicKey)
      Self.security(bench, 0, [0x0C] + other.publicKey)
      Self.security(bench, 0, [0x03] + randoms[0])
      Self.security(bench, 1, [0x04] + randoms[1])
      Self.security(bench, 0, [0x04] + randoms[0])
      bench.longTermKey =
        SecurityToolbox.f5(
          secret: try required(own.sharedSecret(with: other.publicKey)), initiatorRandom: randoms[1],
          responderRandom: randoms[0], initiator: AirLinkBench.address(1), responder: AirLinkBench.address(0)
        ).longTermKey
      bench.encrypt(random: 0, diversifier: 0)
      Self.talk(bench, 6)
      let records = AirRecords.records(bench.air)
      let read = DecryptedRecords(records, [.passkey(123_456)])
      if isDebug {
        equal(read.sessions.map(\.origin), [.debug])
        Self.compare(bench, AirLog.reading(read.records))
      } else {
        equal(read.records, records)
      }
    }
  }

  @Test("A host's command in a capture of HCI gives the key")
  func hostKey() {
    let bench = AirLinkBench()
    bench.connect()
    bench.encrypt()
    Self.talk(bench, 6)
    for command in [
      [0x19, 0x20, 28, 0x40, 0, 0x90, 0x78, 0x56, 0x34, 0x12, 0xEF, 0xCD, 0xAB, 0x74, 0x24] + AirLinkBench.key,
      [0x1A, 0x20, 18, 0x40, 0] + AirLinkBench.key,
    ] as [[UInt8]] {
      let record = CaptureRecord(
        number: 1, link: .h4, nanoseconds: 0, originalLength: command.count + 1,
        body: .hci(adapter: 0, indicator: 0x01, isToHost: false), octets: command[...])
      let read = DecryptedRecords([record] + AirRecords.records(bench.air))
      equal(read.sessions.map(\.origin), [.host])
      equal(read.sessions.map(\.unread), [0])
    }
  }

  @Test("Resolvable addresses of one key are one device")
  func identities() {
    let key: [UInt8] = (0..<16).map { 0x40 &+ $0 }
    let addresses = [Self.resolvable(key), Self.resolvable(key, random: 0x51_2345)]
    let stranger = Self.resolvable(key.reversed(), random: 0x61_0001)
    let ring = KeyRing([.identity(key)])
    equal(addresses.map { ring.identities.identity(of: $0) ?? $0 }, [addresses[0], addresses[0]])
    // The same key in the other order of octets is another key; both are tried.
    expect(ring.identities.identity(of: stranger) == nil)
    expect(KeyRing([]).identities.identity(of: addresses[0]) == nil)
    expect(ring.identities.identity(of: AirLinkBench.address(0)) == nil)
  }

  @Test("Where the peripheral's host has no key, what comes after LL_ENC_RSP is in plain, and nobody asks for its key")
  func refusedStart() {
    let bench = AirLinkBench()
    bench.connect()
    bench.isBonded = false
    bench.encrypt()
    Self.talk(bench, 12)
    let read = DecryptedRecords(AirRecords.records(bench.air, tellsDirection: true), [Self.key(AirLinkBench.key)])
    let log = AirLog.reading(read.records)
    Self.compare(bench, log)
    equal(HostFrames.att(bench.received[0]).count, 6)
    expect(read.sessions.isEmpty)
    expect(read.notes(log).allSatisfy { !$0.contains("no key fits") })
  }
}
