import BluetoothWire
import SimKernel

/// A response that a scanner's host has given for a slot.
final class SubeventResponse {
  /// Unique in a world.
  let number: UInt64
  let sync: PeriodicSync
  /// Where it goes: `paEventCounter`, subevent and slot.
  let event: UInt16
  let subevent: UInt8
  let slot: UInt8
  let accessAddress: UInt32
  var data: [UInt8]
  var handle: EventHandle?
  /// It is on the air.
  var isBegun = false
  var start = SimInstant.zero
  var channelIndex: UInt8 = 0
  var pdu: [UInt8] = []
  /// The advertiser that listens to it, and for which of its slots.
  var listener: Advertiser?
  var slotIndex = 0

  init(_ number: UInt64, _ sync: PeriodicSync, _ answer: HCI.SubeventAnswer, event: UInt16, to accessAddress: UInt32) {
    (self.number, self.sync, self.event, self.accessAddress) = (number, sync, event, accessAddress)
    (subevent, slot, data) = (answer.subevent, answer.slot, answer.data)
  }
}

/// The scanner's side of periodic advertising with responses (Vol 6, Part B, 4.4.3.6): which subevents it listens to,
/// and what it sends in a slot.
extension RadioWorld {
  /// Responses that wait at the same time on a train. Decision.
  private static let mostResponses = 8

  /// A host has chosen the subevents that it wants.
  func choose(_ subevents: [UInt8], _ sync: PeriodicSync) {
    sync.choose(subevents)
    // A PDU on its way is heard first.
    if sync.listens { return }
    if let window = sync.window { timeline.cancel(window) }
    sync.window = nil
    sync.turnBack(until: timeline.now)
    awaitNext(sync)
  }

  /// A host has given what it answers.
  /// - Returns: why it is not sent; nil: it will be, unless the radio has no time then.
  func respond(_ answer: HCI.SubeventAnswer, _ sync: PeriodicSync, _ timing: LL.ResponseTiming) -> HCI.ErrorCode? {
    let subevents = timing.subevents
    guard sync.hasHeard(event: answer.requestEvent, subevent: answer.requestSubevent) else { return .tooEarly }
    // One that is before the request in an event is in the next one.
    let event = answer.requestEvent &+ (answer.subevent < answer.requestSubevent ? 1 : 0)
    let start =
      sync.start(event: event, subevent: answer.subevent, after: subevents.span(toSlot: Int(answer.slot)))
    if start < timeline.now + Self.interFrameSpace { return .tooLate }
    if let known = responses.first(where: {
      $0.sync === sync && $0.event == event && $0.subevent == answer.subevent && $0.slot == answer.slot && !$0.isBegun
    }) {
      known.data = answer.data
      return nil
    }
    guard responses.count(where: { $0.sync === sync }) < Self.mostResponses else { return .memoryCapacityExceeded }
    responseNumber += 1
    let response = SubeventResponse(responseNumber, sync, answer, event: event, to: timing.accessAddress)
    response.handle = schedule(.responseStart, sync.radio.index, at: start, argument: response.number)
    responses.append(response)
    return nil
  }

  /// Its slot begins: it is sent, unless the radio is busy or needed for a link.
  func responseStart(_ number: UInt64) {
    guard let response = responses.first(where: { $0.number == number }) else { return }
    response.handle = nil
    let (sync, radio, now) = (response.sync, response.sync.radio, timeline.now)
    let octets = sync.response(response.data, power: radio.controller.transmitPower).octets
    let pdu = replacement(forAdvertising: octets, radio) ?? octets
    let time = SimDuration.nanoseconds(LL.airTime(payloadLength: pdu.count - 2, phy: sync.phy))
    guard !sync.isOver, hasTime(radio, from: now, to: now + time) else {
      return responses.removeAll { $0 === response }
    }
    (response.isBegun, response.start, response.pdu) = (true, now, pdu)
    response.channelIndex = sync.channel(event: response.event, subevent: response.subevent)
    let end = send(pdu, from: radio, on: response.channelIndex, sync.phy, at: now)
    startOfResponse(response, until: end)
    response.handle = schedule(.responseEnd, radio.index, at: end, argument: number)
  }

  func responseEnd(_ number: UInt64) {
    guard let place = responses.firstIndex(where: { $0.number == number }) else { return }
    endOfResponse(responses.remove(at: place))
  }

  /// The train is no longer followed; what is on the air goes to its end.
  func forgetResponses(_ sync: PeriodicSync) {
    for response in responses where response.sync === sync && !response.isBegun {
      if let handle = response.handle { timeline.cancel(handle) }
    }
    responses.removeAll { $0.sync === sync && !$0.isBegun }
  }
}
