/// Where packets are captured as they pass.
public enum CaptureInterface: Hashable, Sendable, CustomStringConvertible {
  /// The kernel's HCI monitor channel: all adapters, and everything that the kernel says of them. Linux only.
  case monitor
  /// What libpcap calls a device: `bluetooth-monitor` is that channel again, `bluetoothN` one adapter's packets.
  case libpcap(device: String)
  /// A capture file of any format that another program is writing, on standard input.
  case standardInput

  /// What `babbench capture --interface` takes.
  public static let spellings = "monitor, bluetooth-monitor, bluetooth0, bluetooth1 …, or - for standard input"
  static let pcapMonitor = "bluetooth-monitor"
  private static let pcapAdapter = "bluetooth"

  /// Refuses what is no interface with what to write instead.
  public init(parsing text: String) throws(PortError) {
    switch text {
    case "monitor": self = .monitor
    case "-": self = .standardInput
    case Self.pcapMonitor: self = .libpcap(device: text)
    default:
      if text.hasPrefix(Self.pcapAdapter), Self.number(text.dropFirst(Self.pcapAdapter.count)) != nil {
        self = .libpcap(device: text)
      } else if text.hasPrefix("hci"), let number = Self.number(text.dropFirst(3)) {
        throw PortError("\(text): no interface; its packets alone: \(Self.pcapAdapter)\(number); all adapters: monitor")
      } else {
        throw PortError("\(text): no interface; write \(Self.spellings)")
      }
    }
  }

  /// The adapter of a `bluetoothN`.
  var adapter: UInt16? {
    guard case .libpcap(let device) = self else { return nil }
    return Self.number(device.dropFirst(Self.pcapAdapter.count))
  }

  public var description: String {
    switch self {
    case .monitor: "monitor"
    case .libpcap(let device): device
    case .standardInput: "-"
    }
  }

  private static func number(_ text: Substring) -> UInt16? {
    guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt16(text)
  }
}
