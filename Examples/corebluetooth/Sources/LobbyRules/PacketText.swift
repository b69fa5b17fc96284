/// Packets as both roles write them (wire.md 4.1 to 4.3).
enum PacketText {
  static let prefix = "com.bablabs.bringabrainlanguage.domain.models.PacketPayload."

  static func packet(
    _ type: String, _ payloadName: String, _ members: [(String, JSON)], from sender: String, _ clock: VectorClock
  ) -> JSON {
    .object([
      ("type", .text(type)), ("senderId", .text(sender)), ("vectorClock", clock.json),
      ("payload", .object([("type", .text(prefix + payloadName))] + members)),
    ])
  }

  static func participant(_ id: String, _ name: String, isHost: Bool) -> JSON {
    .object([("id", .text(id)), ("name", .text(name)), ("role", .null), ("isHost", .flag(isHost))])
  }

  static func profile(_ id: String, _ name: String) -> JSON {
    .object([("playerId", .text(id)), ("displayName", .text(name))])
  }
}
