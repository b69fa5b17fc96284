/// Integers as the published decoder reads them.
///
/// Spec: BAB 4.35. Digits with an optional leading `-` and an optional decimal exponent, quoted or not, leading zeros
/// allowed, no point. The published decoder's arithmetic wraps at 64 bits and is repeated here, because what it accepts
/// (for example 2⁶⁴ + 1 as 1) is what a peer sees.
enum IntegerLiteral {
  typealias Outcome = Result<(value: Int64, end: Int), BabPacketError.Reason>

  /// Reads from `start`; the outcome's `end` is the place after the literal and its closing quote.
  static func read(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Outcome {
    var cursor = start
    while cursor < text.count, isSpace(text[cursor]) { cursor += 1 }
    guard cursor < text.count else { return .failure(.unexpectedEnd) }
    let isQuoted = text[cursor] == 0x22
    if isQuoted { cursor += 1 }
    guard cursor < text.count else { return .failure(.unexpectedEnd) }
    var literal = Accumulator(start: cursor)
    while cursor < text.count, JSONReader.isPlain(text[cursor]) {
      if let reason = literal.take(text[cursor], at: cursor) { return .failure(reason) }
      cursor += 1
    }
    if cursor == literal.start || (literal.isNegative && cursor == literal.start + 1) {
      return .failure(.invalidNumber)
    }
    if isQuoted {
      guard cursor < text.count, text[cursor] == 0x22 else { return .failure(.invalidNumber) }
      cursor += 1
    }
    switch literal.value() {
    case .success(let value): return .success((value, cursor))
    case .failure(let reason): return .failure(reason)
    }
  }

  private static func isSpace(_ octet: UInt8) -> Bool {
    octet == 0x20 || octet == 0x0A || octet == 0x0D || octet == 0x09
  }

  private struct Accumulator {
    let start: Int
    /// Minus the digits so far: the negative side holds one value more.
    var negated: Int64 = 0
    var exponent: Int64 = 0
    var isNegative = false
    var hasExponent = false
    var exponentIsPositive = false

    init(start: Int) { self.start = start }

    mutating func take(_ octet: UInt8, at place: Int) -> BabPacketError.Reason? {
      switch octet {
      case 0x45,
        0x65 where !hasExponent:
        if hasExponent || place == start { return .invalidNumber }
        hasExponent = true
        exponentIsPositive = true
      case 0x2D where hasExponent: exponentIsPositive = false
      case 0x2B where hasExponent: exponentIsPositive = true
      case 0x2D:
        if place != start { return .invalidNumber }
        isNegative = true
      case 0x30...0x39 where hasExponent: exponent = exponent &* 10 &+ Int64(octet - 0x30)
      case 0x30...0x39:
        negated = negated &* 10 &- Int64(octet - 0x30)
        if negated > 0 { return .numberOverflow }
      default: return .invalidNumber
      }
      return nil
    }

    func value() -> Result<Int64, BabPacketError.Reason> {
      var result = negated
      if hasExponent {
        // A wrapped exponent may be negative; its sign then turns around, as in the published decoder.
        let isPositive = exponentIsPositive == (exponent >= 0)
        switch scaled(by: exponent.magnitude, isPositive: isPositive) {
        case .success(let value): result = value
        case .failure(let reason): return .failure(reason)
        }
      }
      if isNegative { return .success(result) }
      return result == Int64.min ? .failure(.numberOverflow) : .success(-result)
    }

    /// `negated` × 10^±power in 64-bit floating point, as the published decoder computes it, without `pow`.
    private func scaled(by power: UInt64, isPositive: Bool) -> Result<Int64, BabPacketError.Reason> {
      if negated == 0 {
        // 0 × ∞ is not a number.
        return isPositive && power > 308 ? .failure(.invalidNumber) : .success(0)
      }
      if isPositive {
        guard power <= 18 else { return .failure(.numberOverflow) }
        let product = Double(negated) * Double(powersOfTen[Int(power)])
        if product < -0x1p63 { return .failure(.numberOverflow) }
        return .success(Int64(product))
      }
      // 10^−324 is 0 in 64-bit floating point; from 10^−19 on no other product is whole.
      if power >= 324 { return .success(0) }
      guard power <= 18 else { return .failure(.invalidNumber) }
      guard let whole = Int64(exactly: Double(negated) * negativePowersOfTen[Int(power)]) else {
        return .failure(.invalidNumber)
      }
      return .success(whole)
    }
  }
}

private let powersOfTen: [Int64] = [
  1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
  100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
  10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
]

private let negativePowersOfTen: [Double] = [
  1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17,
  1e-18,
]

/// 32-bit numbers in any notation the JVM reads.
///
/// Spec: BAB 4.36.
enum FloatLiteral {
  /// Nil when the text is no number; infinite or NaN when it says so or is too large.
  static func read(_ text: UnsafeBufferPointer<UInt8>) -> Float? {
    if let value = short(text) { return value }
    var first = 0
    var last = text.count
    while first < last, text[first] <= 0x20 { first += 1 }
    while first < last, text[last - 1] <= 0x20 { last -= 1 }
    guard first < last else { return nil }
    let body = text[first..<last]
    var digits = body
    var isNegative = false
    if let sign = digits.first, sign == 0x2B || sign == 0x2D {
      isNegative = sign == 0x2D
      digits.removeFirst()
    }
    if digits.elementsEqual("NaN".utf8) { return .nan }
    if digits.elementsEqual("Infinity".utf8) { return isNegative ? -.infinity : .infinity }
    if let suffix = digits.last, [0x66, 0x46, 0x64, 0x44].contains(suffix), isNumber(digits.dropLast()) {
      digits = digits.dropLast()
    } else if !isNumber(digits) {
      return nil
    }
    // The standard library reads the notation that is left, correctly rounded.
    guard let magnitude = Float(String(decoding: digits, as: UTF8.self)) else { return nil }
    return isNegative ? -magnitude : magnitude
  }

