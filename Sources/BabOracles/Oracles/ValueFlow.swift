import AppSeam
import BabSim
import Platform
import SimKernel

/// The values that one end of a link has handed to its platform and that have not arrived at the other end.
final class ValueFlow {
  struct Entry {
    /// Counts the values of this flow.
    var serial: Int
    var octets: [UInt8]
    /// A write with response; it may overtake and be overtaken, because it waits for answers of its own.
    var isRequest: Bool
    /// What the bench did to this value on purpose.
    var fault: MessageFault?
    var issuedAt: SimInstant
  }

  enum Arrival {
    case inOrder
    /// These values, handed over earlier, have not arrived; they are forgotten.
    case after(missing: [Entry])
    case unknown
  }

  let link: LinkID
  private var entries: [Entry] = []
  private var head = 0
  /// Serials of values whose `submitted` answer is awaited, in order.
  private var unanswered: [Int] = []
  private var unansweredHead = 0
  private var nextSerial = 0
  /// Writes that a broken stack answers while it holds them back.
  private var earlyAnswers = 0
  /// Arrivals that a fault explains and that match no entry.
  private var credit = 0
  private var deliveredRequests = 0
  private var succeededRequests = 0
  /// The link has ended at one side: nothing is asked of what was under way.
  private(set) var isOver = false

  init(link: LinkID) { self.link = link }

  /// Whether a value is under way that the platform has taken.
  var hasAccepted: Bool {
    let firstUnanswered = unansweredHead < unanswered.count ? unanswered[unansweredHead] : Int.max
    return entries[head...].contains { $0.fault == nil && ($0.isRequest || $0.serial < firstUnanswered) }
  }

  func close() {
    isOver = true
    entries.removeAll()
    head = 0
  }

  func issue(_ octets: [UInt8], isRequest: Bool, at instant: SimInstant) {
    entries.append(
      Entry(serial: nextSerial, octets: octets, isRequest: isRequest, fault: nil, issuedAt: instant))
    if !isRequest { unanswered.append(nextSerial) }
    nextSerial += 1
  }

  /// The platform's answer to the oldest value it has not answered yet.
  func answer(accepted: Bool) {
    guard unansweredHead < unanswered.count else { return }
    let serial = unanswered[unansweredHead]
    unansweredHead += 1
    if unansweredHead > 64, unansweredHead * 2 > unanswered.count {
      unanswered.removeFirst(unansweredHead)
      unansweredHead = 0
    }
    if !accepted, let index = entries[head...].firstIndex(where: { $0.serial == serial }) {
      entries.remove(at: index)
    }
  }

  /// The answer to a write with response; false when it says that a value arrived which did not. A phone answers for an
  /// app that it does not run, and tells the app later.
  func answerRequest(succeeded: Bool, receiverSleeps: Bool) -> Bool {
    if succeeded {
      succeededRequests += 1
      if isOver || credit > 0 || succeededRequests <= deliveredRequests + earlyAnswers { return true }
      if receiverSleeps { earlyAnswers += 1 }
      return receiverSleeps
    }
    if let index = entries[head...].firstIndex(where: \.isRequest) { entries.remove(at: index) }
    return true
  }

  /// The bench did something to a value of this flow; false when the value is none of its own.
  func tamper(_ fault: MessageFault, octets: [UInt8]) -> Bool {
    guard let index = entries[head...].firstIndex(where: { $0.octets == octets }) else { return false }
    entries[index].fault = fault
    if fault == .duplicate || fault == .corrupt { credit += 1 }
    if fault == .drop, entries[index].isRequest { credit += 1 }
    if fault == .reorder, entries[index].isRequest { earlyAnswers += 1 }
    return true
  }

  /// Allows one arrival that matches nothing.
  func allowStranger() { credit += 1 }

  func arrive(_ octets: [UInt8]) -> Arrival {
    guard let index = entries[head...].firstIndex(where: { $0.octets == octets && $0.fault != .drop }) else {
      guard credit > 0 else { return .unknown }
      credit -= 1
      return .inOrder
    }
    let arrived = entries[index]
    if arrived.isRequest { deliveredRequests += 1 }
    if index == head {
      removeHead()
      return .inOrder
    }
    return overtake(at: index, arrived)
  }

  private func overtake(at index: Int, _ arrived: Entry) -> Arrival {
    entries.remove(at: index)
    if arrived.fault != nil { return .inOrder }
    let overtaken = head..<index
    let missing = entries[overtaken].filter { $0.fault == nil && $0.isRequest == arrived.isRequest }
    // A value the bench holds back may still come; all others that were overtaken are settled now.
    let kept = entries[overtaken].filter { $0.fault == .reorder || $0.isRequest != arrived.isRequest }
    entries.replaceSubrange(overtaken, with: kept)
    return missing.isEmpty ? .inOrder : .after(missing: missing)
  }

  private func removeHead() {
    entries[head].octets = []
    head += 1
    if head > 64, head * 2 > entries.count {
      entries.removeFirst(head)
      head = 0
    }
  }
}
