/// A key of the scenario whose value differs from cell to cell: `key=a,b,c`, or `key=lo..hi`.
package struct Variation: Hashable, Sendable {
  package enum Choice: Hashable, Sendable {
    case values([String])
    case range(MagnitudeRange)
  }

  /// As `--set` takes it.
  package var key: String
  package var choice: Choice

  /// Why a text is none.
  package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
  }

  /// - Throws: `Refusal`.
  package init(_ text: String) throws(Refusal) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw Refusal(description: "\"\(text)\" has no key; write key=a,b,c or key=lo..hi")
    }
    key = text[..<equals].trimmed
    let rest = text[text.index(after: equals)...].trimmed
    if let dots = rest.ranges(of: "..").first {
      do {
        choice = .range(try MagnitudeRange(String(rest[..<dots.lowerBound]), String(rest[dots.upperBound...])))
      } catch {
        throw Refusal(description: "\(key): \(error)")
      }
      return
    }
    let values = Self.list(rest)
    if values.contains(where: \.isEmpty) {
      throw Refusal(description: "\(key): there is an empty value; write \(key)=a,b,c or \(key)=lo..hi")
    }
    if let twice = values.indices.first(where: { values[..<$0].contains(values[$0]) }) {
      throw Refusal(description: "\(key): \(values[twice]) is there twice")
    }
    choice = .values(values)
  }

  /// Commas within brackets are part of a value.
  private static func list(_ text: String) -> [String] {
    var values = [""]
    var depth = 0
    for letter in text {
      if "[{(".contains(letter) { depth += 1 }
      if "]})".contains(letter) { depth -= 1 }
      if letter == ",", depth == 0 { values.append("") } else { values[values.count - 1].append(letter) }
    }
    return values.map { $0[...].trimmed }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let letters = drop { $0 == " " }
    return String(letters.reversed().drop { $0 == " " }.reversed())
  }
}
