import CaptureFormats
import SimKernel

@testable import CaptureCheck
@testable import Judging

/// A capture made by hand, record by record, as a mutant of a rule alters it.
struct RuleScript {
  var records: [CaptureRecord] = []
  /// Of the next record.
  var nanoseconds: Int64 = 1_700_000_000_000_000_000
  /// Whether every ACL packet to the controller is acknowledged at once.
  var completesPackets = true

  /// The number of the newest record.
  var last: Int { records.count }

  mutating func wait(milliseconds: Int64) { nanoseconds += milliseconds * 1_000_000 }

  /// Time passes, and the controller hears an advertiser at least every five seconds: the clock was not set.
  mutating func pass(seconds: Int64) {
    for second in 1...seconds {
      wait(milliseconds: 1_000)
      if second % 5 == 0 { report(Self.peer, [2, 1, 6]) }
    }
  }

  // MARK: HCI

  mutating func hci(_ indicator: UInt8, toHost: Bool, _ octets: [UInt8], adapter: UInt16 = 0) {
    nanoseconds += 1_000_000
    records.append(
      CaptureRecord(
        number: records.count + 1, link: .h4, nanoseconds: nanoseconds, originalLength: octets.count + 1,
        body: .hci(adapter: adapter, indicator: indicator, isToHost: toHost), octets: octets[...]))
  }

  mutating func command(_ opcode: UInt16, _ parameters: [UInt8] = []) {
    hci(1, toHost: false, Self.word(opcode) + [UInt8(parameters.count)] + parameters)
  }

  mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
    hci(4, toHost: true, [code, UInt8(parameters.count)] + parameters)
  }

  /// A command, and at once its Command Complete with one more allowed.
  mutating func completed(_ opcode: UInt16, _ parameters: [UInt8] = [], returns: [UInt8] = [0]) {
    command(opcode, parameters)
    event(0x0E, [1] + Self.word(opcode) + returns)
  }

  /// A command, and at once its Command Status.
  mutating func started(_ opcode: UInt16, _ parameters: [UInt8] = []) {
    command(opcode, parameters)
    event(0x0F, [0, 1] + Self.word(opcode))
  }

  mutating func acl(_ handle: UInt16 = 0x40, toHost: Bool, boundary: UInt16? = nil, _ data: [UInt8]) {
    let flags = (boundary ?? (toHost ? 2 : 0)) << 12
    hci(2, toHost: toHost, Self.word(handle | flags) + Self.word(UInt16(data.count)) + data)
    if !toHost && completesPackets { completedPackets(1, handle) }
  }

  mutating func completedPackets(_ count: UInt16, _ handle: UInt16 = 0x40) {
    event(0x13, [1] + Self.word(handle) + Self.word(count))
  }

  /// A whole L2CAP frame.
  mutating func frame(_ handle: UInt16 = 0x40, channel: UInt16, fromPeripheral: Bool, _ payload: [UInt8]) {
    acl(handle, toHost: fromPeripheral, Self.word(UInt16(payload.count)) + Self.word(channel) + payload)
  }

  /// From the client, which is the central.
  mutating func client(_ pdu: [UInt8], handle: UInt16 = 0x40) {
    frame(handle, channel: 4, fromPeripheral: false, pdu)
  }

  mutating func server(_ pdu: [UInt8], handle: UInt16 = 0x40) {
    frame(handle, channel: 4, fromPeripheral: true, pdu)
  }

  static func word(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

  // MARK: Judging

  /// What all rules say of it.
  func judge(_ rules: [any TrafficRule.Type] = TrafficRules.all) -> [OracleResult] { Self.judge(records, rules) }

  static func judge(
    _ records: [CaptureRecord], _ rules: [any TrafficRule.Type] = TrafficRules.all
  ) -> [OracleResult] {
    let book = RuleBook(rules)
    let reader = TrafficReader(observers: [book])
    let first = records.first?.nanoseconds ?? 0
    for record in records { reader.read(record, file: 0, at: .zero + .nanoseconds(record.nanoseconds - first)) }
    reader.finish()
    return book.results(isStrict: true)
  }
}

extension RuleScript {
  /// A central's host from Reset to a connection on which everything that rules look at has happened once, properly.
  /// The link 0x0040 is up; its server has:
  /// - 0x0010 … 0x001F a service, with
  /// - 0x0012 read, write, notify, indicate; 0x0013 its configuration, written 0x0003;
  /// - 0x0015 read only;
  /// - 0x0017 notify; 0x0018 its configuration, never written.
  ///
  /// The host is at the central, and has four buffers of 251 octets.
  static func host() -> RuleScript {
    var script = reset()
    script.report(peer, [2, 1, 6])
    script.connect()
    script.client([0x02] + word(185))
    script.server([0x03] + word(247))
    script.discover()
    script.exchangeValues()
    script.updateParameters()
    return script
  }

  /// A controller that was just reset, with four buffers of 251 octets.
  static func reset() -> RuleScript {
    var script = RuleScript()
    script.completed(0x0C03)
    script.completed(0x2002, returns: [0] + word(251) + [4])
    return script
  }

  /// LE Advertising Report of a connectable advertiser with a random address.
  mutating func report(_ address: [UInt8], _ data: [UInt8]) {
    event(0x3E, [0x02, 1, 0, 1] + address + [UInt8(data.count)] + data + [0xC0])
  }

