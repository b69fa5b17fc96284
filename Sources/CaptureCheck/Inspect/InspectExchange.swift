import BluetoothWire
public import CaptureFormats
public import SimKernel

/// One exchange: from a request to its answer, with the packets of its link between the two.
public struct InspectExchange: Hashable, Sendable {
  /// The numbers of the request and of its answer; equal where the capture has no answer.
  public var packets: ClosedRange<Int>
  /// The link that it is on; nil for a command and its event.
  public var link: Int?
  /// The opcode of the command.
  public var command: UInt16?

  public var isAnswered: Bool { packets.count > 1 }

  func holds(_ packet: InspectedPacket, number: Int) -> Bool {
    guard packets.contains(number) else { return false }
    if let link { return packet.links.contains(link) }
    return command.map { packet.codes.contains(.command($0)) } ?? true
  }
}

/// Looks for the exchange that a packet is part of: an ATT transaction, an LL Control or signalling procedure, a
/// command and its Command Complete or Command Status.
///
/// A packet that is neither request nor answer belongs to the shortest exchange of its link that it lies in.
public final class ExchangeFinder {
  private let number: Int
  private let collector = PacketCollector(protocols: [], depth: .headline)
  private let reader: TrafficReader
  /// Links of the packet itself.
  private var links: [Int] = []
  private var asked: InspectExchange?
  private var found: InspectExchange?

  /// - Parameter number: the packet's, from 1.
  public init(packet number: Int) {
    self.number = number
    reader = TrafficReader(observers: [collector])
  }

  /// - Returns: false when the exchange is known and no further record can change it.
  public func read(_ record: CaptureRecord, at instant: SimInstant) -> Bool {
    collector.begin(record)
    reader.read(record, file: 0, at: instant)
    let packet = collector.end()
    if record.number == number {
      links = packet.links
      if let request = packet.request {
        asked = InspectExchange(packets: number...number, link: request.link, command: request.command)
      }
    }
    if let answer = packet.answer, answer.number <= number, record.number >= number {
      let exchange = InspectExchange(
        packets: answer.number...max(answer.number, record.number), link: answer.link, command: answer.command)
      if answer.number == number || record.number == number {
        found = exchange
        return false
      }
      // Shorter ones come first: each ends later than the one before it, so only its start can be nearer.
      let isOfLink = answer.link.map { links.contains($0) } ?? false
      if isOfLink, found.map({ $0.packets.lowerBound < answer.number }) ?? true { found = exchange }
    }
    return true
  }

  /// The exchange, valid after the last record; nil when the packet is part of none.
  public var exchange: InspectExchange? {
    if let found, found.packets.lowerBound == number || found.packets.upperBound == number { return found }
    return asked ?? found
  }
}

/// Requests that wait for their answer, by what they wait on.
struct PendingExchanges {
  /// Whose answer is waited for.
  enum Key: Hashable {
    case request(link: Int, fromCentral: Bool)
    case indication(link: Int, fromCentral: Bool)
    case control(link: Int, fromCentral: Bool)
    case signal(link: Int, fromCentral: Bool, identifier: UInt8)
    case command(file: Int, adapter: UInt16, opcode: UInt16)
  }

  struct Request {
    /// The packet that the request is complete in.
    var number: Int
    var instant: SimInstant
    var link: Int?
    var command: UInt16?
    var opcode: UInt8 = 0
    /// Attributes that it names.
    var handles: [ATT.Handle] = []
  }

  /// So many wait at most: a capture without answers must not cost memory.
  private static let limit = 4_096
  /// Looked up only, never gone through.
  private var waiting: [Key: Request] = [:]

  mutating func open(_ key: Key, _ request: Request) {
    if waiting.count >= Self.limit { waiting.removeAll() }
    waiting[key] = request
  }

  mutating func close(_ key: Key) -> Request? { waiting.removeValue(forKey: key) }
  func request(_ key: Key) -> Request? { waiting[key] }

  /// Answers to an LL Control PDU. Spec: Core v5.4, Vol 6, Part B, 5.1.
  static func controlAnswers(_ opcode: UInt8) -> [UInt8] {
    switch opcode {
    case 0x03: [0x04]
    case 0x05: [0x06]
    case 0x08, 0x0E: [0x09]
    case 0x0A: [0x0B]
    case 0x0C: [0x0C]
    case 0x0F: [0x10, 0x00]
    case 0x10: [0x00]
    case 0x12: [0x13]
    case 0x14: [0x15]
    case 0x16: [0x17, 0x18]
    case 0x17: [0x18]
    case 0x1A: [0x1B]
    case 0x1D: [0x1E]
    case 0x1F: [0x20]
    case 0x20: [0x21]
    case 0x23: [0x24]
    case 0x26: [0x27]
    default: []
    }
  }

  /// LL_UNKNOWN_RSP, LL_REJECT_IND and LL_REJECT_EXT_IND end any procedure.
  static let controlRefusals: [UInt8] = [0x07, 0x0D, 0x11]
  static let signalRequests: [UInt8] = [0x06, 0x12, 0x14, 0x17, 0x19]
  static let signalAnswers: [UInt8] = [0x01, 0x07, 0x13, 0x15, 0x18, 0x1A]
}
