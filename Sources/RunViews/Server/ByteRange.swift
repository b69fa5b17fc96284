/// What a request asks for of a file (RFC 9110, 14).
enum ByteRange: Equatable {
  /// All of it: nothing was said, or what nobody needs: several ranges, another unit.
  case whole
  case part(Range<Int>)
  /// Beyond its end.
  case notThere

  /// - Parameters:
  ///   - header: of `Range`; nil: there is none, or more than one.
  ///   - size: octets of the file.
  init(_ header: String?, size: Int) {
    self = .whole
    guard let header, header.hasPrefix("bytes=") else { return }
    let text = header.dropFirst(6)
    guard let dash = text.firstIndex(of: "-"), !text.contains(",") else { return }
    let (first, last) = (Self.number(text[..<dash]), Self.number(text[text.index(after: dash)...]))
    switch (first, last) {
    case (.count(let first), .count(let last)) where first <= last:
      self = first < size ? .part(first..<min(last, size - 1) + 1) : .notThere
    case (.count(let first), .absent): self = first < size ? .part(first..<size) : .notThere
    case (.absent, .count(let length)): self = length > 0 && size > 0 ? .part(max(0, size - length)..<size) : .notThere
    default: break
    }
  }

  private enum Number {
    case absent, wrong
    case count(Int)
  }

  private static func number(_ text: Substring) -> Number {
    if text.isEmpty { return .absent }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text.utf8.count <= 18, let value = Int(text) else {
      return .wrong
    }
    return .count(value)
  }
}
