/// One entry of advertising data or scan response data.
///
/// Spec: Core v5.4, Vol 3, Part C, 11; types in the Core Specification Supplement, Part A, 1.
/// Layout: `Length: 1 | AD Type: 1 | AD Data: Length − 1`. A structure whose data does not fit its type (a UUID list
/// with half a UUID, a name that is not UTF-8) is kept as `other`, so that whatever was received can be shown and sent
/// again.
public enum ADStructure: Hashable, Sendable {
  case flags(Flags)
  /// Service Class UUIDs of 16 bits; incomplete: the device has more.
  case serviceUUIDs16([UInt16], isComplete: Bool)
  case serviceUUIDs128([BluetoothUUID], isComplete: Bool)
  /// The complete local name, or a shortened one (a prefix of it).
  case localName(String, isComplete: Bool)
  /// dBm.
  case txPowerLevel(Int8)
  /// A type that is not modelled, or data that does not fit its type. At most 254 octets.
  case other(type: UInt8, data: [UInt8])

  /// Supplement, Part A, 1.3.
  public struct Flags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let limitedDiscoverable = Flags(rawValue: 0x01)
    public static let generalDiscoverable = Flags(rawValue: 0x02)
    public static let brEDRNotSupported = Flags(rawValue: 0x04)
    /// Simultaneous LE and BR/EDR, controller.
    public static let simultaneousController = Flags(rawValue: 0x08)
    /// Simultaneous LE and BR/EDR, host; reserved for future use since Core v5.3.
    public static let simultaneousHost = Flags(rawValue: 0x10)
  }

  /// AD types (Assigned Numbers, 2.3).
  public enum TypeCode {
    public static let flags: UInt8 = 0x01
    public static let incompleteUUIDs16: UInt8 = 0x02
    public static let completeUUIDs16: UInt8 = 0x03
    public static let incompleteUUIDs128: UInt8 = 0x06
    public static let completeUUIDs128: UInt8 = 0x07
    public static let shortenedLocalName: UInt8 = 0x08
    public static let completeLocalName: UInt8 = 0x09
    public static let txPowerLevel: UInt8 = 0x0A
  }
}

extension ADStructure {
  /// Decodes a whole list.
  ///
  /// A length octet of zero ends the list early; what follows it does not count (11, “early termination”).
  /// Refuses: a structure that reaches past the end of the octets (truncated).
  public static func list(decoding octets: [UInt8]) throws(WireError) -> [ADStructure] {
    let (list, error) = parse(octets)
    if let error { throw error }
    return list
  }

  /// The structures in front of the first defect, as phones read what others advertise.
  public static func readable(in octets: [UInt8]) -> [ADStructure] { parse(octets).list }

  private static func parse(_ octets: [UInt8]) -> (list: [ADStructure], error: WireError?) {
    var reader = OctetReader(octets)
    var list: [ADStructure] = []
    do throws(WireError) {
      while !reader.isAtEnd {
        let length = Int(try reader.u8())
        if length == 0 { break }
        let type = try reader.u8()
        list.append(ADStructure(type: type, data: try reader.take(length - 1)))
      }
      return (list, nil)
    } catch {
      return (list, error)
    }
  }

  /// The structure of a type and its data; `other` when the data does not fit the type.
  public init(type: UInt8, data: [UInt8]) {
    self = Self.modelled(type, data) ?? .other(type: type, data: data)
  }

  private static func modelled(_ type: UInt8, _ data: [UInt8]) -> ADStructure? {
    switch type {
    case TypeCode.flags: data.count == 1 ? .flags(Flags(rawValue: data[0])) : nil
    case TypeCode.incompleteUUIDs16, TypeCode.completeUUIDs16:
      data.count.isMultiple(of: 2)
        ? .serviceUUIDs16(
          stride(from: 0, to: data.count, by: 2).map { UInt16(number(data, at: $0, count: 2)) },
          isComplete: type == TypeCode.completeUUIDs16) : nil
    case TypeCode.incompleteUUIDs128, TypeCode.completeUUIDs128:
      data.count.isMultiple(of: 16)
        ? .serviceUUIDs128(
          stride(from: 0, to: data.count, by: 16).map {
            BluetoothUUID(high: number(data, at: $0 + 8, count: 8), low: number(data, at: $0, count: 8))
          }, isComplete: type == TypeCode.completeUUIDs128) : nil
    case TypeCode.shortenedLocalName, TypeCode.completeLocalName:
      String(validating: data, as: UTF8.self).map { .localName($0, isComplete: type == TypeCode.completeLocalName) }
    case TypeCode.txPowerLevel: data.count == 1 ? .txPowerLevel(Int8(bitPattern: data[0])) : nil
    default: nil
    }
  }

  private static func number(_ data: [UInt8], at offset: Int, count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(data[offset + $1]) << (8 * UInt64($1)) }
  }
}

extension ADStructure {
  public var type: UInt8 {
    switch self {
    case .flags: TypeCode.flags
    case .serviceUUIDs16(_, let isComplete): isComplete ? TypeCode.completeUUIDs16 : TypeCode.incompleteUUIDs16
    case .serviceUUIDs128(_, let isComplete): isComplete ? TypeCode.completeUUIDs128 : TypeCode.incompleteUUIDs128
    case .localName(_, let isComplete): isComplete ? TypeCode.completeLocalName : TypeCode.shortenedLocalName
    case .txPowerLevel: TypeCode.txPowerLevel
    case .other(let type, _): type
    }
  }

  public var data: [UInt8] {
    switch self {
    case .flags(let flags): [flags.rawValue]
    case .serviceUUIDs16(let uuids, _): uuids.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    case .serviceUUIDs128(let uuids, _):
      uuids.flatMap { uuid in
        var octets: [UInt8] = []
        octets.append(littleEndian: uuid.low, count: 8)
        octets.append(littleEndian: uuid.high, count: 8)
        return octets
      }
    case .localName(let name, _): Array(name.utf8)
    case .txPowerLevel(let level): [UInt8(bitPattern: level)]
    case .other(_, let data): data
    }
  }

  /// Length, type and data. Data beyond 254 octets is cut, because the length octet cannot count it.
  public var octets: [UInt8] {
    let data = data.prefix(254)
    return [UInt8(1 + data.count), type] + data
  }

  /// The structures one after the other; the caller checks whether they fit into 31 octets.
  public static func octets(_ list: [ADStructure]) -> [UInt8] { list.flatMap(\.octets) }

  /// The name whole if its structure fits into `room` octets, else shortened between two Unicode scalars, nil if
  /// nothing of it fits.
  public static func localName(_ name: String, fitting room: Int) -> ADStructure? {
    if 2 + name.utf8.count <= room { return .localName(name, isComplete: true) }
    var shortened = String.UnicodeScalarView()
    var count = 2
    for scalar in name.unicodeScalars {
      count += UTF8.width(scalar)
      if count > room { break }
      shortened.append(scalar)
    }
    return shortened.isEmpty ? nil : .localName(String(shortened), isComplete: false)
  }
}
