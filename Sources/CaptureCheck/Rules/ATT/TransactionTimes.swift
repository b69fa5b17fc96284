import Judging
import SimKernel

enum AttributeTimes {
  /// Core v5.4, Vol 3, Part F, 3.3.3.
  static let transaction = SimDuration.seconds(30)
  /// A link on which one end is heard at least this often is busy: an answer waits for what is sent before it.
  static let silence = SimDuration.seconds(2)
}

/// What waits for an answer at one end of a link: a client's request, or a server's indication.
private struct Wait {
  init() {}
  init(opcode: UInt8, _ moment: TrafficMoment) {
    (self.opcode, self.moment, heardAt) = (opcode, moment, moment.instant)
  }

  var opcode: UInt8 = 0
  /// When it was sent; nil of none.
  var moment: TrafficMoment?
  var isOpen: Bool { moment != nil }
  /// When octets of the end that must answer came last, and whether it fell silent before.
  var heardAt = SimInstant.zero
  var wasSilent = false
  /// Its finding has been booked.
  var isLate = false

  mutating func hear(at instant: SimInstant) {
    guard isOpen else { return }
    if instant - heardAt > AttributeTimes.silence { wasSilent = true }
    heardAt = instant
  }

  /// Whether the end that must answer had nothing else to say for a while: then its answer could have come.
  func couldEnd(by end: SimInstant) -> Bool { wasSilent || end - heardAt > AttributeTimes.silence }

  /// Whether packets prove that it has lasted longer than an answer may take.
  func isProvenLate(at moment: TrafficMoment) -> Bool {
    self.moment.map { moment.witnessed - $0.witnessed > AttributeTimes.transaction } ?? false
  }
}

private struct Waits {
  var request = PerSide(Wait())
  var indication = PerSide(Wait())
  /// Ends that have sent something that only a client sends.
  var isClient = PerSide(false)

  /// - Returns: the wait that a response or a confirmation ends.
  mutating func follow(_ pdu: TrafficPDU) -> Wait? {
    let (opcode, fromCentral) = (pdu.opcode, pdu.fromCentral)
    let isOfServer = OpcodeSet.responses.contains(opcode) || opcode == 0x1D || opcode == 0x1B || opcode == 0x23
    if !isOfServer { isClient[isCentral: fromCentral] = true }
    switch opcode {
    case 0x1D:
      indication[isCentral: fromCentral] = Wait(opcode: opcode, pdu.moment)
      return nil
    case 0x1E:
      defer { indication[isCentral: !fromCentral] = Wait() }
      return indication[isCentral: !fromCentral].isOpen ? indication[isCentral: !fromCentral] : nil
    case 0x1B, 0x23: return nil
    default: break
    }
    if OpcodeSet.responses.contains(opcode) {
      defer { request[isCentral: !fromCentral] = Wait() }
      return request[isCentral: !fromCentral].isOpen ? request[isCentral: !fromCentral] : nil
    }
    if opcode & 0x40 == 0 { request[isCentral: fromCentral] = Wait(opcode: opcode, pdu.moment) }
    return nil
  }

  var count: Int {
    (request.central.isOpen ? 1 : 0) + (request.peripheral.isOpen ? 1 : 0) + (indication.central.isOpen ? 1 : 0)
      + (indication.peripheral.isOpen ? 1 : 0)
  }
}

