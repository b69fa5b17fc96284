/// Capture files.
extension PlantedParser {
  private static let btsnoopHeader = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xEA]
  private static let sectionHeader: [UInt8] =
    [0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
    + [28, 0, 0, 0]

  static let files: [PlantedParser] = [
    PlantedParser(
      "btsnoop-length-trusted", "room for a record is made before the file is seen to have it",
      witness: btsnoopHeader + [0x7F, 0, 0, 0, 0x7F, 0, 0, 0] + [UInt8](repeating: 0, count: 16)
    ) { input, isSound in
      records(input) { octets, place, length, _ in
        if isSound, place + Int(length) > octets.input.count { return nil }
        let room = [UInt8](repeating: UInt8(length & 1) + 1, count: Int(length))
        return place + Int(length) > octets.input.count ? nil : room.reduce(0) { $0 + Int($1) } & 7
      }
    },
    PlantedParser(
      "btsnoop-more-than-original", "a record is believed to have at most as many octets as it had on the line",
      witness: btsnoopHeader + [0, 0, 0, 1, 0, 0, 0, 2] + [UInt8](repeating: 0, count: 16) + [1, 2]
    ) { input, isSound in
      records(input) { octets, place, length, original in
        guard place + Int(length) <= octets.input.count, !isSound || length <= original else { return nil }
        return Int((original - length) & 7)
      }
    },
    PlantedParser(
      "pcapng-block-zero", "a block of length 0 is passed over without a step",
      witness: sectionHeader + [6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    ) { input, isSound in
      let octets = Octets(input: input)
      guard octets.little32(0) == 0x0A0D_0D0A, octets.little32(8) == 0x1A2B_3C4D else {
        return .refused("no section", offset: 0)
      }
      var (place, count) = (0, UInt64(0))
      while place < input.count {
        guard let length = octets.little32(place + 4).map(Int.init), place + length <= input.count else {
          return .refused("block cut off", offset: place)
        }
        if isSound || length > 0, length < 12 { return .refused("block too short", offset: place) }
        place += length
        count += 1
      }
      return .accepted(kind: count)
    },
  ]

  /// - Parameter take: gives what tells a record from others, from where its octets begin, how many there are, and how
  ///   many there were; nil: refused.
  private static func records(
    _ input: [UInt8], _ take: (_ octets: Octets, _ place: Int, _ length: UInt32, _ original: UInt32) -> Int?
  ) -> ParserAnswer {
    let octets = Octets(input: input)
    guard input.starts(with: btsnoopHeader.prefix(8)), input.count >= 16 else { return .refused("header", offset: 0) }
    var (place, kind) = (16, UInt64(0))
    while place < input.count {
      guard let original = octets.big32(place), let length = octets.big32(place + 4), place + 24 <= input.count else {
        return .refused("record cut off", offset: place)
      }
      guard let seen = take(octets, place + 24, length, original) else { return .refused("octets", offset: place) }
      kind = kind &* 8 &+ UInt64(seen)
      place += 24 + Int(length)
    }
    return .accepted(kind: kind & 0xFF)
  }
}
