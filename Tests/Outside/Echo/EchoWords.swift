import AppSeam
import BluetoothWire

/// The smallest app there is: a client sends a number, and the host sends it back.
enum EchoPacket: Equatable {
  /// Client to host.
  case ping(UInt8)
  /// Host to client.
  case pong(UInt8)

  /// One octet of kind and one of number; nil for anything else.
  init?(_ octets: [UInt8]) {
    guard octets.count == 2 else { return nil }
    switch octets[0] {
    case 1: self = .ping(octets[1])
    case 2: self = .pong(octets[1])
    default: return nil
    }
  }

  var octets: [UInt8] {
    switch self {
    case .ping(let number): [1, number]
    case .pong(let number): [2, number]
    }
  }
}

/// Where the two meet.
enum EchoService {
  static let ping = ServiceDefinition.Characteristic(uuid: BluetoothUUID(0xFEC1), properties: .writeWithoutResponse)
  static let pong = ServiceDefinition.Characteristic(uuid: BluetoothUUID(0xFEC2), properties: .notify)
  static let definition = ServiceDefinition(uuid: BluetoothUUID(0xFEC0), characteristics: [ping, pong])
}

extension AppRole {
  static let echoHost = AppRole(rawValue: "host")
  static let echoClient = AppRole(rawValue: "client")
}

/// What the user of a client does.
enum EchoAction: AppStatement {
  /// Sends a number that has not been sent before.
  case call

  static let words: [EchoAction] = [.call]

  mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.word("call")
  }
}

/// What a client shows.
enum EchoReport: AppStatement {
  /// The host may be called.
  case ready
  case heard(number: Int64)

  static let words: [EchoReport] = [.ready, .heard(number: 0)]

  mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .ready: try visitor.word("ready")
    case .heard(var number):
      try visitor.word("heard")
      try visitor.field("number", &number)
      self = .heard(number: number)
    }
  }
}
