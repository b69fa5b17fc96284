package import BluetoothWire

/// A UUID as Bluetooth uses it: 16, 32 or 128 bits.
///
/// Equality looks at the 128 bits, so that `180D` and its form over the Bluetooth Base UUID are equal.
/// Source: Apple, `CBUUID`; Core v5.4, Vol 3, Part B, 2.5.1. Not `Sendable`, as Apple's class is not.
open class CBUUID: NSObject, NSCopying {
  /// Most significant octet first; 2, 4 or 16.
  private let octets: [UInt8]
  /// What equality looks at.
  package let wire: BluetoothUUID

  private init(octets: [UInt8]) {
    self.octets = octets
    wire = Self.wire(octets)
    super.init()
  }

  /// The nil UUID: what the initialiser of every object of Apple's leaves unsaid.
  public override convenience init() { self.init(octets: [UInt8](repeating: 0, count: 16)) }

  /// Reads four, eight or 36 characters (`180D`, `0000180D`, with hyphens), in either case.
  ///
  /// Other texts raise an exception, as they do on phones; here the process ends with a message, or, where the virtual
  /// phone records exceptions, the result is the nil UUID.
  public convenience init(string theString: String) {
    if let octets = Self.parse(theString) {
      self.init(octets: octets)
    } else {
      VirtualPhone.raise(.uuidText, "String \(theString.debugDescription) does not represent a valid UUID")
      self.init(octets: [UInt8](repeating: 0, count: 16))
    }
  }

  /// 2, 4 or 16 octets, most significant first. Another count raises an exception, as for a text.
  public convenience init(data theData: Data) {
    if [2, 4, 16].contains(theData.count) {
      self.init(octets: Array(theData))
    } else {
      VirtualPhone.raise(.uuidData, "Data of \(theData.count) octets does not represent a valid UUID")
      self.init(octets: [UInt8](repeating: 0, count: 16))
    }
  }

  /// 128 bits from Foundation.
  public convenience init(nsuuid theUUID: UUID) {
    let t = theUUID.uuid
    self.init(octets: [
      t.0, t.1, t.2, t.3, t.4, t.5, t.6, t.7, t.8, t.9, t.10, t.11, t.12, t.13, t.14, t.15,
    ])
  }

  /// The shortest form of what came over the air.
  package convenience init(_ wire: BluetoothUUID) {
    if let short = wire.short {
      self.init(octets: [UInt8(truncatingIfNeeded: short >> 8), UInt8(truncatingIfNeeded: short)])
    } else {
      self.init(octets: wire.longOctets.reversed())
    }
  }

  /// The octets, most significant first, in the length that the UUID was made with.
  open var data: Data { Data(octets) }

  /// Upper case, in the length that the UUID was made with: `180D`, `0000180D`, or 36 characters.
  open var uuidString: String {
    let text = octets.map { String(hexadecimal: UInt64($0), digits: 2, uppercase: true) }.joined()
    guard octets.count == 16 else { return text }
    var parts: [Substring] = []
    var rest = text[...]
    for count in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts.joined(separator: "-")
  }

  /// UUIDs cannot change: the same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool { (object as? CBUUID)?.wire == wire }
  open override var hash: Int { Int(truncatingIfNeeded: wire.high &* 31 &+ wire.low) }
  /// As `uuidString`. Apple shows known UUIDs by name here (“Battery”); that table is not modelled.
  open override var description: String { uuidString }

  private static func wire(_ octets: [UInt8]) -> BluetoothUUID {
    let number: (ArraySlice<UInt8>) -> UInt64 = { $0.reduce(0) { $0 << 8 | UInt64($1) } }
    guard octets.count == 16 else {
      return BluetoothUUID(high: number(octets[...]) << 32 | 0x1000, low: BluetoothUUID(0).low)
    }
    return BluetoothUUID(high: number(octets[..<8]), low: number(octets[8...]))
  }

  private static func parse(_ text: String) -> [UInt8]? {
    guard [4, 8, 36].contains(text.utf8.count), !text.hasPrefix("0x"), let wire = BluetoothUUID(text) else {
      return nil
    }
    let octets = Array(wire.longOctets.reversed())
    switch text.utf8.count {
    case 4: return Array(octets[2..<4])
    case 8: return Array(octets[0..<4])
    default: return octets
    }
  }
}

/// Characteristic Extended Properties: the descriptor with more properties, a number.
public let CBUUIDCharacteristicExtendedPropertiesString = "2900"
/// Characteristic User Description: a text.
public let CBUUIDCharacteristicUserDescriptionString = "2901"
/// Client Characteristic Configuration: a number, which only `setNotifyValue` writes.
public let CBUUIDClientCharacteristicConfigurationString = "2902"
/// Server Characteristic Configuration: a number.
public let CBUUIDServerCharacteristicConfigurationString = "2903"
/// Characteristic Presentation Format: seven octets.
public let CBUUIDCharacteristicFormatString = "2904"
/// Characteristic Aggregate Format: octets.
public let CBUUIDCharacteristicAggregateFormatString = "2905"
/// Valid Range: octets.
public let CBUUIDValidRangeString = "2906"
/// Observation Schedule: octets.
public let CBUUIDCharacteristicObservationScheduleString = "2910"
/// The characteristic in which a peripheral publishes the PSM of its L2CAP channel.
public let CBUUIDL2CAPPSMCharacteristicString = "ABDD3056-28FA-441D-A470-55A75A52553A"
