/// PDUs of the link layer, of L2CAP and of ATT.
extension PlantedParser {
  static let wire: [PlantedParser] = [
    PlantedParser(
      "find-information-stride", "the last record of a Find Information Response may be cut off",
      witness: [0x05, 1, 1, 0, 0, 0x28, 2]
    ) { input, isSound in
      guard input.first == 0x05, input.count > 2 else { return .refused("another PDU", offset: 0) }
      guard input[1] == 1 || input[1] == 2 else { return .refused("another format", offset: 1) }
      let size = input[1] == 1 ? 4 : 18
      if isSound, (input.count - 2) % size != 0 { return .refused("record cut off", offset: input.count) }
      var kind = UInt64(0)
      for place in stride(from: 2, to: input.count, by: size) {
        for index in 0..<size { kind = kind &* 31 &+ UInt64(input[place + index]) }
      }
      return .accepted(kind: kind & 7)
    },
    PlantedParser(
      "error-handle-order", "the handle of an Error Response is written in the other order than it is read",
      witness: [0x01, 0x0A, 0x12, 0x34, 0x05]
    ) { input, isSound in
      guard input.first == 0x01 else { return .refused("another PDU", offset: 0) }
      guard input.count == 5 else { return .refused("another length", offset: min(input.count, 5)) }
      let (low, high) = isSound ? (input[2], input[3]) : (input[3], input[2])
      return .accepted(kind: UInt64(input[4]), canonical: [0x01, input[1], low, high, input[4]])
    },
    PlantedParser(
      "credit-connection-room", "channels of a credit based connection request are counted by its length alone",
      witness: [0x17, 1, 20, 0] + [UInt8](repeating: 0x40, count: 20)
    ) { input, isSound in
      let octets = Octets(input: input)
      guard octets.octet(0) == 0x17 else { return .refused("another command", offset: 0) }
      guard let length = octets.little16(2), Int(length) == input.count - 4, length >= 8 else {
        return .refused("another length", offset: min(2, input.count))
      }
      if isSound, length > 18 { return .refused("more than five channels", offset: 2) }
      var channels = [UInt16](repeating: 0, count: 5)
      for index in 0..<(Int(length) - 8) / 2 { channels[index] = octets.little16(12 + 2 * index) ?? 0 }
      return .accepted(kind: UInt64(length))
    },
    PlantedParser(
      "connect-empty-map", "the hop is taken modulo the channels that a CONNECT_IND has, which may be none",
      witness: [0x05, 34] + [UInt8](repeating: 1, count: 28) + [0, 0, 0, 0, 0, 5]
    ) { input, isSound in
      guard input.count == 36 else { return .refused("another length", offset: min(36, input.count)) }
      guard input[0] & 0x0F == 0x05, input[1] == 34 else { return .refused("another PDU", offset: 0) }
      let used = input[30..<35].reduce(0) { $0 + $1.nonzeroBitCount }
      if isSound, used < 2 { return .refused("channels", offset: 30) }
      return .accepted(kind: UInt64(Int(input[35] & 0x1F) % used))
    },
    PlantedParser(
      "sdu-length-trusted", "room for an SDU is made by its first frame, and what follows is copied without a look",
      witness: [6, 0, 0x40, 0, 2, 0, 1, 2, 3, 4]
    ) { input, isSound in
      let octets = Octets(input: input)
      guard let length = octets.little16(0), Int(length) == input.count - 4 else {
        return .refused("another length", offset: 0)
      }
      guard let channel = octets.little16(2), channel >= 0x40 else { return .refused("fixed channel", offset: 2) }
      guard let size = octets.little16(4) else { return .refused("no SDU length", offset: 4) }
      if isSound, input.count - 6 > Int(size) { return .refused("more than the SDU", offset: 6) }
      var sdu = [UInt8](repeating: 0, count: Int(size))
      for place in 6..<input.count { sdu[place - 6] = input[place] }
      return .accepted(kind: UInt64(sdu.count & 7))
    },
  ]
}
