import BluetoothWire
import Foundation

/// Units that attacks may be made of, for people to write: a line of hexadecimal digits each, which the next line
/// continues when it begins with a space; what follows `#` is a remark.
package enum UnitFile {
  /// Why a file has no units.
  package struct Refusal: Error, CustomStringConvertible {
    package var description: String
  }

  /// - Throws: `Refusal`.
  package static func read(_ path: String) throws -> [[UInt8]] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Refusal(description: "\(path): the file cannot be read")
    }
    return try read(parsing: String(decoding: data, as: UTF8.self), of: path)
  }

  /// - Parameter place: where the text is from, for messages.
  /// - Throws: `Refusal`.
  static func read(parsing text: String, of place: String) throws -> [[UInt8]] {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var units: [[UInt8]] = []
    for (index, line) in lines.enumerated() {
      let digits = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
      guard !digits.isEmpty else { continue }
      guard let octets = [UInt8](hexadecimalDigits: digits) else {
        throw Refusal(description: "\(place):\(index + 1): octets are hexadecimal digits in pairs")
      }
      if line.first == " ", let last = units.indices.last {
        units[last] += octets
      } else {
        units.append(octets)
      }
    }
    if units.isEmpty { throw Refusal(description: "\(place): there is no unit in it") }
    return units
  }
}
