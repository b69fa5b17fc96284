import BluetoothWire
import Foundation

/// How objects are written in logs and messages, in the form that Apple's have there.
///
/// Where Apple's texts have the place in memory, these have a number from the address or the UUID: it is the same in
/// each run.
enum ObjectText {
  static func of(_ object: NSObject, _ members: KeyValuePairs<String, String>, after: String = ", ") -> String {
    let number = String(UInt64(truncatingIfNeeded: object.hash) & 0xFFFF_FFFF_FFFF, radix: 16)
    return "<\(type(of: object)): 0x\(number)\(after)" + members.map { "\($0) = \($1)" }.joined(separator: ", ") + ">"
  }

  static func of(_ flag: Bool) -> String { flag ? "YES" : "NO" }

  /// As `NSData` is written: up to 24 octets whole, of longer values the first 16 and the last eight.
  static func of(_ value: Any?) -> String {
    guard let value else { return "(null)" }
    guard let data = value as? Data else { return "\(value)" }
    let words = { (part: Data) in
      stride(from: 0, to: part.count, by: 4).map { digits(part.dropFirst($0).prefix(4)) }.joined(separator: " ")
    }
    let octets = data.count <= 24 ? digits(data) : words(data.prefix(16)) + " ... " + words(data.suffix(8)) + " "
    return "{length = \(data.count), bytes = 0x\(octets)}"
  }

  private static func digits(_ data: Data) -> String {
    data.map { String(hexadecimal: UInt64($0), digits: 2, uppercase: false) }.joined()
  }
}
