import BluetoothWire
import SimKernel

/// The scanner's side of periodic advertising (Vol 6, Part B, 4.4.3.4 and 4.4.5): it learns of a train by SyncInfo, and
/// listens in windows of its own clock until its host has enough or the sync timeout is over.
///
/// A radio that listens is kept from everything else for the PDU itself; links go before it.
extension RadioWorld {
  /// AUX_ADV_IND came in: perhaps a train begins in it that the host waits for.
  func synchronise(
    _ listener: Radio, _ pdu: LL.ExtendedPDU, _ peer: Controller.PeerIdentity, of set: Advertiser
  ) {
    guard listener.scanner.isReceiving, let info = pdu.syncInfo, let span = info.span, let sid = pdu.dataInfo?.sid,
      let sync = listener.controller.newSync(info, sid, peer, on: set.phy, pdu.controllerData)
    else { return }
    begin(sync, at: set.pduStart, span: .nanoseconds(span))
  }

  func begin(_ sync: PeriodicSync, at instant: SimInstant, span: SimDuration, slack: SimDuration = .zero) {
    syncs.append(sync)
    sync.begin(at: instant, span: span, slack: slack)
    sync.pass(until: timeline.now)
    awaitNext(sync)
  }

  func awaitNext(_ sync: PeriodicSync) {
    sync.aim(at: timeline.now)
    sync.window = schedule(
      .syncWindow, sync.radio.index, at: sync.to + Self.detection(sync.phy), argument: UInt64(sync.handle))
  }

  private func sync(_ radio: Int, _ handle: UInt64) -> PeriodicSync? {
    syncs.first { $0.radio.index == radio && $0.handle == handle }
  }

  /// A PDU of the train begins.
  func hold(_ sync: PeriodicSync, _ train: PeriodicTrain, until end: SimInstant) {
    let (radio, now) = (sync.radio, timeline.now)
    let isExpected = train.kind == .auxChainInd || sync.awaits(train, at: now)
    sync.listens = hasTime(radio, from: now, to: end) && isExpected && !sync.isOver
    guard sync.listens else { return }
    radio.busyUntil = end
    if train.isFirst, let window = sync.window {
      timeline.cancel(window)
      sync.window = nil
    }
  }

  /// A PDU to which it has listened is over.
  /// - Parameters:
  ///   - pdu: nil: it did not come in whole.
  ///   - isNoticed: its beginning did.
  func hear(
    _ sync: PeriodicSync, _ pdu: LL.ExtendedPDU?, isNoticed: Bool, _ train: PeriodicTrain, of set: Advertiser
  ) {
    sync.listens = false
    let now = timeline.now
    let start = train.isFirst ? sync.from : train.pduStart
    sync.radio.meter.add(transmit: .zero, receive: now - start, from: start, to: now)
    let controller = sync.radio.controller
    if sync.isOver { return }
    if train.isFirst {
      guard isNoticed else { return miss(sync) }
      sync.heard(at: train.pduStart, isValid: pdu != nil)
      guard let pdu else {
        controller.reportMissed(sync, event: sync.counter, subevent: sync.heardSubevent)
        return unlessFailed(sync)
      }
      sync.txPower = pdu.txPower ?? 127
      superviseAgain(sync)
      if !sync.isEstablished { controller.established(sync) }
      awaitNext(sync)
    }
    // A host that has no reports has no part of one either.
    guard sync.reports else { return }
    let isFollowed = pdu?.pointer != nil
    let level = controller.atAntenna(rssi(from: set.radio.index, to: sync.radio.index))
    controller.report(sync, pdu, isFollowed: isFollowed, rssi: level)
    if isFollowed { train.listeners.append(sync) }
  }

  private func superviseAgain(_ sync: PeriodicSync) {
    if let supervision = sync.supervision { timeline.cancel(supervision) }
    sync.supervision = schedule(
      .syncTimeout, sync.radio.index, at: timeline.now + sync.radio.trueTime(sync.timeout),
      argument: UInt64(sync.handle))
  }

  /// The window is over without AUX_SYNC_IND.
  func syncWindowEnds(_ radio: Int, _ handle: UInt64) {
    guard let sync = sync(radio, handle) else { return }
    sync.window = nil
    if sync.radio.isOn, sync.radio.busyUntil <= sync.from {
      sync.radio.meter.add(
        transmit: .zero, receive: timeline.now - sync.from, from: sync.from, to: timeline.now)
    }
    miss(sync)
  }

  /// An event to which it wanted to listen has not come in.
  func miss(_ sync: PeriodicSync) {
    sync.radio.controller.reportMissed(sync, event: sync.nextCounter, subevent: sync.subevent)
    sync.missed()
    unlessFailed(sync)
  }

  private func unlessFailed(_ sync: PeriodicSync) {
    if sync.isEstablished || sync.misses < PeriodicSync.establishmentLimit { return awaitNext(sync) }
    end(sync)
    sync.radio.controller.failed(sync)
  }

  func syncTimeout(_ radio: Int, _ handle: UInt64) {
    guard let sync = sync(radio, handle) else { return }
    sync.supervision = nil
    end(sync)
    sync.radio.controller.emit(.periodic(.lePeriodicAdvertisingSyncLost(sync.handle)))
  }

  func end(_ sync: PeriodicSync) {
    for handle in [sync.window, sync.supervision] {
      if let handle { timeline.cancel(handle) }
    }
    (sync.window, sync.supervision, sync.isOver) = (nil, nil, true)
    forgetResponses(sync)
    syncs.removeAll { $0 === sync }
  }
}
