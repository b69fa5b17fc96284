import AppSeam
import BluetoothWire
import SimKernel

/// Who sends what to whom, as a scenario's `traffic` says it; nothing else gives links of raw traffic their values.
struct Traffic: WordRecord {
  static let empty = Traffic()
  var flows: [Flow] = []

  mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.records("flows", &flows)
  }

  /// Values of one size that go one way over the link between a central and a peripheral.
  struct Flow: WordRecord {
    static let empty = Flow(from: 0, to: 0)
    /// Device indices.
    var from: Int
    var to: Int
    /// Whether the sender is the central of the link.
    var isFromCentral = false
    /// Octets of a value.
    var octets = 20
    /// Nanoseconds between two values; 0: it does not send by a clock.
    var pause: Int64 = 0
    /// The next value follows as soon as the queue takes one.
    var isSaturating = false
    /// With response (ATT_WRITE_REQ); otherwise a central sends write commands, a peripheral notifications.
    var isAnswered = false
    /// Values after which it ends; 0: never.
    var limit = 0

    /// Whether there is anything to send.
    var isActive: Bool { isSaturating || pause > 0 }

    mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
      try visitor.field("from", &from)
      try visitor.field("to", &to)
      try visitor.field("isFromCentral", &isFromCentral)
      try visitor.field("octets", &octets)
      try visitor.field("pause", &pause)
      try visitor.field("isSaturating", &isSaturating)
      try visitor.field("isAnswered", &isAnswered)
      try visitor.field("limit", &limit)
    }
  }

  /// More flows than this no scenario has.
  static let limit = 256

  /// The service of a peripheral; each has its own, so that a central finds those it has flows with and no other.
  static func service(of device: Int) -> BluetoothUUID { BluetoothUUID(UInt16(0xF000 + device)) }

  /// The characteristic of a flow, by its place in the list.
  static func characteristic(of flow: Int) -> BluetoothUUID { BluetoothUUID(UInt16(0xF100 + flow)) }

  /// What a peripheral publishes.
  func definition(of device: Int) -> ServiceDefinition {
    let characteristics = flows.indices.filter { flows[$0].from == device || flows[$0].to == device }.map { index in
      ServiceDefinition.Characteristic(
        uuid: Self.characteristic(of: index),
        properties: flows[index].isFromCentral ? [.write, .writeWithoutResponse] : .notify)
    }
    return ServiceDefinition(uuid: Self.service(of: device), characteristics: characteristics)
  }
}
