import AppSeam
import BabSim
import Conformance
import SimKernel

/// Draws texts that are no packets, in two grades.
///
/// *Garbage* is made from packets that would have an effect, and is not even JSON: nobody can take it for a packet.
/// *Nonsense* is JSON that lacks something, has a value of another kind, or a number beyond all bounds; it is made from
/// packets that must be ignored anyway, so that a reader that makes more of it than the protocol does is not wronged.
struct Fuzzer {
  private var random: RandomStream

  init(_ random: RandomStream) { self.random = random }

  /// Octets that are neither JSON nor a packet.
  mutating func garbage(from packets: [BabPacket]) -> [UInt8] {
    for _ in 0..<64 {
      let text = packets[draw(packets.count)].encoded()
      let octets =
        switch draw(4) {
        case 0: (0..<1 + draw(120)).map { _ in UInt8(draw(256)) }
        case 1: Array(text.prefix(1 + draw(text.count - 1)))
        default: flipped(text)
        }
      if !WireText.isJSON(octets), !Fuzzer.isPacket(octets) { return octets }
    }
    return [0x7B]
  }

  /// JSON that is no packet.
  mutating func nonsense(from packets: [BabPacket]) -> [UInt8] {
    for _ in 0..<64 {
      guard let text = try? WireText.parse(packets[draw(packets.count)].encoded()).value else { continue }
      let octets = changed(text).octets
      if !Fuzzer.isPacket(octets) { return octets }
    }
    return [0x7B, 0x7D]
  }

  static func isPacket(_ octets: [UInt8]) -> Bool { (try? BabPacket(decoding: octets)) != nil }

  private mutating func draw(_ bound: Int) -> Int { Int(random.below(UInt64(max(1, bound)))) }

  private mutating func flipped(_ text: [UInt8]) -> [UInt8] {
    var octets = text
    for _ in 0...draw(6) { octets[draw(octets.count)] ^= 1 << UInt8(draw(8)) }
    return octets
  }

  /// One value is replaced by one of another kind, or left out.
  private mutating func changed(_ text: WireText) -> WireText {
    var count = 0
    _ = text.mapped {
      count += 1
      return $0
    }
    let place = draw(count)
    let deep = WireText.word(String(decoding: WireText.nested(200), as: UTF8.self))
    let others: [WireText] = [
      .object([]), .array([.object([])]), .word("null"), .word("true"), .number("1e999"),
      .number("123456789012345678901234567890"), .number("-0.5"), .string("\\u0000"), deep,
    ]
    let other = others[draw(others.count)]
    let leavesOut = draw(3) == 0
    var index = -1
    return text.mapped { value in
      index += 1
      guard index == place else { return value }
      return leavesOut ? value.members { Array($0.dropLast()) } : other
    }
  }
}

extension LowerTester {
  /// Sends texts that are no packets, half of them garbage and half nonsense, and waits until they are sent.
  ///
  /// - Parameter effective: what garbage is made from.
  /// - Parameter idle: what nonsense is made from.
  func storm(_ count: Int, effective: [BabPacket], idle: [BabPacket]) throws {
    guard gives("sends \(count) texts that are no packets") else { return }
    var fuzzer = Fuzzer(bed.stream("fuzz"))
    guard let link else { throw bed.inconclusive("\(name) has no link") }
    for number in 0..<count {
      let text = number % 2 == 0 ? fuzzer.garbage(from: effective) : fuzzer.nonsense(from: idle)
      queue(fragments(of: text, on: link), on: link)
    }
    _ = try bed.wait(.seconds(25)) { link.isFlushed || !link.isUp }
  }
}
