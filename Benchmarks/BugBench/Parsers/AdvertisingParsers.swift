/// Advertising data, and the reports that carry it.
extension PlantedParser {
  /// Advertising Data type Complete Local Name.
  private static let completeName: UInt8 = 0x09

  static let advertising: [PlantedParser] = [
    PlantedParser(
      "ad-length-zero", "a structure of length 0 is passed over without a step", witness: [2, 1, 6, 0, 0]
    ) { input, isSound in
      var (place, count) = (0, UInt64(0))
      while place < input.count {
        let length = Int(input[place])
        if length == 0 {
          if isSound { break }
          continue
        }
        guard place + length < input.count else { return .refused("structure cut off", offset: place) }
        place += 1 + length
        count += 1
      }
      return .accepted(kind: count)
    },
    PlantedParser(
      "ad-name-past-end", "the name is copied as long as its structure says, though that counts the type too",
      witness: [3, completeName, 0x41, 0x42]
    ) { input, isSound in
      var (place, kind) = (0, UInt64(0))
      while place < input.count, input[place] > 0 {
        let length = Int(input[place])
        guard place + length < input.count else { return .refused("structure cut off", offset: place) }
        if input[place + 1] == completeName {
          let count = isSound ? length - 1 : length
          for index in 0..<count { kind = kind &* 2 &+ UInt64(input[place + 2 + index] >> 7) }
        }
        place += 1 + length
      }
      return .accepted(kind: kind)
    },
    PlantedParser(
      "ad-offset-outside", "the refusal of a structure that is cut off names where it should have ended",
      witness: [9, 9, 0x41]
    ) { input, isSound in
      var (place, count) = (0, UInt64(0))
      while place < input.count, input[place] > 0 {
        let end = place + 1 + Int(input[place])
        if end > input.count { return .refused("structure cut off", offset: isSound ? place : end) }
        place = end
        count += 1
      }
      return .accepted(kind: count)
    },
    PlantedParser(
      "report-count-times-size", "reports times ten is computed in one octet",
      witness: [0x04, 0x3E, 2, 0x02, 26]
    ) { input, isSound in
      let octets = Octets(input: input)
      guard octets.octet(0) == 0x04, octets.octet(1) == 0x3E else { return .refused("another event", offset: 0) }
      guard octets.octet(2).map(Int.init) == input.count - 3 else { return .refused("another length", offset: 2) }
      guard octets.octet(3) == 0x02, let count = octets.octet(4) else { return .refused("another report", offset: 3) }
      let least = isSound ? Int(count) * 10 : Int(count * 10)
      guard input.count - 5 >= least else { return .refused("reports cut off", offset: 5) }
      return .accepted(kind: UInt64(count))
    },
    PlantedParser(
      "extended-report-room", "data of an extended report goes into the 31 octets of a legacy one",
      witness: [0x04, 0x3E, 58, 0x0D, 1] + [UInt8](repeating: 0, count: 23) + [32]
        + [UInt8](repeating: 0x41, count: 32)
    ) { input, isSound in
      let octets = Octets(input: input)
      guard octets.octet(0) == 0x04, octets.octet(1) == 0x3E else { return .refused("another event", offset: 0) }
      guard octets.octet(2).map(Int.init) == input.count - 3 else { return .refused("another length", offset: 2) }
      guard octets.octet(3) == 0x0D, octets.octet(4) == 1 else { return .refused("another report", offset: 3) }
      guard let length = octets.octet(28), input.count >= 29 + Int(length) else {
        return .refused("report cut off", offset: min(28, input.count))
      }
      if isSound, length > 31 { return .refused("data too long", offset: 28) }
      var room = [UInt8](repeating: 0, count: 31)
      for index in 0..<Int(length) { room[index] = input[29 + index] }
      return .accepted(kind: UInt64(length))
    },
  ]
}
