import Foundation

/// An attack as a part of another file: the text of its own one.
extension Attack: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self = try AttackFile.read(parsing: Data(text.utf8), of: "attack")
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(decoding: AttackFile.octets(of: self), as: UTF8.self))
  }
}
