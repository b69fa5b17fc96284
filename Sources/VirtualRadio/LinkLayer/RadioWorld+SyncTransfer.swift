import BluetoothWire
import SimKernel

/// Periodic Advertising Sync Transfer (Vol 6, Part B, 5.1.13): one end tells the other where a train is, and the other
/// one looks for it without a scan.
extension RadioWorld {
  /// How far from the present an event may be that a peer counts from: no PDU is on its way for longer than a link
  /// lives without one. *Decision*.
  private static let longestTransfer = SimDuration.seconds(40)

  func beginSyncTransfer(_ source: SyncSource, service: UInt16, _ end: LinkEnd, _ c: Connection) {
    if c.isParked { unpark(c) }
    guard let (transfer, timing) = transfer(source, service: service, end, c) else { return finishProcedure(end, c) }
    send(timing.map { .periodicSyncWRInd(transfer, $0) } ?? .periodicSyncInd(transfer), end, c)
  }

  /// What LL_PERIODIC_SYNC_IND says that is queued now; nil: the train is no longer there. The offset leads to the
  /// first AUX_SYNC_IND that comes a millisecond after the anchor of this event, or later.
  private func transfer(
    _ source: SyncSource, service: UInt16, _ end: LinkEnd, _ c: Connection
  ) -> (LL.SyncTransfer, LL.ResponseTiming?)? {
    let radio = end.radio
    let timing: LL.ResponseTiming?
    var transfer: LL.SyncTransfer
    let last: SimInstant
    func made(_ info: LL.SyncInfo, _ sid: UInt8, _ phy: LL.AirPHY, _ advertiser: BluetoothAddress) -> LL.SyncTransfer {
      LL.SyncTransfer(
        id: service, syncInfo: info, eventCounter: c.eventCounter, sid: sid,
        sleepClockAccuracy: radio.clockAccuracyCode, phy: phy.phy.mask.rawValue, advertiser: advertiser)
    }
    switch source {
    case .sync(let handle):
      guard let sync = syncs.first(where: { $0.radio === radio && $0.handle == handle && $0.isEstablished }) else {
        return nil
      }
      let next = sync.event(from: c.anchor + .milliseconds(1))
      var info = sync.info
      info.eventCounter = next.counter
      info.point(after: radio.ownTime(next.start - c.anchor).nanoseconds)
      transfer = made(info, sync.advertiser.sid, sync.phy, sync.advertiser.address)
      (transfer.lastTrainCounter, last, timing) = (sync.counter, sync.reference, sync.timing)
    case .set(let handle):
      guard let set = radio.controller.advertisingSet(handle), let train = set.train, train.isOnAir,
        let extended = set.setup.extended
      else { return nil }
      transfer = made(syncInfo(set, train, from: c.anchor), extended.sid, train.phy, set.address)
      transfer.lastTrainCounter = train.counter &- 1
      last = train.nextStart - radio.trueTime(train.interval)
      timing = train.plan.map { .init(accessAddress: $0.accessAddress, subevents: $0.timing) }
    }
    let events = (c.anchor - last).nanoseconds / c.step.nanoseconds
    transfer.syncEventCounter = c.eventCounter &- UInt16(truncatingIfNeeded: events)
    return (transfer, timing)
  }

  /// The peer has told of a train: its anchor is known, and from there the offset, by the sender's clock.
  /// - Parameter timing: that of its subevents.
  func receive(_ transfer: LL.SyncTransfer, _ timing: LL.ResponseTiming?, _ end: LinkEnd, _ c: Connection) {
    let configuration = end.radio.configuration
    guard configuration.supportsSyncTransfer, timing == nil || configuration.supportsPeriodicResponses else {
      let opcode = timing == nil ? LL.ControlOpcode.periodicSyncInd : LL.ControlOpcode.periodicSyncWRInd
      return send(.unknownRsp(opcode: opcode), end, c)
    }
    let (controller, info) = (end.radio.controller, transfer.syncInfo)
    let since = Int64(Int16(bitPattern: c.eventCounter &- transfer.eventCounter))
    guard let span = info.span, abs(since) * c.step.nanoseconds <= Self.longestTransfer.nanoseconds,
      let phy = HCI.PHY(HCI.PHYMask(rawValue: transfer.phy)),
      controller.supportedPHYs.contains(phy.mask),
      let sync = controller.newSync(of: transfer, timing, end, on: LL.AirPHY(phy, coding: .s8))
    else { return }
    // How long ago the sender has heard the train itself, by the train's clock and its own.
    let events = Int64(info.eventCounter &- transfer.lastTrainCounter)
    let unheard = SimDuration.microseconds(1_250) * (Int64(info.interval) * events)
    let sender = Radio.partsPerMillion(clockAccuracyCode: transfer.sleepClockAccuracy)
    let claimed = sender + Radio.partsPerMillion(clockAccuracyCode: info.sleepClockAccuracy)
    // A window that is wider than the interval says nothing.
    let widest = SimDuration.microseconds(1_250).nanoseconds * Int64(info.interval) / 2
    let slack = min(unheard.nanoseconds / 1_000_000 * claimed + span / 1_000_000 * sender, widest)
    begin(sync, at: c.anchor - c.step * since, span: .nanoseconds(span), slack: .nanoseconds(slack))
  }
}

/// Which train a host wants its peer to know.
enum SyncSource: Equatable {
  /// One that the controller is synchronised with.
  case sync(HCI.SyncHandle)
  /// Its own.
  case set(HCI.AdvertisingHandle)
}
