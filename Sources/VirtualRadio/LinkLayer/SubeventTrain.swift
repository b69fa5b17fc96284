import BluetoothWire
import SimKernel

/// What a train with subevents has beside an ordinary one: data for each of them, and slots in which those who follow
/// it respond (Vol 6, Part B, 4.4.2.12; Vol 4, Part E, 7.8.61 [v2], 7.8.125).
final class SubeventTrain {
  /// Data of as many subevents are with the controller, or asked for, at a time. Decision.
  static let mostAhead = 8

  let parameters: HCI.SubeventParameters
  /// That of responses.
  var accessAddress: UInt32 = 0
  /// The subevent on the air, or the next one.
  var subevent: UInt8 = 0
  /// Its AUX_SYNC_SUBEVENT_IND has begun, and has not ended.
  var isOnAir = false
  /// The start of subevent 0, and `paEventCounter` there.
  var eventStart = SimInstant.zero
  var eventCounter: UInt16 = 0
  /// By subevent; nil: its host has given none since it was sent last.
  var data: [HCI.SubeventData?]
  /// For which responses it listens after the present AUX_SYNC_SUBEVENT_IND.
  var slots: ResponseSlots?
  /// Until when the radio is kept for a slot.
  var keptUntil = SimInstant.zero
  /// The next slot, or the end of the last one.
  var handle: EventHandle?

  init(_ parameters: HCI.SubeventParameters) {
    self.parameters = parameters
    data = Array(repeating: nil, count: Int(parameters.timing.count))
  }

  var timing: HCI.SubeventTiming { parameters.timing }
  var count: UInt8 { timing.count }
  /// How many subevents ahead its host is asked.
  var ahead: Int { min(Int(count), Self.mostAhead) }

  /// The ACAD of AUX_ADV_IND.
  var controllerData: [UInt8] { LL.ResponseTiming(accessAddress: accessAddress, subevents: timing).structure.octets }

  /// The subevent that comes a number of them after another.
  func subevent(_ distance: Int, after subevent: UInt8) -> UInt8 {
    UInt8((Int(subevent) + distance) % Int(count))
  }

  /// Whether its host may give data of a subevent now; nil: yes.
  func problem(ofTime subevent: UInt8) -> HCI.ErrorCode? {
    let distance = (Int(subevent) - Int(self.subevent) + Int(count)) % Int(count)
    if distance == 0, isOnAir { return .tooLate }
    if distance < ahead { return nil }
    return Int(count) - distance <= ahead ? .tooLate : .tooEarly
  }
}

/// The slots of one subevent for which its advertiser listens.
struct ResponseSlots {
  /// What came in one of them.
  enum Outcome {
    /// The radio had no time for it.
    case closed
    /// It listened, or listens, and nothing has come in whole.
    case silent
    case heard(LL.ExtendedPDU, rssi: Int8)
  }

  let subevent: UInt8
  let channelIndex: UInt8
  /// The start of AUX_SYNC_SUBEVENT_IND.
  let start: SimInstant
  let first: UInt8
  var outcomes: [Outcome]
  /// Slots whose beginning is over.
  var begun = 0

  init(_ data: HCI.SubeventData, on channelIndex: UInt8, start: SimInstant) {
    (subevent, self.channelIndex, self.start, first) = (data.subevent, channelIndex, start, data.firstSlot)
    outcomes = Array(repeating: .closed, count: Int(data.slots))
  }
}

extension HCI.SubeventTiming {
  static let slotUnit = SimDuration.microseconds(125)
  static let longUnit = SimDuration.microseconds(1_250)

  /// From the start of an event to that of a subevent, by the advertiser's clock.
  func span(toSubevent subevent: UInt8) -> SimDuration { Self.longUnit * (Int64(interval) * Int64(subevent)) }

  /// From the start of a subevent to that of a slot.
  func span(toSlot slot: Int) -> SimDuration {
    Self.longUnit * Int64(slotDelay) + Self.slotUnit * (Int64(slotSpacing) * Int64(slot))
  }

  /// What a response in a slot has time for: T_IFS before the next slot begins, or the next subevent.
  func room(inSlot slot: Int) -> SimDuration {
    let end = slotSpacing == 0 ? span(toSubevent: 1) : min(span(toSlot: slot + 1), span(toSubevent: 1))
    return end - span(toSlot: slot) - RadioWorld.interFrameSpace
  }

  /// What AUX_SYNC_SUBEVENT_IND has time for: T_IFS before the first slot, or the next subevent.
  func room(hasSlots: Bool) -> SimDuration {
    (hasSlots ? span(toSlot: 0) : span(toSubevent: 1)) - RadioWorld.interFrameSpace
  }

  /// Whether a train of an interval can have such subevents (Vol 4, Part E, 7.8.61): they fit into it one after
  /// another, and into each of them the slots.
  /// - Parameters:
  ///   - period: units of 1.25 ms.
  ///   - slots: nil: as a scanner sees it, which does not know how many there are.
  func isValid(period: UInt16, slots: UInt8?) -> Bool {
    guard (1...128).contains(count), interval >= 6, Int(count) * Int(interval) <= Int(period) else { return false }
    if slots == 0 || slots == nil && slotDelay == 0 { return true }
    guard (1...254).contains(slotDelay), slotDelay < interval else { return false }
    if slots == 1 { return true }
    guard slotSpacing >= 2 || slots == nil && slotSpacing == 0 else { return false }
    return Int(slotSpacing) * Int(slots ?? 1) <= 10 * (Int(interval) - Int(slotDelay))
  }
}
