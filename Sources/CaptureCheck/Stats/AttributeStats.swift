public import BluetoothWire

/// What was done with one attribute over one link.
public struct AttributeStats: Hashable, Sendable {
  /// Index of the link, as in `TrafficLink.index`.
  public let link: Int
  /// Whether the central is the server.
  public let isOfCentral: Bool
  public let handle: ATT.Handle
  /// Read and Read Blob requests.
  public internal(set) var reads = 0
  /// Write and Prepare Write requests.
  public internal(set) var writes = 0
  /// Write and Signed Write commands.
  public internal(set) var commands = 0
  public internal(set) var notifications = 0
  public internal(set) var indications = 0
  /// Error responses that name it.
  public internal(set) var errors = 0
  /// Octets of values that were written, notified or indicated.
  public internal(set) var octets = 0
}

/// Counts by attribute handle: at most `limit` attributes, further ones together.
struct AttributeBook {
  static let limit = 4_096

  private struct Key: Hashable {
    var link: Int
    var isOfCentral: Bool
    var handle: ATT.Handle
  }

  private(set) var attributes: [AttributeStats] = []
  /// PDUs that name attributes beyond the limit.
  private(set) var further = 0
  /// Looked up only, never gone through.
  private var index: [Key: Int] = [:]

  mutating func read(_ pdu: TrafficPDU) {
    let octets = pdu.octets
    guard octets.count >= 3 else { return }
    let opcode = octets.octet(at: 0)
    switch opcode {
    case 0x01 where octets.count == 5: change(pdu, octets.word(at: 2), isSenders: true) { $0.errors += 1 }
    case 0x0A, 0x0C: change(pdu, octets.word(at: 1), isSenders: false) { $0.reads += 1 }
    case 0x12, 0x16:
      change(pdu, octets.word(at: 1), isSenders: false) {
        $0.writes += 1
        $0.octets += max(0, octets.count - (opcode == 0x12 ? 3 : 5))
      }
    case 0x52, 0xD2:
      change(pdu, octets.word(at: 1), isSenders: false) {
        $0.commands += 1
        $0.octets += octets.count - 3
      }
    case 0x1B, 0x1D:
      change(pdu, octets.word(at: 1), isSenders: true) {
        if opcode == 0x1B { $0.notifications += 1 } else { $0.indications += 1 }
        $0.octets += octets.count - 3
      }
    default: break
    }
  }

  /// - Parameter isSenders: whether the handle is one of the sender's server.
  private mutating func change(
    _ pdu: TrafficPDU, _ handle: ATT.Handle, isSenders: Bool, _ body: (inout AttributeStats) -> Void
  ) {
    let isOfCentral = pdu.fromCentral == isSenders
    let key = Key(link: pdu.link.index, isOfCentral: isOfCentral, handle: handle)
    if let place = index[key] { return body(&attributes[place]) }
    guard attributes.count < Self.limit else { return further += 1 }
    index[key] = attributes.count
    var stats = AttributeStats(link: pdu.link.index, isOfCentral: isOfCentral, handle: handle)
    body(&stats)
    attributes.append(stats)
  }
}
