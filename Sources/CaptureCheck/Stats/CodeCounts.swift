import BluetoothWire

/// How many packets of each kind there were.
public struct CodeCounts: Hashable, Sendable {
  /// What a code belongs to, in the order in which counts are shown.
  public enum Family: String, Hashable, Sendable, CaseIterable {
    case command = "HCI command"
    case event = "HCI event"
    case subevent = "LE Meta event"
    case advertising = "advertising PDU"
    case control = "LL Control PDU"
    case signalling = "L2CAP signalling"
    case security = "SMP"
    case att = "ATT"
  }

  /// One row.
  public struct Count: Hashable, Sendable {
    public var family: Family
    public var code: UInt16
    /// As the specification writes it; the code where it has none.
    public var name: String
    public var count: Int
  }

  private var octets = [Int](repeating: 0, count: Family.allCases.count * 256)
  private var commands: [UInt16: Int] = [:]
  /// PDUs on the air whose opcode is encrypted.
  public private(set) var encryptedControls = 0

  public init() {}

  mutating func count(_ family: Family, _ code: UInt8) { octets[Self.place(family) + Int(code)] += 1 }
  mutating func count(command opcode: UInt16) { commands[opcode, default: 0] += 1 }
  mutating func countEncryptedControl() { encryptedControls += 1 }

  private static func place(_ family: Family) -> Int { (Family.allCases.firstIndex(of: family) ?? 0) * 256 }

  /// What was seen at all, by family and code.
  public var rows: [Count] {
    Family.allCases.flatMap { family -> [Count] in
      if family == .command {
        return commands.keys.sorted().map { code in
          Count(family: family, code: code, name: Self.name(family, code), count: commands[code] ?? 0)
        }
      }
      return (UInt16.min...0xFF).compactMap { code in
        let count = octets[Self.place(family) + Int(code)]
        let number = family == .advertising ? AdvertisingCode.type(code) : code
        return count == 0 ? nil : Count(family: family, code: number, name: Self.name(family, code), count: count)
      }
    }
  }

  private static func name(_ family: Family, _ code: UInt16) -> String {
    let name =
      switch family {
      case .command: HCINames.commands.name(code).map { "HCI_" + $0 }
      case .event: HCINames.events.name(code).map { "HCI_" + $0 }
      case .subevent: HCINames.subevents.name(code).map { "HCI_" + $0 }
      case .advertising: PDUNames.advertising.name(code)
      case .control: PDUNames.control.name(code)
      case .signalling: PDUNames.signalling.name(code)
      case .security: PDUNames.security.name(code)
      case .att: PDUNames.att.name(code)
      }
    return name ?? hexNumber(code, digits: family == .command ? 4 : 2)
  }
}
