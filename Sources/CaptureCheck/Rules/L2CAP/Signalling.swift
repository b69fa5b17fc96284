import BluetoothWire
import Judging
import SimKernel

/// Spec: Core v5.4, Vol 3, Part A, 4, Table 4.2, and 4.1 to 4.28.
final class SignallingPDUsAreWellFormed: TrafficRule {
  static let id = "SignallingPDUsAreWellFormed"
  static let claim =
    "A signalling frame on LE is one command of LE, with an identifier above 0 and the length it states."
  static let clause = "Core v5.4, Vol 3, Part A, 4"
  static let leavesOpen = "a response has the identifier 0x00: the request may have had it"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .frames

  func observe(_ event: TrafficEvent) {
    guard case .frame(let link, let fromCentral, .signalling, let command) = event.kind else { return }
    guard let expected = Self.defect(command) else { return ledger.judged += 1 }
    if command.count >= 4, command.octet(at: 1) == 0, Self.responses.contains(command.octet(at: 0)) {
      return ledger.open += 1
    }
    let code = command.first.map { " of code \(hexNumber($0, digits: 2))" } ?? ""
    fail(
      event, link, expected: expected,
      actual: "\(RuleText.side(fromCentral: fromCentral)) sends \(CountedNoun.text(command.count, "octet"))\(code)")
  }

  fileprivate static let responses: [UInt8] = [0x01, 0x07, 0x13, 0x15, 0x18, 0x1A]

  private static func defect(_ command: ArraySlice<UInt8>) -> String? {
    guard command.count >= 4 else { return "at least 4 octets" }
    let code = command.octet(at: 0)
    if command.octet(at: 1) == 0 { return "an identifier that is not 0x00" }
    let length = Int(command.word(at: 2))
    if length != command.count - 4 { return "as many octets after the header as its length says, \(length)" }
    switch code {
    case 0x01: return length >= 2 ? nil : "at least 2 octets of data"
    case 0x06, 0x07, 0x16: return length == 4 ? nil : "4 octets of data"
    case 0x12: return length == 8 ? nil : "8 octets of data"
    case 0x13, 0x1A: return length == 2 ? nil : "2 octets of data"
    case 0x14, 0x15: return length == 10 ? nil : "10 octets of data"
    case 0x17, 0x18: return length >= 10 && length <= 18 && length % 2 == 0 ? nil : "8 octets and 1 to 5 channels"
    case 0x19: return length >= 6 && length <= 14 && length % 2 == 0 ? nil : "4 octets and 1 to 5 channels"
    case 0x02...0x05, 0x08...0x11: return "a command that LE has, not one of BR/EDR"
    default: return nil
    }
  }
}

/// Spec: Core v5.4, Vol 3, Part A, 4.
final class SignallingResponsesAnswerRequests: TrafficRule {
  static let id = "SignallingResponsesAnswerRequests"
  static let claim = "A signalling response has the identifier of a request that it can answer and that is unanswered."
  static let clause = "Core v5.4, Vol 3, Part A, 4"
  static let leavesOpen = "octets are missing, or the capture begins in the middle of the link"

