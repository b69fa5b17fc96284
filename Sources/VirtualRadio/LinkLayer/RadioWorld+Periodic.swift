import BluetoothWire
import SimKernel

/// The advertiser's side of periodic advertising (Vol 6, Part B, 4.4.2.12): AUX_SYNC_IND at even times of the device's
/// own clock, and the chain of PDUs that continues it.
extension RadioWorld {
  /// Puts the train of a set on the air, where its host has enabled both.
  func startTrain(_ set: Advertiser) {
    guard let train = set.train, train.isEnabled, !train.isOnAir, let extended = set.setup.extended else { return }
    let hasCoded = set.radio.configuration.supportsCoded
    train.begin(
      { newAccessAddress(&$0, hasCoded: hasCoded) }, set.radio.controller.hostChannelMap, extended.secondaryPHY,
      at: timeline.now)
    if let plan = train.plan { beginSubevents(set, plan) }
    awaitTrain(set, train)
  }

  func stopTrain(_ set: Advertiser) {
    guard let train = set.train, train.isOnAir else { return }
    if let handle = train.handle { timeline.cancel(handle) }
    train.handle = nil
    train.isOnAir = false
    if let plan = train.plan { endSubevents(set, plan) }
    loseListeners(train)
  }

  /// What SyncInfo says in a PDU that starts at an instant: the next AUX_SYNC_IND that comes T_MAFS after the longest
  /// PDU, or later.
  func syncInfo(_ set: Advertiser, _ train: PeriodicTrain, from start: SimInstant) -> LL.SyncInfo {
    let interval = set.radio.trueTime(train.interval)
    let earliest = start + Self.longestSpan(train.phy)
    var (next, counter) = (train.nextStart, train.counter)
    while next < earliest { (next, counter) = (next + interval, counter &+ 1) }
    var info = LL.SyncInfo(
      interval: train.parameters.intervalMinimum, channelMap: train.channelMap.bits,
      sleepClockAccuracy: set.radio.clockAccuracyCode, accessAddress: train.accessAddress, crcInit: train.crcInit,
      eventCounter: counter)
    info.point(after: set.radio.ownTime(next - start).nanoseconds)
    return info
  }

  /// Goes on to the next periodic advertising event, or subevent.
  private func awaitTrain(_ set: Advertiser, _ train: PeriodicTrain) {
    let interval = set.radio.trueTime(train.interval)
    train.kind = train.firstKind
    let start: SimInstant
    if let plan = train.plan {
      start = nextSubevent(set, train, plan)
    } else {
      while train.nextStart < timeline.now { train.skip(before: interval) }
      start = train.nextStart
    }
    train.handle = schedule(.periodicPDU, set.radio.index, at: start, argument: UInt64(set.index))
  }

  /// Sends AUX_SYNC_IND, AUX_SYNC_SUBEVENT_IND or AUX_CHAIN_IND, unless the radio is busy or needed for a link.
  func periodicPDU(_ set: Advertiser) {
    guard let train = set.train else { return }
    train.handle = nil
    let (radio, now) = (set.radio, timeline.now)
    if train.isFirst {
      if let plan = train.plan {
        beginSubevent(set, train, plan)
      } else {
        train.beginEvent(before: radio.trueTime(train.interval))
      }
      train.listeners = syncs.filter { $0.info.accessAddress == train.accessAddress && !$0.listens }
    }
    let pdu = nextPDU(set, train)
    let worst = now + .nanoseconds(LL.airTime(payloadLength: pdu.payloadLength, phy: train.phy))
    guard hasTime(radio, from: now, to: worst) else {
      loseListeners(train)
      if let plan = train.plan { leaveOut(set, plan) }
      return awaitTrain(set, train)
    }
    train.pdu = replacement(forAdvertising: pdu.octets, radio) ?? pdu.octets
    train.pduStart = now
    train.plan?.isOnAir = true
    let end = send(train.pdu, from: radio, on: train.channelIndex, train.phy, at: now)
    for sync in train.listeners { hold(sync, train, until: end) }
    train.handle = schedule(.periodicEnd, radio.index, at: end, argument: UInt64(set.index))
  }

  /// The next PDU of the train, with as much of the data as fits.
  private func nextPDU(_ set: Advertiser, _ train: PeriodicTrain) -> LL.ExtendedPDU {
    var pdu = train.head(of: train.kind, power: set.radio.controller.transmitPower)
    train.chain = nil
    if train.plan == nil, train.rest.count > pdu.room {
      let start = timeline.now + Self.longestSpan(train.phy)
      let channelIndex = train.drawChannel()
      train.chain = (channelIndex, start)
      pdu.pointer = LL.ExtendedPDU.Pointer(
        to: channelIndex, after: set.radio.ownTime(start - timeline.now).nanoseconds,
        isAccurate: set.radio.claimedAccuracy <= 50, phy: train.phy.phy)
    }
    let count = min(pdu.room, train.rest.count)
    pdu.data = Array(train.rest.prefix(count))
    train.rest.removeFirst(count)
    return pdu
  }

  /// The PDU is over: whoever has heard it reports it.
  func periodicEnd(_ set: Advertiser) {
    guard let train = set.train else { return }
    train.handle = nil
    let (listeners, now) = (train.listeners, timeline.now)
    train.listeners.removeAll(keepingCapacity: true)
    let pdu = try? LL.ExtendedPDU(decoding: train.pdu, as: train.kind)
    var heardBy: [AirPDU.Listener] = []
    var isHeard = false
    for sync in listeners where sync.listens || train.kind == .auxChainInd {
      let radio = sync.radio
      guard sync.listens else {
        lose(sync, train)
        continue
      }
      let fate =
        radio.isOn && set.radio.isOn
        ? medium.judge(
          from: set.radio.index, to: radio.index, channel: Int(LL.rfChannel(dataChannelIndex: train.channelIndex)),
          start: train.pduStart, end: now, phy: train.phy) : medium.lose(.level, .unheard)
      if wantsAir { heardBy.append(listener(radio.index, fate, from: set, on: train.phy)) }
      isHeard = isHeard || fate == .received
      hear(sync, fate == .received ? pdu : nil, isNoticed: fate != .unheard, train, of: set)
    }
    traceAdvertising(
      set.radio, pdu: train.pdu, start: train.pduStart, end: now, channelIndex: train.channelIndex, phy: train.phy,
      receiver: nil, fate: isHeard ? .received : .unheard, listeners: heardBy, auxiliary: train.kind,
      accessAddress: train.accessAddress, crcInit: train.crcInit)
    if let plan = train.plan {
      awaitResponses(set, train, plan)
      return awaitTrain(set, train)
    }
    train.kind = .auxChainInd
    guard let chain = train.chain else {
      // A fault may have announced a PDU that does not exist.
      loseListeners(train)
      return awaitTrain(set, train)
    }
    train.channelIndex = chain.channelIndex
    train.handle = schedule(.periodicPDU, set.radio.index, at: max(now, chain.start), argument: UInt64(set.index))
  }

  /// A PDU is not sent, or is broken off. Those that wait for AUX_SYNC_IND go by their own clocks.
  func loseListeners(_ train: PeriodicTrain) {
    let listeners = train.listeners
    train.listeners.removeAll(keepingCapacity: true)
    for sync in listeners where sync.listens || train.kind == .auxChainInd { lose(sync, train) }
  }

  private func lose(_ sync: PeriodicSync, _ train: PeriodicTrain) {
    sync.listens = false
    if sync.isOver { return }
    if train.isFirst { return miss(sync) }
    if sync.reports { sync.radio.controller.report(sync, nil, isFollowed: false) }
  }
}
