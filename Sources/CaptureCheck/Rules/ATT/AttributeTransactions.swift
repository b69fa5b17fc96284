/// What one client has under way at the other end's server, as far as a capture shows it.
struct AttributeRequest {
  var opcode: UInt8
  /// The attribute, the first of a list, or the start of a range; nil when the request names none.
  var handle: UInt16?
  /// The end of a range.
  var end: UInt16?
  /// All of those that it reads at once.
  var handles: [UInt16] = []
  /// It has the octets that its opcode wants: an error to one that has not may name any handle.
  var isWellFormed = true
}

/// The sequential protocol of one link, both ends as clients: which request is unanswered.
///
/// Spec: Core v5.4, Vol 3, Part F, 3.3.2. It does not judge. Whether a request was under way when the capture joined
/// the link, or when octets went missing, is unknown until the next request. Where several requests wait and one
/// response fits more than one of them, the newest request counts as neither answered nor unanswered: an answer that
/// never comes must not make the requests after it guilty.
struct AttributeTransactions {
  enum Step {
    /// - Parameters:
    ///   - unanswered: what the client still waits for.
    ///   - isKnown: false when that could not be seen.
    case request(AttributeRequest, unanswered: AttributeRequest?, isKnown: Bool)
    /// - Parameter to: nil when nothing is under way, or that is not known.
    case response(to: AttributeRequest?, isKnown: Bool)
  }

  private struct Client: Sendable {
    /// The newest request, until it is answered.
    var request: AttributeRequest?
    /// No response came that may have been the answer to `request`.
    var isUnanswered = false
    /// Requests that were sent before `request` without waiting and may be unanswered, oldest first.
    var older: [AttributeRequest] = []
    var isKnown = true
    /// More waited than are kept: from then on nobody knows what answers what.
    var isOverfull = false
  }

  private static let olderLimit = 3
  private var clients = PerSide(Client())
  private var isBegun = false

  /// Takes a PDU of `OpcodeSet.transactions`.
  mutating func follow(_ pdu: TrafficPDU) -> Step {
    if !isBegun {
      isBegun = true
      if !pdu.link.isFromStart { clients = PerSide(Client(isKnown: false)) }
    }
    let fromCentral = pdu.fromCentral
    if OpcodeSet.responses.contains(pdu.opcode) { return Self.respond(pdu, &clients[isCentral: !fromCentral]) }
    let request = Self.request(pdu)
    return Self.ask(request, &clients[isCentral: fromCentral])
  }

  /// Octets are missing, or the directions were mixed up: nothing is known until the next requests.
  /// - Returns: how many transactions were under way.
  mutating func lose() -> Int {
    let count = (clients.central.request == nil ? 0 : 1) + (clients.peripheral.request == nil ? 0 : 1)
    isBegun = true
    clients = PerSide(Client(isKnown: false))
    return count
  }

  private static func ask(_ request: AttributeRequest, _ client: inout Client) -> Step {
    let before = client.request
    let (isUnanswered, isKnown) = (client.isUnanswered, client.isKnown)
    if client.isOverfull || client.older.count == olderLimit {
      client = Client(isKnown: false, isOverfull: true)
      return .request(request, unanswered: nil, isKnown: false)
    }
    if let before { client.older.append(before) }
    client.request = request
    client.isUnanswered = true
    client.isKnown = true
    return .request(
      request, unanswered: isUnanswered ? before : nil, isKnown: before == nil ? isKnown : isUnanswered)
  }

  private static func respond(_ pdu: TrafficPDU, _ client: inout Client) -> Step {
    if client.isOverfull { return .response(to: nil, isKnown: false) }
    guard let newest = client.request else { return .response(to: nil, isKnown: client.isKnown) }
    if client.older.isEmpty, client.isUnanswered {
      client.request = nil
      client.isUnanswered = false
      return .response(to: newest, isKnown: client.isKnown)
    }
    let fits = isAnswer(pdu, to: newest)
    let oldest = client.older.firstIndex { isAnswer(pdu, to: $0) }
    guard let oldest else {
      // Servers answer in order: it is the newest one's, or nothing here explains it.
      client = Client(isKnown: fits)
      return .response(to: fits ? newest : nil, isKnown: fits)
    }
    let isOnlyOne = !fits && client.older.lastIndex { isAnswer(pdu, to: $0) } == oldest
    let answered = isOnlyOne ? client.older[oldest] : nil
    client.older.removeFirst(oldest + 1)
    client.isUnanswered = client.isUnanswered && !fits
    return .response(to: answered, isKnown: isOnlyOne)
  }

  /// Whether a response can be that to a request, by the opcodes of both.
  private static func isAnswer(_ pdu: TrafficPDU, to request: AttributeRequest) -> Bool {
    guard pdu.opcode == 0x01 else { return pdu.opcode == request.opcode &+ 1 }
    return pdu.count < 2 || pdu.octet(at: 1) == request.opcode
  }

  private static func request(_ pdu: TrafficPDU) -> AttributeRequest {
    var request = AttributeRequest(opcode: pdu.opcode)
    switch pdu.opcode {
    case 0x04, 0x06, 0x08, 0x10:
      if pdu.count >= 5 {
        request.handle = pdu.word(at: 1)
        request.end = pdu.word(at: 3)
      }
    case 0x0A, 0x0C, 0x12, 0x16: if pdu.count >= 3 { request.handle = pdu.word(at: 1) }
    case 0x0E, 0x20:
      if pdu.count >= 3 { request.handle = pdu.word(at: 1) }
      request.handles = stride(from: 1, to: max(1, pdu.count - 1), by: 2).map { pdu.word(at: $0) }
    default: break
    }
    request.isWellFormed = AttributePDUsAreWellFormed.defect(pdu.opcode, pdu.octets) == nil
    return request
  }
}

/// A rule about requests and what answers them.
protocol TransactionRule: TrafficRule {
  /// A request, or what answers it; an error that names a command is neither.
  func observe(_ step: AttributeTransactions.Step, _ pdu: TrafficPDU)
  /// Octets are missing; `count` transactions were under way.
  func lose(_ count: Int)
}

extension TransactionRule {
  public var interests: TrafficEvent.Interests { [] }
  func lose(_ count: Int) {}
}

/// Follows the transactions of all links, once for all rules.
final class TransactionBook {
  private let rules: CallList<any TransactionRule>
  @exclusivity(unchecked) private var links = PerLink(AttributeTransactions())

  init(_ rules: [any TransactionRule]) { self.rules = CallList(rules) }

  var interests: TrafficEvent.Interests { rules.isEmpty ? [] : [.att, .gaps, .links] }

  /// Takes a PDU of `OpcodeSet.transactions`.
  func follow(_ pdu: TrafficPDU) {
    if rules.isEmpty || pdu.opcode == 0x01 && pdu.count > 1 && pdu.octet(at: 1) & 0x40 != 0 { return }
    let step = links[pdu.link].follow(pdu)
    rules.forEach { $0.observe(step, pdu) }
  }

  func lose(_ link: TrafficLink) {
    let count = links[link].lose()
    rules.forEach { $0.lose(count) }
  }

  /// What was kept by direction is void, though nothing is missing.
  func turn(_ link: TrafficLink) { _ = links[link].lose() }
}

extension TrafficLink {
  /// Whether its end, and another link on the same handle, could not be taken for a part of it. Some phones log ACL
  /// data without events: of what is found in the middle, nobody knows where it ends.
  var hasVisibleEnd: Bool { isFromStart || handle == nil }
}

extension TrafficLink.Change {
  /// Who is central was found out late: what was kept by direction is void.
  var turnsDirections: Bool { self == .role }
}
