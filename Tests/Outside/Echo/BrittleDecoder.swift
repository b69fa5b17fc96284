import Fuzzing

/// Decoders with planted defects, so that what the fuzzer says about traps and hangs can be seen.
extension FuzzedDecoder {
  private static func planted(
    _ name: String, _ title: String, _ defect: @escaping @Sendable ([UInt8]) -> Answer?
  ) -> FuzzedDecoder {
    FuzzedDecoder(name, title, in: [], limit: 64, words: [[0xEC, 0x40]], valid: { _ in [0xEC, 0x40, 1, 9] }) { input in
      guard input.count >= 3, input[0] == 0xEC else { return .refused(reason: "no echo", offset: 0) }
      if let answer = defect(input) { return answer }
      return .accepted(kind: UInt64(input[1]), canonical: input)
    }
  }

  static let brittle: [FuzzedDecoder] = [
    planted("brittle", "reads past its end when the count is too large") { input in
      input[1] == 0x40 ? .accepted(kind: UInt64(input[2 + Int(input[2])]), canonical: input) : nil
    },
    planted("endless", "never ends when the count is zero") { input in
      guard input[1] == 0x40 else { return nil }
      var place = 3
      while place < input.count { place += Int(input[2]) }
      return .accepted(kind: 1, canonical: input)
    },
    planted("sound", "has no defect") { _ in nil },
  ]
}
