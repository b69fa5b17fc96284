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
  /// Service Class UUIDs that the device looks for at others (1.10).
  case solicitedUUIDs16([UInt16])
  case solicitedUUIDs32([UInt32])
  case solicitedUUIDs128([BluetoothUUID])
  /// A service and its data (1.11).
  case serviceData16(UInt16, [UInt8])
  case serviceData32(UInt32, [UInt8])
  case serviceData128(BluetoothUUID, [UInt8])
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
    public static let solicitedUUIDs16: UInt8 = 0x14
    public static let solicitedUUIDs128: UInt8 = 0x15
    public static let serviceData16: UInt8 = 0x16
    public static let solicitedUUIDs32: UInt8 = 0x1F
    public static let serviceData32: UInt8 = 0x20
    public static let serviceData128: UInt8 = 0x21
    /// Periodic Advertising Response Timing Information (`LL.ResponseTiming`).
    public static let periodicResponseTiming: UInt8 = 0x32
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
      numbers(data).map { .serviceUUIDs16($0, isComplete: type == TypeCode.completeUUIDs16) }
    case TypeCode.incompleteUUIDs128, TypeCode.completeUUIDs128:
      wholeUUIDs(data).map { .serviceUUIDs128($0, isComplete: type == TypeCode.completeUUIDs128) }
    case TypeCode.shortenedLocalName, TypeCode.completeLocalName:
      String(validating: data, as: UTF8.self).map { .localName($0, isComplete: type == TypeCode.completeLocalName) }
    case TypeCode.txPowerLevel: data.count == 1 ? .txPowerLevel(Int8(bitPattern: data[0])) : nil
    default: ofServices(type, data)
    }
  }

  /// Services that a device looks for, and their data.
  private static func ofServices(_ type: UInt8, _ data: [UInt8]) -> ADStructure? {
    switch type {
    case TypeCode.solicitedUUIDs16: numbers(data).map { .solicitedUUIDs16($0) }
    case TypeCode.solicitedUUIDs32: numbers(data).map { .solicitedUUIDs32($0) }
    case TypeCode.solicitedUUIDs128: wholeUUIDs(data).map { .solicitedUUIDs128($0) }
    case TypeCode.serviceData16:
      data.count >= 2 ? .serviceData16(UInt16(number(data, at: 0, count: 2)), Array(data[2...])) : nil
    case TypeCode.serviceData32:
      data.count >= 4 ? .serviceData32(UInt32(number(data, at: 0, count: 4)), Array(data[4...])) : nil
    case TypeCode.serviceData128: data.count >= 16 ? .serviceData128(uuid(data, at: 0), Array(data[16...])) : nil
    default: nil
    }
  }

  /// Nil: the last one is not whole.
  private static func numbers<Number: FixedWidthInteger>(_ data: [UInt8]) -> [Number]? {
    let width = Number.bitWidth / 8
    guard data.count.isMultiple(of: width) else { return nil }
    return stride(from: 0, to: data.count, by: width).map {
      Number(truncatingIfNeeded: number(data, at: $0, count: width))
    }
  }

  private static func wholeUUIDs(_ data: [UInt8]) -> [BluetoothUUID]? {
    data.count.isMultiple(of: 16) ? stride(from: 0, to: data.count, by: 16).map { uuid(data, at: $0) } : nil
  }

  private static func uuid(_ data: [UInt8], at offset: Int) -> BluetoothUUID {
    BluetoothUUID(high: number(data, at: offset + 8, count: 8), low: number(data, at: offset, count: 8))
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
    case .solicitedUUIDs16: TypeCode.solicitedUUIDs16
    case .solicitedUUIDs32: TypeCode.solicitedUUIDs32
    case .solicitedUUIDs128: TypeCode.solicitedUUIDs128
    case .serviceData16: TypeCode.serviceData16
    case .serviceData32: TypeCode.serviceData32
    case .serviceData128: TypeCode.serviceData128
    case .other(let type, _): type
    }
  }

  public var data: [UInt8] {
    switch self {
    case .flags(let flags): [flags.rawValue]
    case .serviceUUIDs16(let uuids, _), .solicitedUUIDs16(let uuids): uuids.flatMap { Self.octets(of: $0) }
    case .solicitedUUIDs32(let uuids): uuids.flatMap { Self.octets(of: $0) }
    case .serviceUUIDs128(let uuids, _), .solicitedUUIDs128(let uuids): uuids.flatMap { Self.octets(of: $0) }
    case .serviceData16(let uuid, let data): Self.octets(of: uuid) + data
    case .serviceData32(let uuid, let data): Self.octets(of: uuid) + data
    case .serviceData128(let uuid, let data): Self.octets(of: uuid) + data
    case .localName(let name, _): Array(name.utf8)
    case .txPowerLevel(let level): [UInt8(bitPattern: level)]
    case .other(_, let data): data
    }
  }

  private static func octets(of number: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
    var octets: [UInt8] = []
    octets.append(littleEndian: UInt64(number), count: number.bitWidth / 8)
    return octets
  }

  private static func octets(of uuid: BluetoothUUID) -> [UInt8] { octets(of: uuid.low) + octets(of: uuid.high) }

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
