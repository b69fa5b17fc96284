import BluetoothWire

/// What a device advertised, as octets that a phone can advertise again: at most 31 of each.
struct RecordedAdvertising: Hashable, Sendable {
  /// Nil: the capture shows none.
  var data: [UInt8]?
  var scanResponse: [UInt8]?

  static let limit = 31

  /// The local name in it; nil: it has none.
  var name: String? {
    let structures = ADStructure.readable(in: data ?? []) + ADStructure.readable(in: scanResponse ?? [])
    return structures.lazy.compactMap { if case .localName(let name, _) = $0 { name } else { nil } }.first
  }

  /// The same within the limit. What is too long, as extended advertising may be, is put in both packets structure by
  /// structure.
  /// - Returns: how many octets are left out.
  mutating func fit() -> Int {
    let all = (data ?? []) + (scanResponse ?? [])
    guard (data ?? []).count > Self.limit || (scanResponse ?? []).count > Self.limit else { return 0 }
    var (first, second) = ([UInt8](), [UInt8]())
    for structure in Self.structures(all) {
      if first.count + structure.count <= Self.limit {
        first += structure
      } else if second.count + structure.count <= Self.limit {
        second += structure
      }
    }
    (data, scanResponse) = (first, second)
    return all.count - first.count - second.count
  }

  /// Length, type and data of each, up to the first that is not whole.
  private static func structures(_ octets: [UInt8]) -> [[UInt8]] {
    var structures: [[UInt8]] = []
    var rest = octets[...]
    while let length = rest.first, length > 0, rest.count > Int(length) {
      structures.append(Array(rest.prefix(Int(length) + 1)))
      rest = rest.dropFirst(Int(length) + 1)
    }
    return structures
  }

  /// What a device with these services may advertise of which nothing is known: flags, services as far as there is
  /// room, and its name.
  static func made(name: String?, services: [BluetoothUUID]) -> RecordedAdvertising {
    var data: [UInt8] = [2, ADStructure.TypeCode.flags, 0x06]
    let short = services.filter { $0.octets.count == 2 }.prefix((limit - data.count - 2) / 2)
    if !short.isEmpty {
      data += [UInt8(1 + 2 * short.count), ADStructure.TypeCode.completeUUIDs16] + short.flatMap(\.octets)
    }
    if let long = services.first(where: { $0.octets.count == 16 }), data.count + 18 <= limit {
      data += [17, ADStructure.TypeCode.completeUUIDs128] + long.octets
    }
    var text = name ?? ""
    while text.utf8.count > limit - 2 { text.removeLast() }
    let octets = Array(text.utf8)
    let type = text == name ? ADStructure.TypeCode.completeLocalName : ADStructure.TypeCode.shortenedLocalName
    return RecordedAdvertising(
      data: data, scanResponse: octets.isEmpty ? [] : [UInt8(octets.count + 1), type] + octets)
  }
}
