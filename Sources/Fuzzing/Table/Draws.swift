import SimKernel

extension RandomStream {
  /// A number below `bound`.
  mutating func number(below bound: Int) -> Int { Int(below(UInt64(bound))) }

  mutating func octets(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// Draws until a decoder accepts, or two hundred times.
  mutating func accepted(by decode: ([UInt8]) -> FuzzedDecoder.Answer, _ draw: (inout RandomStream) -> [UInt8])
    -> [UInt8]
  {
    var input = draw(&self)
    for _ in 0..<200 {
      if case .accepted = decode(input) { break }
      input = draw(&self)
    }
    return input
  }
}
