import BluetoothWire
import SimKernel

/// A train that a scanner follows, or tries to (Vol 6, Part B, 4.4.3.4 and 4.4.5).
final class PeriodicSync {
  /// Events in a row that are missed before the first one comes in.
  static let establishmentLimit = 6

  let handle: HCI.SyncHandle
  unowned(unsafe) let radio: Radio
  let advertiser: HCI.PeriodicAdvertiser
  let address: HCI.PeerAddress
  let info: LL.SyncInfo
  let phy: LL.AirPHY
  /// Its subevents and slots; nil: an ordinary train, or one whose subevents this controller does not know.
  let timing: LL.ResponseTiming?
  /// Events that it leaves out after one that came in.
  let skip: Int
  let timeout: SimDuration
  /// Its host gets reports.
  var reports: Bool
  /// The link and the host's word with which a peer told of the train; nil: SyncInfo came with an advertisement.
  let origin: Origin?
  /// What the newest AUX_SYNC_IND says of its power, dBm; 127: nothing.
  var txPower: Int8 = 127
  var isEstablished = false
  var isOver = false
  private let map: LL.ChannelMap
  /// What the times of events follow from: an instant, the time from there to an event by the advertiser's clock, how
  /// much later it may be, and the counter of that event.
  private(set) var reference = SimInstant.zero
  private var base = SimDuration.zero
  private var unit = SimDuration.zero
  private(set) var counter: UInt16
  /// How much longer it listens at both ends before the first event that it hears, for what others' clocks may be off.
  private var slack = SimDuration.zero
  /// How many events after that one the next is that it listens to.
  private var next: Int64 = 0
  /// Subevents that it listens to, in order: the first one, until its host chooses others. Decision.
  private var subevents: [UInt8] = [0]
  /// Its host has chosen them.
  private(set) var hasChosen = false
  /// Responses carry TxPower.
  var responsesHavePower = false
  /// The one to which it listens next, and that from whose start times count.
  private(set) var subevent: UInt8 = 0
  private(set) var heardSubevent: UInt8 = 0
  private(set) var misses = 0
  /// Where it listens, and at what times AUX_SYNC_IND may begin.
  private var channelIndex: UInt8 = 0
  private(set) var from = SimInstant.zero
  private(set) var to = SimInstant.zero
  /// It was free when the PDU on the air began, and nothing else needs it before the end.
  var listens = false
  /// The end of the window, and of the sync timeout.
  var window: EventHandle?
  var supervision: EventHandle?

  /// - Parameters:
  ///   - skip: at most; one that leaves no event within the timeout is shortened.
  ///   - timeout: units of 10 ms.
  init(
    _ handle: HCI.SyncHandle, _ radio: Radio, _ advertiser: HCI.PeriodicAdvertiser, _ address: HCI.PeerAddress,
    _ info: LL.SyncInfo, on phy: LL.AirPHY, skip: UInt16, timeout: UInt16, reports: Bool,
    origin: Origin? = nil, _ timing: LL.ResponseTiming? = nil
  ) {
    self.handle = handle
    self.radio = radio
    self.advertiser = advertiser
    self.address = address
    self.info = info
    self.phy = phy
    self.reports = reports
    self.origin = origin
    self.timing = timing
    self.timeout = .milliseconds(10) * Int64(timeout)
    map = LL.ChannelMap(bits: info.channelMap)
    counter = info.eventCounter
    let interval = SimDuration.microseconds(1_250) * Int64(max(1, info.interval))
    let within = (self.timeout.nanoseconds - 1) / interval.nanoseconds - 1
    self.skip = Int(min(Int64(skip), max(0, within)))
  }

  struct Origin {
    var connection: HCI.ConnectionHandle
    var serviceData: UInt16
  }

  private var interval: SimDuration { .microseconds(1_250) * Int64(info.interval) }

  /// SyncInfo came with a PDU that began at an instant.
  /// - Parameters:
  ///   - span: to the earliest start of the event with its counter, by the advertiser's clock.
  ///   - slack: how much more than by two clocks it may be off.
  func begin(at instant: SimInstant, span: SimDuration, slack: SimDuration = .zero) {
    (reference, base, unit, self.slack) = (instant, span, .nanoseconds(info.unit), slack)
  }

  /// Leaves out events whose window is over.
  func pass(until now: SimInstant) {
    while true {
      aim(at: .zero)
      if to >= now { return }
      advance(events: 1)
    }
  }

