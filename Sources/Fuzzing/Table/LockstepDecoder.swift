import HCIPorts
import SimKernel

/// The stream of a host in lockstep.
extension FuzzedDecoder {
  static let lockstep = FuzzedDecoder(
    "lockstep-host", "the stream of a host that says what it waits for",
    in: ["Sources/HCIPorts/Lockstep/LockstepFramer.swift"], limit: 2_048,
    words: [
      [0x01, 0x03, 0x0C, 0x00], [0x54, 0x01, 0x05, 0x01, 0, 0, 0, 0], [0x54, 0x02, 0x00], [0x54, 0x02, 0x08],
    ],
    valid: { stream in
      LockstepMessage.hello(version: 1, group: UInt32(stream.below(9))).encoded
        + (0..<1 + stream.number(below: 4)).flatMap { _ in
          let data = stream.octets(stream.number(below: 20))
          let instant = SimInstant(nanoseconds: Int64(stream.below(1 << 40)))
          return [0x01, 0x03, 0x0C, UInt8(data.count)] + data + LockstepMessage.wait(until: instant).encoded
        }
    },
    decode: { input in
      let whole = lockstepPieces(of: input, cut: max(1, input.count))
      if whole != lockstepPieces(of: input, cut: 3) { return .broken("cut whole and in pieces it differs") }
      return .accepted(kind: UInt64(min(whole.count, 32)), canonical: nil)
    })

  private static func lockstepPieces(of input: [UInt8], cut: Int) -> [LockstepFramer.Piece] {
    var framer = LockstepFramer()
    var pieces: [LockstepFramer.Piece] = []
    for start in stride(from: 0, to: input.count, by: cut) {
      framer.feed(Array(input[start..<min(input.count, start + cut)])) { pieces.append($0) }
    }
    return pieces
  }
}
