import AppSeam

/// The clauses of Docs/Protocol/bab.md that a violation names.
enum BabRule {
  static let hostOnlyPacket = "BAB 7.1"
  static let foreignSender = "BAB 7.2"
  static let foreignLine = "BAB 7.3"
  static let secondHandshake = "BAB 7.4"
  static let notTheHost = "BAB 7.5"
  static let handshakeFirst = "BAB 7.6"
  static let actingForAnother = "BAB 7.7"
  static let envelopeDisagrees = "BAB 7.8"
  static let identityInUse = "BAB 7.9"
  static let secondHost = "BAB 7.10"
  static let impossibleResult = "BAB 7.11"
  static let clientOnlyPacket = "BAB 7.12"
}
