import Foundation
import SimKernel

/// An attack as a part of another file: the text of its own one.
extension Attack: Codable {
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self = try AttackFile.read(parsing: Data(text.utf8), of: "attack")
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(decoding: AttackFile.octets(of: self), as: UTF8.self))
  }
}

/// The same with its time, nanoseconds.
extension TimedAttack: Codable {
  private enum Key: CodingKey {
    case after, attack
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      after: .nanoseconds(try values.decode(Int64.self, forKey: .after)),
      attack: try values.decode(Attack.self, forKey: .attack))
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(after.nanoseconds, forKey: .after)
    try values.encode(attack, forKey: .attack)
  }
}