  /// Another link on which both pair, and hand out a key.
  mutating func pairOnAnotherLink() {
    connect(0x41, peer: [0xA2, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0])
    let value = [UInt8](repeating: 9, count: 16)
    security([0x01, 3, 0, 1, 16, 1, 1])
    security([0x02, 3, 0, 1, 16, 1, 1], fromPeripheral: true)
    security([0x03] + value)
    security([0x03] + value, fromPeripheral: true)
    security([0x04] + value)
    security([0x04] + value, fromPeripheral: true)
    started(0x2019, Self.word(0x41) + value + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    event(0x08, [0] + Self.word(0x41) + [1])
    security([0x06] + value, fromPeripheral: true)
    disconnect(0x41)
  }

  /// Another link on which both pair with LE Secure Connections, and compare nothing.
  mutating func pairSecurelyOnAnotherLink() {
    connect(0x41, peer: [0xA3, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0])
    let value = [UInt8](repeating: 9, count: 16)
    let publicKey = [UInt8](repeating: 7, count: 64)
    security([0x01, 3, 0, 9, 16, 0, 0])
    security([0x02, 3, 0, 9, 16, 0, 0], fromPeripheral: true)
    security([0x0C] + publicKey)
    security([0x0C] + publicKey, fromPeripheral: true)
    security([0x03] + value, fromPeripheral: true)
    security([0x04] + value)
    security([0x04] + value, fromPeripheral: true)
    security([0x0D] + value)
    security([0x0D] + value, fromPeripheral: true)
    disconnect(0x41)
  }

  mutating func security(_ pdu: [UInt8], fromPeripheral: Bool = false, handle: UInt16 = 0x41) {
    frame(handle, channel: 6, fromPeripheral: fromPeripheral, pdu)
  }

  mutating func connect(_ handle: UInt16 = 0x40, peer: [UInt8] = peer) {
    started(0x200D, Self.word(96) + Self.word(48) + [0, 1] + peer + [1] + Self.parameters + [0, 0, 0, 0])
    wait(milliseconds: 20)
    event(
      0x3E, [0x01, 0] + Self.word(handle) + [0, 1] + peer + Self.word(24) + Self.word(0) + Self.word(200) + [5])
  }

  mutating func disconnect(_ handle: UInt16 = 0x40) {
    started(0x0406, Self.word(handle) + [0x13])
    event(0x05, [0] + Self.word(handle) + [0x16])
  }

  static let peer: [UInt8] = [0xA1, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0]
  /// Interval 24 … 40, latency 0, timeout 2 s.
  static let parameters: [UInt8] = word(24) + word(40) + word(0) + word(200)

  private mutating func discover() {
    client([0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28])
    server([0x11, 0x06, 0x10, 0x00, 0x1F, 0x00, 0x0A, 0x18])
    client([0x10, 0x20, 0x00, 0xFF, 0xFF, 0x00, 0x28])
    server([0x01, 0x10, 0x20, 0x00, 0x0A])
    client([0x06, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28, 0x0A, 0x18])
    server([0x07, 0x10, 0x00, 0x1F, 0x00])
    client([0x08, 0x10, 0x00, 0x1F, 0x00, 0x03, 0x28])
    server([
      0x09, 0x07, 0x11, 0x00, 0x3A, 0x12, 0x00, 0x01, 0x2A, 0x14, 0x00, 0x02, 0x15, 0x00, 0x02, 0x2A, 0x16, 0x00, 0x10,
      0x17, 0x00, 0x03, 0x2A,
    ])
    client([0x08, 0x17, 0x00, 0x1F, 0x00, 0x03, 0x28])
    server([0x01, 0x08, 0x17, 0x00, 0x0A])
    client([0x04, 0x13, 0x00, 0x13, 0x00])
    server([0x05, 0x01, 0x13, 0x00, 0x02, 0x29])
    client([0x04, 0x18, 0x00, 0x1F, 0x00])
    server([0x05, 0x01, 0x18, 0x00, 0x02, 0x29])
  }

  private mutating func exchangeValues() {
    client([0x12, 0x13, 0x00, 0x03, 0x00])
    server([0x13])
    server([0x1B, 0x12, 0x00] + [UInt8](repeating: 7, count: 100))
    server([0x1D, 0x12, 0x00, 1, 2, 3])
    client([0x1E])
    client([0x0A, 0x15, 0x00])
    client([0x52, 0x12, 0x00, 9])
    server([0x0B, 1, 2, 3])
    client([0x0C, 0x15, 0x00, 2, 0])
    server([0x0D, 3])
    client([0x0E, 0x12, 0x00, 0x15, 0x00])
    server([0x0F, 1, 2])
    client([0x16, 0x12, 0x00, 0, 0, 1, 2, 3])
    server([0x17, 0x12, 0x00, 0, 0, 1, 2, 3])
    client([0x18, 1])
    server([0x19])
    client([0x12, 0x12, 0x00, 9])
    server([0x13])
    client([0x52, 0x12, 0x00, 9])
    client([0x30, 1])
    server([0x01, 0x30, 0, 0, 0x06])
  }

  private mutating func updateParameters() {
    frame(channel: 5, fromPeripheral: true, [0x12, 1] + Self.word(8) + Self.parameters)
    frame(channel: 5, fromPeripheral: false, [0x13, 1] + Self.word(2) + Self.word(0))
    started(0x2013, Self.word(0x40) + Self.parameters + [0, 0, 0, 0])
    event(0x3E, [0x03, 0] + Self.word(0x40) + Self.word(30) + Self.word(0) + Self.word(200))
  }
}
