import SimKernel

/// Where `worlds.csv` has what is compared.
package struct WorldTable: Sendable {
  /// Why a table cannot be compared.
  package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
  }

  private let verdict: Int
  private let digest: Int
  private let figures: [Int]
  private let columns: Int
  private let path: String

  /// - Parameter heading: the first line.
  /// - Throws: `Refusal` when a column is missing.
  package init(heading: [UInt8], measures: [RunMeasure], path: String) throws(Refusal) {
    let names = Self.fields(heading)
    func place(_ name: String) throws(Refusal) -> Int {
      guard let place = names.firstIndex(of: name) else {
        throw Refusal(description: "\(path): there is no column \(name); another version of babbench wrote this")
      }
      return place
    }
    verdict = try place("verdict")
    digest = try place("digest")
    var figures: [Int] = []
    for measure in measures {
      for figure in Change.Figure.allCases { figures.append(try place("\(measure.name).\(figure.rawValue)")) }
    }
    self.figures = figures
    columns = names.count
    self.path = path
  }

  /// - Throws: `Refusal` for a line that is no row of the table.
  package func world(_ line: [UInt8]) throws(Refusal) -> ComparedWorld {
    let fields = Self.fields(line)
    guard fields.count == columns else {
      throw Refusal(description: "\(path): a row has \(CountedNoun.text(fields.count, "field")) in place of \(columns)")
    }
    return ComparedWorld(
      digest: fields[digest], isPass: fields[verdict] == "pass", figures: figures.map { Int64(fields[$0]) })
  }

  /// RFC 4180, one line.
  static func fields(_ line: [UInt8]) -> [String] {
    var fields: [[UInt8]] = [[]]
    var isQuoted = false
    var wasQuote = false
    for octet in line where octet != 0x0A && octet != 0x0D {
      switch octet {
      case 0x22:
        // Two in a row within quotation marks are one that is meant.
        if !isQuoted, wasQuote { fields[fields.count - 1].append(octet) }
        isQuoted.toggle()
        wasQuote = !isQuoted
        continue
      case 0x2C where !isQuoted: fields.append([])
      default: fields[fields.count - 1].append(octet)
      }
      wasQuote = false
    }
    return fields.map { String(decoding: $0, as: UTF8.self) }
  }
}