/// Requests and indications are answered within 30 s. Spec: Core v5.4, Vol 3, Part F, 3.3.3.
///
/// An answer that waits for other octets of its sender, on a link that is slow because of noise, is nobody's fault.
final class TransactionsEndInTime: TrafficRule {
  static let id = "TransactionsEndInTime"
  static let claim = "Every request is answered and every indication confirmed within 30 s, while the link is up."
  static let clause = "Core v5.4, Vol 3, Part F, 3.3.3"
  static let leavesOpen =
    "octets are missing, time steps back, a silence of more than 10 s is part of the wait (the clock may have been "
    + "set), or the capture ends (on the air: the link falls silent) before 30 s; who was sent an indication has never "
    + "said anything as a client; or who must answer was never silent for 2 s, so that other octets may have delayed "
    + "the answer"
  static let attOpcodes = OpcodeSet.all.subtracting(OpcodeSet(0x1B, 0x23))

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.att, .gaps, .links, .fragments]
  @exclusivity(unchecked) private var links = PerLink(Waits())
  /// Waits that are open on all links: fragments are looked at only while there are any.
  @exclusivity(unchecked) private var open = 0

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .gap(let link, _, _):
      ledger.open += links[link].count
      forget(link)
    case .linkChanged(let link, let change) where change.turnsDirections: forget(link)
    case .linkClosed(let link, let reason):
      close(event, link, isSeen: reason != nil)
    default: break
    }
  }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    if open == 0 { return }
    // Control PDUs, and empty ones, which are a header only, are no data.
    if case .linkLayer(let llid, _) = header, llid == 3 || pdu.count <= 2 { return }
    links[pdu.link].request[isCentral: !pdu.fromCentral].hear(at: pdu.instant)
    links[pdu.link].indication[isCentral: !pdu.fromCentral].hear(at: pdu.instant)
  }

  func observe(att pdu: TrafficPDU) {
    let before = links[pdu.link].count
    let wait = links[pdu.link].follow(pdu)
    open += links[pdu.link].count - before
    assert(open >= 0, "a wait that ends has begun")
    guard let wait, let asked = wait.moment else { return }
    if pdu.instant - asked.instant > AttributeTimes.transaction, !wait.couldEnd(by: pdu.instant) {
      return ledger.open += 1
    }
    judge(
      pdu, since: asked, within: AttributeTimes.transaction, question: RuleText.opcode(wait.opcode),
      answer: RuleText.opcode(pdu.opcode))
  }

  private func forget(_ link: TrafficLink) {
    open -= links[link].count
    assert(open >= 0, "a wait that ends has begun")
    links[link] = Waits()
  }

  /// The end of a link, or of its capture. Silence proves something at the HCI only: a sniffer may have lost the link.
  private func close(_ event: TrafficEvent, _ link: TrafficLink, isSeen: Bool) {
    let waits = links[link]
    forget(link)
    for (wait, mayAnswer) in [
      (waits.request.central, true), (waits.request.peripheral, true),
      (waits.indication.central, waits.isClient.peripheral), (waits.indication.peripheral, waits.isClient.central),
    ] {
      guard let asked = wait.moment else { continue }
      // Who is no client was never to be sent an indication.
      if !mayAnswer {
        ledger.open += 1
        continue
      }
      let end = link.captureEnd.map { min($0, event.instant) } ?? event.instant
      let taken = end - asked.instant
      if taken > AttributeTimes.transaction, !wait.couldEnd(by: end) || !wait.isProvenLate(at: event.moment) {
        ledger.open += 1
      } else if taken > AttributeTimes.transaction, isSeen || link.handle != nil && link.hasVisibleEnd {
        fail(
          event, link, expected: "an answer to \(RuleText.opcode(wait.opcode)) within 30 s",
          actual: "none in \(RuleText.seconds(taken)), until the \(isSeen ? "link" : "capture") ended")
      } else if !isSeen {
        leaveOpen(link)
      }
    }
  }
}

/// An end that waited without an answer does not go on. Spec: Core v5.4, Vol 3, Part F, 3.3.3.
final class BearersFallSilentAfterTimeout: TrafficRule {
  static let id = "BearersFallSilentAfterTimeout"
  static let claim = "An end that has waited 30 s for an answer sends nothing more on that bearer."
  static let clause = "Core v5.4, Vol 3, Part F, 3.3.3"
  static let leavesOpen =
    "octets are missing while an answer is due, or a silence of more than 10 s is part of the wait (the clock may have "
    + "been set)"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.att, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(Waits())
  /// Waits that are open on all links: values are looked at only while there are any.
  @exclusivity(unchecked) private var open = 0

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .gap(let link, _, _): lose(link)
    case .linkChanged(let link, let change) where change.turnsDirections: lose(link)
    case .linkClosed(let link, _): lose(link)
    default: break
    }
  }

  func observe(att pdu: TrafficPDU) {
    if open == 0, pdu.opcode == 0x1B || pdu.opcode & 0x40 != 0 { return }
    look(pdu)
    let before = links[pdu.link].count
    _ = links[pdu.link].follow(pdu)
    open += links[pdu.link].count - before
    assert(open >= 0, "a wait that ends has begun")
  }

  private func look(_ pdu: TrafficPDU) {
    let fromCentral = pdu.fromCentral
    var waits = links[pdu.link]
    var wait = waits.request[isCentral: fromCentral]
    if !wait.isOpen { wait = waits.indication[isCentral: fromCentral] }
    guard let asked = wait.moment, !wait.isLate else { return }
    let taken = pdu.instant - asked.instant
    guard taken > AttributeTimes.transaction else { return ledger.judged += 1 }
    if !wait.isProvenLate(at: pdu.moment) { return ledger.open += 1 }
    guard pdu.link.hasVisibleEnd, taken <= RuleText.longestWait else { return leaveOpen(pdu.link) }
    fail(
      pdu, expected: "nothing more after \(RuleText.opcode(wait.opcode)), which was not answered in 30 s",
      actual: "\(pdu.sender) sends \(RuleText.opcode(pdu.opcode)) after \(RuleText.seconds(taken))")
    waits.request[isCentral: fromCentral].isLate = true
    waits.indication[isCentral: fromCentral].isLate = true
    links[pdu.link] = waits
  }

  private func lose(_ link: TrafficLink) {
    open -= links[link].count
    assert(open >= 0, "a wait that ends has begun")
    links[link] = Waits()
  }
}
