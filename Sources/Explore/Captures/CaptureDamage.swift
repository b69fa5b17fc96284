import Bench

/// A capture that does not have everything: it begins late, ends inside a record, or has a hole of which an HCI capture
/// says how many records are lost.
enum CaptureDamage: String, CaseIterable {
  case late = "begun late"
  case cut = "cut off"
  case hole = "with a hole"

  /// The octets that are left.
  /// - Parameter isBTSnoop: else it is pcapng.
  func applied(to octets: [UInt8], isBTSnoop: Bool, _ draws: Draws) -> [UInt8] {
    let records = isBTSnoop ? Self.btsnoopRecords(octets) : Self.pcapngRecords(octets)
    guard records.count > 4, let first = records.first else { return octets }
    switch self {
    case .late: return without(records[..<draws.number("begins", 1...records.count - 1)], octets)
    case .cut: return Array(octets[..<draws.number("ends", first.lowerBound...octets.count - 1)])
    case .hole:
      let start = draws.number("from", 1...records.count - 2)
      let lost = records[start..<draws.number("to", start + 1...records.count - 1)]
      return without(lost, isBTSnoop ? Self.counting(lost.count, after: records[lost.endIndex...], octets) : octets)
    }
  }

  private func without(_ records: ArraySlice<Range<Int>>, _ octets: [UInt8]) -> [UInt8] {
    var rest: [UInt8] = []
    var place = 0
    for record in records {
      rest += octets[place..<record.lowerBound]
      place = record.upperBound
    }
    return rest + octets[place...]
  }

  /// What a capturer of HCI writes that has lost records: their number is in all that follow, 12 octets from the
  /// beginning. A sniffer does not know what it has missed.
  private static func counting(_ lost: Int, after records: ArraySlice<Range<Int>>, _ octets: [UInt8]) -> [UInt8] {
    var octets = octets
    for record in records {
      for place in 0..<4 {
        octets[record.lowerBound + 12 + place] = UInt8(truncatingIfNeeded: lost >> (24 - 8 * place))
      }
    }
    return octets
  }

  /// Records begin after 16 octets, and have 24 before their data (RFC 1761, as btsnoop has it).
  private static func btsnoopRecords(_ octets: [UInt8]) -> [Range<Int>] {
    var records: [Range<Int>] = []
    var place = 16
    while place + 24 <= octets.count {
      let length = octets[place + 4..<place + 8].reduce(0) { $0 << 8 | Int($1) }
      let end = place + 24 + length
      if end > octets.count { break }
      records.append(place..<end)
      place = end
    }
    return records
  }

  /// Enhanced Packet Blocks, little-endian as this bench writes them (draft-ietf-opsawg-pcapng, 4.3).
  private static func pcapngRecords(_ octets: [UInt8]) -> [Range<Int>] {
    func number(_ place: Int) -> Int { octets[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) } }
    var records: [Range<Int>] = []
    var place = 0
    while place + 12 <= octets.count {
      let end = place + number(place + 4)
      if end <= place || end > octets.count { break }
      if number(place) == 6 { records.append(place..<end) }
      place = end
    }
    return records
  }
}
