/// One packet of the Bab protocol: envelope and payload.
///
/// Spec: BAB 4.1.
public struct BabPacket: Hashable, Sendable {
  /// What the envelope claims. It may disagree with `payload.type`; receivers act on the payload (BAB 4.6).
  public var type: PacketType
  public var senderID: String
  public var vectorClock: VectorClock
  public var payload: PacketPayload

  public init(type: PacketType, senderID: String, vectorClock: VectorClock, payload: PacketPayload) {
    self.type = type
    self.senderID = senderID
    self.vectorClock = vectorClock
    self.payload = payload
  }

  /// A packet whose envelope names its payload.
  public init(senderID: String, vectorClock: VectorClock, payload: PacketPayload) {
    self.init(type: payload.type, senderID: senderID, vectorClock: vectorClock, payload: payload)
  }

  /// Whether the envelope names the payload.
  public var isConsistent: Bool { type == payload.type }
}
