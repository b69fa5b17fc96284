import BluetoothWire

/// The receiving side of the isochronous test mode (Vol 6, Part B, 7).
struct StreamTest {
  static let payloads: ClosedRange<UInt8> = 0...2
  private static let counterLength = 4

  let payload: UInt8
  let longest: Int
  private(set) var received: UInt32 = 0
  private(set) var missed: UInt32 = 0
  private(set) var failed: UInt32 = 0
  /// Framed: the counter that comes next.
  private var next: UInt32?

  init(payload: UInt8, longest: Int) { (self.payload, self.longest) = (payload, longest) }

  /// An SDU of a test. Payloads of variable length go through all lengths from 4 octets on.
  static func octets(_ payload: UInt8, _ counter: UInt32, longest: Int) -> [UInt8] {
    if payload == 0 { return [] }
    var octets: [UInt8] = []
    octets.append(littleEndian: UInt64(counter), count: counterLength)
    let length = payload == 2 ? longest : counterLength + Int(counter) % max(1, longest - counterLength + 1)
    octets += [UInt8](repeating: 0, count: max(0, length - counterLength))
    return Array(octets.prefix(longest))
  }

  mutating func take(_ sdu: ReceivedSDU, isFramed: Bool) {
    guard sdu.status == .valid else {
      missed &+= 1
      if let expected = next { next = expected &+ 1 }
      return
    }
    let length = sdu.octets.count
    guard payload > 0 else {
      if length == 0 { received &+= 1 } else { failed &+= 1 }
      return
    }
    guard length >= Self.counterLength, payload == 1 || length == longest else { return failed &+= 1 }
    let counter = sdu.octets.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let expected = isFramed ? next ?? counter : UInt32(truncatingIfNeeded: sdu.number)
    next = counter &+ 1
    if counter == expected { received &+= 1 } else { failed &+= 1 }
  }

  var counters: [UInt32] { [received, missed, failed] }
}
