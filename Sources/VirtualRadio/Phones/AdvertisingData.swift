public import BluetoothWire

/// What one phone puts on the air for one request of an app: two payloads of at most 31 octets.
///
/// Spec: Core v5.4, Vol 3, Part C, 11 and Vol 6, Part B, 2.3.1. Extended advertising is not modelled.
public struct AdvertisingData: Hashable, Sendable {
  /// Payload of ADV_IND behind the address.
  public var advertising: [UInt8]
  /// Payload of SCAN_RSP behind the address; empty: nothing to say.
  public var scanResponse: [UInt8]

  /// The room of either payload.
  public static let limit = 31

  /// Lays out a name and service UUIDs by the platform's rules.
  ///
  /// In front, UUIDs go to the advertising data as far as they fit (then the list is marked incomplete); in background
  /// the preset's background habit decides.
  /// - Returns: nil when the platform refuses the request: the name does not fit and may not be shortened, or the app
  ///   may not advertise in background.
  public init?(localName: String, serviceUUIDs: [BluetoothUUID], phone: PhonePreset, inBackground: Bool = false) {
    let habits = phone.advertising
    let flags = ADStructure.flags(habits.flags).octets
    var data = flags
    advertising = []
    scanResponse = []
    if inBackground {
      switch phone.background.advertising {
      case .stops: return nil
      case .overflowArea:
        advertising = flags + (serviceUUIDs.isEmpty ? [] : Self.overflowArea(serviceUUIDs).octets)
        return
      case .continues: break
      }
    }
    let dataEnd = min(Self.limit, data.count + habits.dataRoom)
    let uuids = Self.structures(serviceUUIDs, room: dataEnd - data.count)
    if uuids.isShort, habits.nameOverflow == .refuse { return nil }
    data += ADStructure.octets(uuids.list)

    if !localName.isEmpty {
      let responseRoom = min(Self.limit, habits.responseRoom)
      let here = ADStructure.localName(localName, fitting: dataEnd - data.count)
      let there = ADStructure.localName(localName, fitting: responseRoom)
      let place = Self.place(here: here, there: there, habits)
      if habits.nameOverflow != .shorten, place.name.map(Self.isWhole) != true {
        if habits.nameOverflow == .refuse { return nil }
      } else if let name = place.name {
        if place.isHere { data += name.octets } else { scanResponse = name.octets }
      }
    }
    advertising = data
  }

  private static func isWhole(_ structure: ADStructure) -> Bool {
    if case .localName(_, isComplete: true) = structure { return true }
    return false
  }

  private static func place(
    here: ADStructure?, there: ADStructure?, _ habits: PhonePreset.AdvertisingHabits
  ) -> (name: ADStructure?, isHere: Bool) {
    switch habits.namePlacement {
    case .scanResponse: return (there, false)
    case .advertisingDataFirst:
      if let here, isWhole(here) { return (here, true) }
      if let there, isWhole(there) { return (there, false) }
      guard let here else { return (there, false) }
      guard let there else { return (here, true) }
      return here.data.count >= there.data.count ? (here, true) : (there, false)
    }
  }

  /// As many UUIDs as fit, 16-bit ones first; `isShort` when some did not.
  private static func structures(_ uuids: [BluetoothUUID], room: Int) -> (list: [ADStructure], isShort: Bool) {
    let short = uuids.compactMap(\.short)
    let long = uuids.filter { $0.short == nil }
    var left = room
    var list: [ADStructure] = []
    var isShort = false
    if !short.isEmpty {
      let count = min(short.count, max(0, (left - 2) / 2))
      isShort = count < short.count
      if count > 0 {
        list.append(.serviceUUIDs16(Array(short.prefix(count)), isComplete: count == short.count))
        left -= 2 + 2 * count
      }
    }
    if !long.isEmpty {
      let count = min(long.count, max(0, (left - 2) / 16))
      isShort = isShort || count < long.count
      if count > 0 { list.append(.serviceUUIDs128(Array(long.prefix(count)), isComplete: count == long.count)) }
    }
    return (list, isShort)
  }
}

/// The overflow area of a backgrounded iPhone: one bit of 128 per service.
///
/// It is manufacturer data of Apple (company 0x004C), type 0x01, then 16 octets; each service UUID sets one bit, and
/// two services may share one. Which bit Apple takes for which UUID is not published: ours is a fixed function of the
/// UUID, so the size, the collisions in kind and the rule who can read it are as on the air, the very bit is not.
extension AdvertisingData {
  private static let overflowType: UInt8 = 0x01

  public static func overflowArea(_ uuids: [BluetoothUUID]) -> ADStructure {
    var bits = [UInt8](repeating: 0, count: 16)
    for uuid in uuids { bits[bit(of: uuid) / 8] |= 0x80 >> UInt8(bit(of: uuid) % 8) }
    return .other(type: 0xFF, data: [0x4C, 0x00, overflowType] + bits)
  }

  /// Whether advertising data has an overflow area in which the service's bit is set.
  public static func overflowArea(in advertising: [UInt8], mayHold uuid: BluetoothUUID) -> Bool {
    ADStructure.readable(in: advertising).contains { structure in
      guard case .other(0xFF, let data) = structure, data.count == 19, data.starts(with: [0x4C, 0x00, overflowType])
      else { return false }
      return data[3 + bit(of: uuid) / 8] & (0x80 >> UInt8(bit(of: uuid) % 8)) != 0
    }
  }

  private static func bit(of uuid: BluetoothUUID) -> Int {
    var word = uuid.high ^ (uuid.low &* 0x9E37_79B9_7F4A_7C15)
    word ^= word >> 32
    return Int((word &* 0xC2B2_AE3D_27D4_EB4F) >> 57)
  }
}
