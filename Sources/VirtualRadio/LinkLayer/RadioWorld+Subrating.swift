import BluetoothWire
import SimKernel

/// Connection subrating (Vol 6, Part B, 4.5.1, 5.1.19, 5.1.20). Each end goes by what it knows: between LL_SUBRATE_IND
/// and its acknowledgement they use different events.
///
/// Events that neither end uses are passed at once, whether idle events are stepped or skipped: nothing that happens
/// between two events can make one of them used.
extension RadioWorld {
  // MARK: Events

  /// Whether an end sends or listens in the present event, as far as subrating goes.
  func uses(_ end: LinkEnd, _ c: Connection) -> Bool {
    if c.forcedEvent == c.eventNumber || c.isBeforeUpdate(of: end) || end.subrating.events.contains(c.eventNumber) {
      return true
    }
    func continues(_ subrating: Subrating) -> Bool {
      subrating.events.continues(c.eventNumber, after: end.activeEvent)
    }
    guard let next = transition(end, c) else { return continues(end.subrating) }
    return next.events.contains(c.eventNumber) || continues(next)
  }

  /// What a central goes by as well from its first LL_SUBRATE_IND to the acknowledgement: subrate transition mode.
  private func transition(_ end: LinkEnd, _ c: Connection) -> Subrating? {
    end.role == .central && end.inFlight?.opcode == LL.ControlOpcode.subrateInd ? c.subrateUpdate : nil
  }

  /// Whether the central may expect an answer in the present event, however the peripheral saves its power.
  func expectsAnswer(_ c: Connection) -> Bool {
    let central = c.central
    return central.subrating.latency == 0
      && (!c.isSubrated || central.subrating.events.contains(c.eventNumber) && transition(central, c) == nil)
  }

  /// The present event passes if no end uses it.
  func passes(_ c: Connection) -> Bool {
    if c.central.isPresent, uses(c.central, c) { return false }
    if c.peripheral.isPresent, uses(c.peripheral, c) { return false }
    c.pass(1)
    passUnused(c)
    c.handle = scheduleStep(.anchor, c, at: max(c.anchor, timeline.now))
    return true
  }

  /// Goes on to the first event from the present one on that an end uses, or at which both change something.
  func passUnused(_ c: Connection) {
    var next = UInt64.max
    for end in [c.central, c.peripheral] where end.isPresent { next = min(next, nextUsed(end, c)) }
    if let pending = c.pending { next = min(next, c.eventNumber + UInt64(pending.instant &- c.eventCounter)) }
    if next > c.eventNumber, next < .max { c.pass(next - c.eventNumber) }
  }

  private func nextUsed(_ end: LinkEnd, _ c: Connection) -> UInt64 {
    if uses(end, c) { return c.eventNumber }
    var next = end.subrating.events.first(from: c.eventNumber)
    if let update = transition(end, c) { next = min(next, update.events.first(from: c.eventNumber)) }
    guard let pending = c.pending, pending.isUpdate else { return next }
    return min(next, c.eventNumber + UInt64(max(1, pending.instant &- c.eventCounter) - 1))
  }

  // MARK: Procedures

  /// The central announces what it makes of a wish. Where nothing can be made of it any longer, because the interval
  /// has changed, its host is told, or the peripheral that has asked.
  func beginSubrateUpdate(_ wish: HCI.SubrateParameters, _ end: LinkEnd, _ c: Connection, isOwn: Bool) {
    if c.isParked { unpark(c) }
    guard let next = Subrating(wish, interval: c.intervalUnits, from: c.eventNumber) else {
      let reason = HCI.ErrorCode.unsupportedLLParameterValue
      if isOwn {
        reportSubrate(end, status: reason)
      } else {
        send(.rejectExtInd(rejectOpcode: LL.ControlOpcode.subrateReq, errorCode: reason), end, c)
      }
      return finishProcedure(end, c)
    }
    c.subrateUpdate = next
    c.noteSubrating()
    send(
      .subrateInd(
        factor: next.factor, baseEvent: c.eventCounter, latency: next.latency, continuationNumber: next.continuation,
        timeout: next.timeoutUnits), end, c)
  }

