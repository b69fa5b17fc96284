import BluetoothWire
import CUnix
import Foundation

/// One Bluetooth adapter of this machine.
public struct Adapter: Hashable, Sendable {
  public var index: Int
  /// Most significant octet first, as people write it; zeros before the kernel has asked.
  public var address: String
  /// What the adapter calls itself to others; empty when it has no name or is not set up.
  public var name: String
  /// `up`, `down` or `setting up`.
  public var state: String
  /// What it does besides, in the kernel's words: connectable, discoverable, advertising, inquiring, blocked.
  public var activities: [String]
  public var bus: String
  /// The kernel's driver; nil for virtual adapters, which have none.
  public var driver: String?
  /// Company identifier of its controller (Bluetooth SIG, Assigned Numbers); nil when the kernel does not say.
  public var manufacturer: UInt16?
  /// Who made it by its USB descriptor, if it has one.
  public var maker: String?
  /// Bluetooth version of its controller, as HCI numbers them (11: 5.2); nil when the kernel does not say.
  public var hciVersion: UInt8?

  public init(
    index: Int, address: String, name: String, state: String, activities: [String], bus: String, driver: String?,
    manufacturer: UInt16?, maker: String?, hciVersion: UInt8?
  ) {
    self.index = index
    self.address = address
    self.name = name
    self.state = state
    self.activities = activities
    self.bus = bus
    self.driver = driver
    self.manufacturer = manufacturer
    self.maker = maker
    self.hciVersion = hciVersion
  }
}

/// What this machine has for live captures and for real adapters.
public struct AdapterSurvey: Hashable, Sendable {
  public var adapters: [Adapter]
  /// What is missing, a line for each; empty when all paths are open.
  public var problems: [String]
  /// What libpcap calls itself; nil where it is not installed.
  public var libpcap: String?

  /// Looks at this machine.
  public init() {
    libpcap = PcapSource.version
    adapters = []
    problems = []
    var indices = [UInt16](repeating: 0, count: 64)
    let count = cbluez_list(&indices, CInt(indices.count))
    guard count >= 0 else {
      problems.append(PortError.adapters(code: -count).description)
      return
    }
    let details = ManagementChannel()
    adapters = indices.prefix(Int(count)).sorted().compactMap { Self.adapter(Int($0), details) }
    if adapters.isEmpty { problems.append("no adapter; a virtual one: babbench hci serve --port vhci") }
    if !adapters.isEmpty, adapters.allSatisfy({ $0.activities.contains("blocked") }) {
      problems.append("every adapter is blocked: rfkill unblock bluetooth")
    }
    let own = Capabilities.own
    if !own.contains(.netRaw) {
      problems.append("babbench capture: no permission, needs CAP_NET_RAW: \(PortError.setcap)")
    }
    if !own.contains(.netAdmin) {
      problems.append("babbench play --controller user:hciN: no permission, needs CAP_NET_ADMIN: \(PortError.setcap)")
    }
    if libpcap == nil {
      problems.append("babbench capture --interface \(CaptureInterface.pcapMonitor): \(PortError.noLibpcap)")
    } else if !PcapSource.devices.contains(CaptureInterface.pcapMonitor) {
      problems.append(
        "libpcap here knows no \(CaptureInterface.pcapMonitor); babbench capture --interface monitor needs none")
    }
  }

  private static func adapter(_ index: Int, _ details: ManagementChannel?) -> Adapter? {
    var said = cbluez_adapter()
    guard cbluez_describe(CInt(index), &said) == 0 else { return nil }
    let octets = withUnsafeBytes(of: said.address) { Array($0.reversed()) }
    let info = details?.information(of: index)
    let system = SystemAdapter(index)
    var activities = info?.activities ?? []
    if said.flags & AdapterFlags.inquiry != 0 { activities.append("inquiring") }
    if system.isBlocked { activities.append("blocked") }
    return Adapter(
      index: index, address: String(hexadecimal: octets, uppercase: true, separator: ":"), name: info?.name ?? "",
      state: AdapterFlags.state(said.flags), activities: activities,
      bus: String(cString: cbluez_bus_name(CInt(said.bus))),
      driver: system.driver, manufacturer: info?.manufacturer, maker: system.maker, hciVersion: info?.version)
  }
}

/// Bits of `HCIGETDEVINFO`.
enum AdapterFlags {
  static let up: UInt32 = 1 << 0
  static let setUp: UInt32 = 1 << 1
  static let inquiry: UInt32 = 1 << 7

  static func state(_ flags: UInt32) -> String {
    if flags & setUp != 0 { return "setting up" }
    return flags & up != 0 ? "up" : "down"
  }
}

/// What the file system of the kernel's devices says about an adapter.
struct SystemAdapter {
  var driver: String?
  var maker: String?
  var isBlocked = false

  init(_ index: Int, root: String = "/sys/class/bluetooth") {
    let folder = "\(root)/hci\(index)"
    let files = FileManager.default
    if let link = try? files.destinationOfSymbolicLink(atPath: folder + "/device/driver") {
      driver = link.split(separator: "/").last.map(String.init)
    }
    // An adapter on USB is an interface of the device that has these.
    let texts = ["manufacturer", "product"].compactMap { Self.line(folder + "/device/../" + $0) }
    maker = texts.isEmpty ? nil : texts.joined(separator: " ")
    for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix("rfkill") {
      if ["soft", "hard"].contains(where: { Self.line("\(folder)/\(name)/\($0)") == "1" }) { isBlocked = true }
    }
  }

  private static func line(_ path: String) -> String? {
    let text = (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    return text?.isEmpty == false ? text : nil
  }
}
