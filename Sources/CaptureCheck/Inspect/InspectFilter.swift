public import BluetoothWire
public import SimKernel

/// Which packets `inspect` shows: those that everything given here fits.
public struct InspectFilter: Sendable {
  /// What an opcode or code belongs to.
  public enum Code: Hashable, Sendable {
    case att(UInt8)
    case command(UInt16)
    case event(UInt8)
    case subevent(UInt8)
    case control(UInt8)
    case advertising(UInt8)
    case signalling(UInt8)
    case security(UInt8)
  }

  /// Bits of the address; public and random are not told apart.
  public var device: UInt64?
  public var link: Int?
  /// The handle of an attribute.
  public var handle: ATT.Handle?
  public var code: Code?
  public var from: SimInstant?
  public var to: SimInstant?
  public var exchange: InspectExchange?

  public init() {}

  /// What `--opcode` takes: a name, or a number: of ATT up to 0xFF, of an HCI command above.
  public static func code(_ text: String) -> Code? {
    if let number = number(text) {
      return number <= 0xFF ? .att(UInt8(number)) : number <= 0xFFFF ? .command(UInt16(number)) : nil
    }
    let name = text.uppercased()
    for (table, make) in tables {
      if let entry = table.entries.first(where: { $0.name.uppercased() == name }) { return make(entry.number) }
      guard name.hasPrefix("HCI_") else { continue }
      if let entry = table.entries.first(where: { "HCI_" + $0.name.uppercased() == name }) { return make(entry.number) }
    }
    return nil
  }

  /// All names that `code` takes, for suggestions.
  public static var names: [String] {
    let plain = [
      PDUNames.att, PDUNames.control, PDUNames.advertising, PDUNames.signalling, PDUNames.security,
    ]
    let hci = [HCINames.commands, HCINames.events, HCINames.subevents]
    return plain.flatMap { $0.entries.map(\.name) } + hci.flatMap { $0.entries.map { "HCI_" + $0.name } }
  }

  private static var tables: [(NameTable, (UInt16) -> Code)] {
    [
      (PDUNames.att, { .att(UInt8(truncatingIfNeeded: $0)) }),
      (PDUNames.control, { .control(UInt8(truncatingIfNeeded: $0)) }),
      (PDUNames.advertising, { .advertising(UInt8(truncatingIfNeeded: $0)) }),
      (PDUNames.signalling, { .signalling(UInt8(truncatingIfNeeded: $0)) }),
      (PDUNames.security, { .security(UInt8(truncatingIfNeeded: $0)) }),
      (HCINames.commands, { .command($0) }),
      (HCINames.events, { .event(UInt8(truncatingIfNeeded: $0)) }),
      (HCINames.subevents, { .subevent(UInt8(truncatingIfNeeded: $0)) }),
    ]
  }

  /// `0x12` or `18`.
  public static func number(_ text: String) -> UInt32? {
    if text.hasPrefix("0x") || text.hasPrefix("0X") { return UInt32(text.dropFirst(2), radix: 16) }
    return UInt32(text)
  }

  /// `F0:F1:F2:F3:F4:A0`; `-` for `:` is taken too.
  public static func address(_ text: String) -> UInt64? {
    let parts = text.split(separator: text.contains("-") ? "-" : ":", omittingEmptySubsequences: false)
    guard parts.count == 6 else { return nil }
    var bits: UInt64 = 0
    for part in parts {
      guard part.count == 2, let octet = UInt8(part, radix: 16) else { return nil }
      bits = bits << 8 | UInt64(octet)
    }
    return bits
  }

  /// `12.345` or `12.345s`: seconds after the first packet, to nanoseconds.
  public static func instant(_ text: String) -> SimInstant? {
    duration(text).map { SimInstant.zero + $0 }
  }

  /// `12.345s`, `+0.123s`, `-2`.
  public static func duration(_ text: String) -> SimDuration? {
    var digits = text.hasSuffix("s") ? text.dropLast() : text[...]
    var isNegative = false
    if let sign = digits.first, sign == "+" || sign == "-" {
      isNegative = sign == "-"
      digits = digits.dropFirst()
    }
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.isEmpty, whole.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let seconds = Int64(whole), seconds <= 9_000_000_000
    else { return nil }
    var nanoseconds = seconds * 1_000_000_000
    if parts.count == 2 {
      let fraction = parts[1]
      guard (1...9).contains(fraction.count), fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let part = Int64(fraction + String(repeating: "0", count: 9 - fraction.count))
      else { return nil }
      nanoseconds += part
    }
    return SimDuration(nanoseconds: isNegative ? -nanoseconds : nanoseconds)
  }

  func lets(_ packet: InspectedPacket, number: Int, at instant: SimInstant) -> Bool {
    if let from, instant < from { return false }
    if let to, instant > to { return false }
    if let link, !packet.links.contains(link) { return false }
    if let device, !packet.addresses.contains(device) { return false }
    if let handle, !packet.handles.contains(handle) { return false }
    if let code, !packet.codes.contains(code) { return false }
    if let exchange, !exchange.holds(packet, number: number) { return false }
    return true
  }
}

/// The layers of a packet that can be asked for by name.
public enum InspectLayer: Hashable, Sendable {
  case hci, ll, l2cap, att
  case ip, tcp, udp, dns
  /// The packets of the protocol with this name.
  case app(String)
  case note

  /// The lowest first.
  public static func all(_ protocols: [SpokenProtocol]) -> [InspectLayer] {
    [.hci, .ll, .l2cap, .att, .ip, .tcp, .udp, .dns] + protocols.map { .app($0.name) } + [.note]
  }

  public var name: String {
    switch self {
    case .hci: "hci"
    case .ll: "ll"
    case .l2cap: "l2cap"
    case .att: "att"
    case .ip: "ip"
    case .tcp: "tcp"
    case .udp: "udp"
    case .dns: "dns"
    case .app(let name): name
    case .note: "note"
    }
  }

  static let highest = 5

  /// Its place in a packet: 0 is the lowest.
  var height: Int {
    switch self {
    case .hci: 0
    case .ll, .ip: 1
    case .l2cap, .tcp, .udp: 2
    case .att, .dns: 3
    case .app: 4
    case .note: Self.highest
    }
  }
}
