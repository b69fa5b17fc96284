public import BluetoothWire

/// What one phone puts on the air for one request of an app: two payloads of at most 31 octets.
///
/// Spec: Core v5.4, Vol 3, Part C, 11 and Vol 6, Part B, 2.3.1. Extended advertising is not modelled.
public struct AdvertisingPackets: Hashable, Sendable {
  /// Payload of ADV_IND after the address.
  public var data: [UInt8]
  /// Payload of SCAN_RSP after the address; empty: there is none.
  public var scanResponse: [UInt8] = []
}

/// Lays out what an app asks to advertise as its platform does.
public enum AdvertisingDataBuilder {
  /// The room of either payload.
  public static let limit = 31

  /// In front, UUIDs go to the advertising data as far as they fit (then the list is marked incomplete), the name where
  /// the platform puts it; in background the preset's background habit decides.
  ///
  /// - Returns: nil when the platform refuses the request: something does not fit and may not be shortened, or the app
  ///   may not advertise in background.
  public static func build(
    localName: String, serviceUUIDs: [BluetoothUUID], phone: PhonePreset, isInBackground: Bool = false
  ) -> AdvertisingPackets? {
    let habits = phone.advertising
    let flags = ADStructure.flags(habits.flags).octets
    if isInBackground {
      switch phone.background.advertising {
      case .stops: return nil
      case .overflowArea:
        return AdvertisingPackets(data: flags + (serviceUUIDs.isEmpty ? [] : overflowArea(serviceUUIDs).octets))
      case .continues: break
      }
    }
    var packets = AdvertisingPackets(data: flags)
    let end = min(limit, flags.count + habits.dataRoom)
    let uuids = structures(serviceUUIDs, room: end - flags.count)
    if uuids.isShort, habits.nameOverflow == .refuse { return nil }
    packets.data += ADStructure.octets(uuids.list)
    if localName.isEmpty { return packets }

    let here = ADStructure.localName(localName, fitting: end - packets.data.count)
    let there = ADStructure.localName(localName, fitting: min(limit, habits.responseRoom))
    let place = place(here: here, there: there, habits)
    if habits.nameOverflow != .shorten, place.name.map(isWhole) != true {
      return habits.nameOverflow == .refuse ? nil : packets
    }
    guard let name = place.name else { return packets }
    if place.isHere { packets.data += name.octets } else { packets.scanResponse = name.octets }
    return packets
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
extension AdvertisingDataBuilder {
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