  /// The next subevent of the same event, or the first one of another.
  private func advance(events: Int64) {
    if let later = subevents.first(where: { $0 > subevent }) {
      subevent = later
    } else {
      subevent = subevents[0]
      next += events
    }
  }

  /// Its host wants other subevents, from the next one on.
  /// - Parameter list: not empty, in order.
  func choose(_ list: [UInt8]) { (subevents, hasChosen) = (list, true) }

  /// Looks again for the first one of its subevents whose window is not over.
  func turnBack(until now: SimInstant) {
    (next, subevent) = (0, subevents[0])
    pass(until: now)
  }

  /// From the start of an event to that of one of its subevents, by the advertiser's clock.
  private func span(to subevent: UInt8) -> SimDuration { timing?.subevents.span(toSubevent: subevent) ?? .zero }

  /// The counter of the event that it listens to next.
  var nextCounter: UInt16 { counter &+ UInt16(truncatingIfNeeded: next) }

  /// Whether a subevent is not later than the newest one that it has heard.
  func hasHeard(event: UInt16, subevent: UInt8) -> Bool {
    let distance = Int16(bitPattern: event &- counter)
    return distance < 0 || distance == 0 && subevent <= heardSubevent
  }

  /// When something after the start of a subevent is, as far as this radio's clock tells.
  func start(event: UInt16, subevent: UInt8, after span: SimDuration) -> SimInstant {
    let distance = Int64(Int16(bitPattern: event &- counter))
    return reference + radio.trueTime(base + interval * distance + self.span(to: subevent) + span)
  }

  func channel(event: UInt16, subevent: UInt8) -> UInt8 {
    LL.ChannelSelection2.channel(
      eventCounter: event, subevent: subevent, accessAddress: info.accessAddress, map: map)
  }

  /// AUX_SYNC_SUBEVENT_RSP with data.
  func response(_ data: [UInt8], power: Int8) -> LL.ExtendedPDU {
    var pdu = LL.ExtendedPDU()
    if responsesHavePower { pdu.txPower = power }
    pdu.data = data
    return pdu
  }

  /// The first event from an instant on, as far as this radio's clock tells.
  func event(from instant: SimInstant) -> (start: SimInstant, counter: UInt16) {
    var ahead: Int64 = 0
    while reference + radio.trueTime(base + interval * ahead) < instant { ahead += 1 }
    return (
      reference + radio.trueTime(base + interval * ahead), counter &+ UInt16(truncatingIfNeeded: ahead)
    )
  }

  /// Aims at the next event that it listens to. It listens longer at both ends by what two clocks may be off (4.2.4).
  func aim(at now: SimInstant) {
    let span = base + interval * next + self.span(to: subevent)
    let widening =
      radio.widening(after: span, peer: Radio.partsPerMillion(clockAccuracyCode: info.sleepClockAccuracy)) + slack
    from = max(now, reference + radio.trueTime(span) - widening)
    to = max(now, reference + radio.trueTime(span + unit) + widening)
    assert(from <= to, "a window ends after it has begun")
    channelIndex = channel(event: nextCounter, subevent: subevent)
  }

  func awaits(_ train: PeriodicTrain, at start: SimInstant) -> Bool {
    train.isFirst && train.channelIndex == channelIndex && train.phy.phy == phy.phy && from <= start
      && start <= to
  }

  /// AUX_SYNC_IND began at an instant: times count from there.
  /// - Parameter isValid: it came in whole.
  func heard(at start: SimInstant, isValid: Bool) {
    (reference, base, unit, slack) = (start, .zero - span(to: subevent), .zero, .zero)
    (counter, heardSubevent, next) = (nextCounter, subevent, 0)
    advance(events: isValid ? Int64(skip) + 1 : 1)
    misses = isValid ? 0 : misses + 1
  }

  func missed() {
    misses += 1
    advance(events: 1)
  }

  /// What its host is told when it is there, or is not to be.
  func event(_ status: HCI.ErrorCode) -> HCI.PeriodicSyncEstablished {
    var event = HCI.PeriodicSyncEstablished(status: status, address: address)
    event.handle = handle
    event.sid = advertiser.sid
    event.phy = HCI.AdvertisingPHY(phy.phy.rawValue)
    event.interval = info.interval
    event.clockAccuracy = info.sleepClockAccuracy
    return event
  }
}
