/// Invalid UTF-8, turned into U+FFFD as the JVM does it, which differs from Unicode's recommendation: an encoded
/// surrogate is one U+FFFD, not three.
///
/// Spec: BAB 4.31.
enum UTF8Repair {
  /// How a sequence that starts at a place is read.
  private struct Step {
    var length: Int
    var isValid: Bool
  }

  /// Whether every octet belongs to valid UTF-8.
  static func isValid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var cursor = 0
    let raw = UnsafeRawBufferPointer(text)
    while cursor < text.count {
      if cursor + 8 <= text.count,
        raw.loadUnaligned(fromByteOffset: cursor, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        cursor += 8
        continue
      }
      if text[cursor] < 0x80 {
        cursor += 1
        continue
      }
      let step = step(text, at: cursor)
      guard step.isValid else { return false }
      cursor += step.length
    }
    return true
  }

  /// The text with every malformed sequence replaced; at most three times as long.
  static func repaired(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count + 16)
    walk(text) { start, step in
      if step.isValid {
        result.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<start + step.length]))
      } else {
        result.append(contentsOf: [0xEF, 0xBF, 0xBD])
      }
      return true
    }
    return result
  }

  /// The offset in the text that was repaired of an offset in the repaired one.
  static func originalOffset(of offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var written = 0
    var original = text.count
    walk(text) { start, step in
      if written >= offset {
        original = start
        return false
      }
      written += step.isValid ? step.length : 3
      return true
    }
    return original
  }

  private static func walk(_ text: UnsafeBufferPointer<UInt8>, _ visit: (Int, Step) -> Bool) {
    var cursor = 0
    while cursor < text.count {
      let step = step(text, at: cursor)
      guard visit(cursor, step) else { return }
      cursor += step.length
    }
  }

  private static func step(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Step {
    func isTail(_ offset: Int) -> Bool { start + offset < text.count && text[start + offset] & 0xC0 == 0x80 }
    let lead = text[start]
    let second = start + 1 < text.count ? text[start + 1] : 0
    switch lead {
    case 0x00...0x7F: return Step(length: 1, isValid: true)
    case 0xC2...0xDF: return isTail(1) ? Step(length: 2, isValid: true) : Step(length: 1, isValid: false)
    case 0xE0...0xEF:
      guard isTail(1), lead != 0xE0 || second >= 0xA0 else { return Step(length: 1, isValid: false) }
      guard isTail(2) else { return Step(length: 2, isValid: false) }
      return Step(length: 3, isValid: lead != 0xED || second < 0xA0)
    case 0xF0...0xF4:
      guard isTail(1), lead != 0xF0 || second >= 0x90, lead != 0xF4 || second < 0x90 else {
        return Step(length: 1, isValid: false)
      }
      guard isTail(2) else { return Step(length: 2, isValid: false) }
      return isTail(3) ? Step(length: 4, isValid: true) : Step(length: 3, isValid: false)
    default: return Step(length: 1, isValid: false)
    }
  }
}