  /// Up to seven digits with a point between them: both numbers of the quotient are exact, so it is correctly rounded.
  private static func short(_ text: UnsafeBufferPointer<UInt8>) -> Float? {
    guard text.count <= 8 else { return nil }
    var value: Int32 = 0
    var scale: Int32 = 1
    var digits = 0
    var seenPoint = false
    for octet in text {
      if octet == 0x2E, !seenPoint {
        seenPoint = true
        continue
      }
      guard octet >= 0x30, octet <= 0x39, digits < 7 else { return nil }
      value = value * 10 + Int32(octet - 0x30)
      if seenPoint { scale *= 10 }
      digits += 1
    }
    return digits == 0 ? nil : Float(value) / Float(scale)
  }

  /// A decimal or hexadecimal number without sign and suffix.
  private static func isNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    var rest = text
    let isHexadecimal = rest.count > 2 && rest.first == 0x30 && rest[rest.startIndex + 1] | 0x20 == 0x78
    if isHexadecimal { rest = rest.dropFirst(2) }
    var digits = skipDigits(&rest, isHexadecimal)
    if rest.first == 0x2E {
      rest.removeFirst()
      digits += skipDigits(&rest, isHexadecimal)
    }
    guard digits > 0 else { return false }
    guard let marker = rest.first else { return !isHexadecimal }
    guard marker | 0x20 == (isHexadecimal ? 0x70 : 0x65) else { return false }
    rest.removeFirst()
    if rest.first == 0x2B || rest.first == 0x2D { rest.removeFirst() }
    return skipDigits(&rest, false) > 0 && rest.isEmpty
  }

  private static func skipDigits(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>, _ hexadecimal: Bool) -> Int {
    var count = 0
    while let octet = rest.first {
      let isDigit = octet >= 0x30 && octet <= 0x39
      let isLetter = hexadecimal && octet | 0x20 >= 0x61 && octet | 0x20 <= 0x66
      guard isDigit || isLetter else { break }
      rest.removeFirst()
      count += 1
    }
    return count
  }
}