  func receiveSubrate(_ end: LinkEnd, _ c: Connection, _ pdu: LL.ControlPDU) {
    guard end.radio.configuration.supportsSubrating else { return send(.unknownRsp(opcode: pdu.opcode), end, c) }
    switch pdu {
    case .subrateReq(let wish) where end.role == .central: answerSubrate(wish, end, c)
    case .subrateInd(let factor, let base, let latency, let continuation, let timeout) where end.role == .peripheral:
      guard
        let next = Subrating(
          factor: factor, baseEvent: base, latency: latency, continuation: continuation, timeout: timeout,
          interval: c.intervalUnits, receivedIn: c.eventNumber)
      else { return send(.rejectExtInd(rejectOpcode: pdu.opcode, errorCode: .invalidLLParameters), end, c) }
      guard case .subrateRequest? = end.procedure else { return take(next, end, c, isOwn: false) }
      take(next, end, c, isOwn: true)
      finishProcedure(end, c)
    default: send(.unknownRsp(opcode: pdu.opcode), end, c)
    }
  }

  /// The peripheral asks: the central updates, or says why not.
  private func answerSubrate(_ wish: HCI.SubrateParameters, _ end: LinkEnd, _ c: Connection) {
    let controller = end.radio.controller
    func refuse(_ reason: HCI.ErrorCode) {
      send(.rejectExtInd(rejectOpcode: LL.ControlOpcode.subrateReq, errorCode: reason), end, c)
    }
    guard wish.areValid else { return refuse(.invalidLLParameters) }
    guard controller.hostSettings.has(Controller.subratingHostBit), end.peerHostSubrates == true else {
      return refuse(.unsupportedRemoteFeature)
    }
    guard let update = wish.accepted(by: end.acceptedSubrate, interval: c.intervalUnits),
      Subrating(update, interval: c.intervalUnits, from: 0) != nil
    else { return refuse(.unsupportedLLParameterValue) }
    guard end.procedures.count < Controller.maximumProcedures else { return refuse(.llProcedureCollision) }
    start(.subrateUpdate(update, isOwn: false), end, c)
  }

  /// LL_SUBRATE_IND of this central was acknowledged.
  func subrateAcknowledged(_ end: LinkEnd, _ c: Connection) {
    guard end.role == .central, let next = c.subrateUpdate else { return }
    c.subrateUpdate = nil
    guard case .subrateUpdate(_, let isOwn)? = end.procedure else { return take(next, end, c, isOwn: false) }
    take(next, end, c, isOwn: isOwn)
    finishProcedure(end, c)
  }

  /// An end goes by new parameters from now on. Its host is told what it asked for, and what has changed.
  private func take(_ next: Subrating, _ end: LinkEnd, _ c: Connection, isOwn: Bool) {
    let isNews = isOwn || next.differs(from: end.subrating)
    end.subrating = next
    c.noteSubrating()
    if isNews { reportSubrate(end, status: .success) }
  }

  func reportSubrate(_ end: LinkEnd, status: HCI.ErrorCode) {
    let subrating = end.subrating
    end.radio.controller.emit(
      .leSubrateChange(
        end.handle, status: status, factor: subrating.factor, peripheralLatency: subrating.latency,
        continuationNumber: subrating.continuation, supervisionTimeout: subrating.timeoutUnits))
  }
}

extension PendingInstant {
  /// Both ends use its event and the one before, whatever their subrating is (5.1.1).
  var isUpdate: Bool { if case .parameters = change { true } else { false } }
}

extension Connection {
  /// Whether the next event is the instant of a connection update that an end knows of.
  fileprivate func isBeforeUpdate(of end: LinkEnd) -> Bool {
    guard let pending, pending.isUpdate, pending.instant == eventCounter &+ 1 else { return false }
    return end.role == .central || pending.isKnownToPeripheral
  }

  func noteSubrating() {
    isSubrated = subrateUpdate != nil || central.subrating.isSubrated || peripheral.subrating.isSubrated
  }

  /// Moves over events in which nothing is sent.
  fileprivate func pass(_ events: UInt64) {
    eventNumber += events
    anchor = anchor + step * Int64(events)
    if usesChannelSelection2 { return }
    var hop = hop
    _ = hop.next(map: channelMap, by: Int(events))
    self.hop = hop
  }
}