  private struct State {
    /// Requests without an answer: code and identifier; at most 16.
    var waiting = PerSide([(code: UInt8, identifier: UInt8)]())
    var isDoubtful = false
  }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.frames, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(State())

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .linkOpened(let link): if !link.isFromStart { links[link].isDoubtful = true }
    case .frame(let link, let fromCentral, .signalling, let command):
      if command.count >= 4 { follow(event, link, fromCentral: fromCentral, command) }
    case .gap(let link, _, _): links[link] = State(isDoubtful: true)
    case .linkChanged(let link, let change) where change.turnsDirections: links[link] = State(isDoubtful: true)
    default: break
    }
  }

  private func follow(_ event: TrafficEvent, _ link: TrafficLink, fromCentral: Bool, _ command: ArraySlice<UInt8>) {
    let code = command.octet(at: 0)
    let identifier = command.octet(at: 1)
    switch code {
    case 0x06, 0x12, 0x14, 0x17, 0x19:
      if links[link].waiting[isCentral: fromCentral].count >= 16 {
        links[link].isDoubtful = true
        links[link].waiting[isCentral: fromCentral] = []
      }
      links[link].waiting[isCentral: fromCentral].append((code, identifier))
    case _ where SignallingPDUsAreWellFormed.responses.contains(code):
      let asked = links[link].waiting[isCentral: !fromCentral]
      let place = asked.firstIndex {
        $0.identifier == identifier && (code == 0x01 || $0.code == code - 1)
      }
      if let place {
        links[link].waiting[isCentral: !fromCentral].remove(at: place)
        ledger.judged += 1
      } else if links[link].isDoubtful || code == 0x01 {
        // A reject may answer a command that expects no answer.
        leaveOpen(link)
      } else {
        fail(
          event, link, expected: "the identifier of a request that has no answer yet",
          actual:
            "\(RuleText.side(fromCentral: fromCentral)) sends code \(hexNumber(code, digits: 2)) with identifier "
            + hexNumber(identifier, digits: 2))
      }
    default: break
    }
  }
}

/// Spec: Core v5.4, Vol 3, Part A, 4.20.
///
/// On the air the direction is all the evidence, and only as good as the sniffer: the verdict waits for the end of the
/// link, and one with gaps stays open.
final class ParameterUpdatesComeFromPeripheral: TrafficRule {
  static let id = "ParameterUpdatesComeFromPeripheral"
  static let claim = "Only a peripheral asks by L2CAP for other connection parameters."
  static let clause = "Core v5.4, Vol 3, Part A, 4.20"
  static let leavesOpen =
    "the capture begins in the middle of the link: this PDU then tells the roles; or, on the air, the link has gaps"

  private struct State {
    /// What the central sent on the air; at most 20.
    var suspicions: [TrafficMoment] = []
    var isDoubtful = false
  }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.frames, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(State())

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .gap(let link, _, _): if link.air != nil { links[link].isDoubtful = true }
    case .linkClosed(let link, _): close(link)
    case .frame(let link, let fromCentral, .signalling, let command) where command.first == 0x12:
      // In the middle of a link this frame is what tells the roles.
      guard link.isFromStart else { return leaveOpen(link) }
      if !fromCentral { return ledger.judged += 1 }
      if link.air == nil { return blame(link, event.moment) }
      if links[link].suspicions.count < 20 { links[link].suspicions.append(event.moment) }
    default: break
    }
  }

  private func close(_ link: TrafficLink) {
    if link.air == nil { return }
    let state = links[link]
    links[link] = State()
    for suspicion in state.suspicions {
      if state.isDoubtful { ledger.open += 1 } else { blame(link, suspicion) }
    }
  }

  private func blame(_ link: TrafficLink, _ moment: TrafficMoment) {
    ledger.fail(
      at: moment.instant, device: link.index, record: moment.place.record,
      expected: "L2CAP_CONNECTION_PARAMETER_UPDATE_REQ from the peripheral only", actual: "the central sends it")
  }
}

/// Spec: Core v5.4, Vol 3, Part A, 4.20.
final class RequestedParametersAreInRange: TrafficRule {
  static let id = "RequestedParametersAreInRange"
  static let claim = "Connection parameters asked for by L2CAP are in their ranges and go together."
  static let clause = "Core v5.4, Vol 3, Part A, 4.20"
  static let leavesOpen = "nothing"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .frames

  func observe(_ event: TrafficEvent) {
    guard case .frame(let link, let fromCentral, .signalling, let command) = event.kind, command.first == 0x12,
      command.count >= 12
    else { return }
    let parameters = ConnectionParameters(
      intervalMin: command.word(at: 4), intervalMax: command.word(at: 6), latency: command.word(at: 8),
      timeout: command.word(at: 10))
    guard let defect = parameters.defect(timeoutMayEqual: true) else { return ledger.judged += 1 }
    fail(
      event, link, expected: defect, actual: "\(RuleText.side(fromCentral: fromCentral)) asks for \(parameters)")
  }
}
