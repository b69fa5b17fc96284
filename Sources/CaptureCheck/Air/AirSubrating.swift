import BluetoothWire

/// Which events of a subrated connection are in use, as the air tells it.
///
/// Spec: Core v5.4, Vol 6, Part B, 4.5.1, 5.1.19.
struct AirSubrating {
  private var events: LL.SubratedEvents
  var latency: UInt16
  var timeout: UInt16

  /// What LL_SUBRATE_IND says that came in an event; nil: a factor of 0, or no counter.
  init?(factor: UInt16, base: UInt16, latency: UInt16, continuation: UInt16, timeout: UInt16, counter: Int?) {
    guard let counter, counter >= 0,
      let events = LL.SubratedEvents(
        factor: factor, continuation: continuation, base: base, receivedIn: UInt64(counter))
    else { return nil }
    (self.events, self.latency, self.timeout) = (events, latency, timeout)
  }

  /// Whether an event between two is in use.
  /// - Parameter active: the newest one with a payload.
  func usesEvent(after first: Int, before last: Int, active: Int?) -> Bool {
    guard first >= 0, first + 1 < last else { return false }
    let next = UInt64(first + 1)
    if events.first(from: next) < UInt64(last) { return true }
    guard let active, active >= 0 else { return false }
    return events.continues(next, after: UInt64(active))
  }
}

extension AirConnection {
  /// Events from that of the PDU before to that of the newest; 1 where none between them is in use; nil: not counted.
  /// While the ends use different events, all count.
  var usedStep: Int? {
    guard let step = clock.step, step > 1, let subrating, pendingSubrating == nil, let counter = clock.counter else {
      return clock.step
    }
    return subrating.usesEvent(after: counter - step, before: counter, active: activeEvent) ? step : 1
  }
}

extension AirFollower {
  /// Both ends have LL_SUBRATE_IND: the central goes by it from its acknowledgement on.
  func takeSubrating(_ link: TrafficLink, _ air: AirConnection) {
    guard let next = air.pendingSubrating, air.central.isAcknowledged else { return }
    (air.pendingSubrating, air.subrating) = (nil, next)
    if link.peripheralLatency == next.latency, link.supervisionTimeout == next.timeout { return }
    link.peripheralLatency = next.latency
    link.supervisionTimeout = next.timeout
    output.changed(link, .parameters)
  }
}
