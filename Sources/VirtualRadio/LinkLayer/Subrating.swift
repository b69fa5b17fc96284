import BluetoothWire
import SimKernel

/// Which connection events an end uses, and when it gives the link up (Vol 6, Part B, 4.5.1, 4.5.2). LL_SUBRATE_IND
/// changes all of it at once.
struct Subrating: Equatable {
  private(set) var events = LL.SubratedEvents()
  /// `connPeripheralLatency`, in subrated events.
  var latency: UInt16
  /// `connSupervisionTimeout`, units of 10 ms.
  var timeoutUnits: UInt16

  init(latency: UInt16 = 0, timeoutUnits: UInt16 = 0) {
    self.latency = latency
    self.timeoutUnits = timeoutUnits
  }

  /// What a central makes of a wish, from an event on: as few events as it can. Nil where no factor and latency of the
  /// wish leave enough of its timeout.
  init?(_ wish: HCI.SubrateParameters, interval: UInt16, from event: UInt64) {
    let most = min(500, (Int(wish.supervisionTimeout) * 8 - 1) / (2 * Int(interval)))
    let latencies = (0...Int(wish.maximumLatency)).reversed()
    guard let latency = latencies.first(where: { most / ($0 + 1) >= Int(wish.factorMinimum) }) else { return nil }
    self.init(latency: UInt16(latency), timeoutUnits: wish.supervisionTimeout)
    let factor = min(wish.factorMaximum, UInt16(most / (latency + 1)))
    events = LL.SubratedEvents(
      factor: factor, continuation: min(wish.continuationNumber, factor - 1), from: event)
  }

  /// What LL_SUBRATE_IND says that came in an event; nil: a central must not say it.
  init?(
    factor: UInt16, baseEvent: UInt16, latency: UInt16, continuation: UInt16, timeout: UInt16, interval: UInt16,
    receivedIn event: UInt64
  ) {
    let wish = HCI.SubrateParameters(
      factorMinimum: factor, factorMaximum: factor, maximumLatency: latency, continuationNumber: continuation,
      supervisionTimeout: timeout)
    guard wish.areValid, wish.fits(interval: interval),
      let events = LL.SubratedEvents(
        factor: factor, continuation: continuation, base: baseEvent, receivedIn: event)
    else { return nil }
    self.init(latency: latency, timeoutUnits: timeout)
    self.events = events
  }

  var factor: UInt16 { events.factor }
  var continuation: UInt16 { events.continuation }
  var isSubrated: Bool { events.areSubrated }

  /// A new interval: every event is used (5.1.1).
  mutating func restart() { events = LL.SubratedEvents() }

  /// Whether a host has something to be told.
  func differs(from other: Subrating) -> Bool {
    (factor, continuation, latency, timeoutUnits)
      != (other.factor, other.continuation, other.latency, other.timeoutUnits)
  }
}

extension HCI.SubrateParameters {
  /// Until a host says another: every event, and any timeout (Vol 4, Part E, 7.8.123).
  static let initial = HCI.SubrateParameters(factorMinimum: 1, factorMaximum: 1, supervisionTimeout: 3_200)

  /// Ranges of Vol 4, Part E, 7.8.123.
  var areValid: Bool {
    factorMinimum >= 1 && factorMinimum <= factorMaximum && Int(factorMaximum) * (Int(maximumLatency) + 1) <= 500
      && continuationNumber < factorMaximum && (10...3_200).contains(supervisionTimeout)
  }

  /// Whether the timeout is longer than two waits of the longest kind (7.8.124). The interval has units of 1.25 ms.
  func fits(interval: UInt16) -> Bool { hasTime(factorMaximum, interval) }

  fileprivate func hasTime(_ factor: UInt16, _ interval: UInt16) -> Bool {
    2 * Int(interval) * Int(factor) * (Int(maximumLatency) + 1) < Int(supervisionTimeout) * 8
  }

  /// What a central may do that a peripheral asks, where its host has said what it accepts; nil: nothing (Vol 6, Part
  /// B, 5.1.20).
  func accepted(by host: Self, interval: UInt16) -> Self? {
    guard maximumLatency <= host.maximumLatency, supervisionTimeout <= host.supervisionTimeout,
      factorMaximum >= host.factorMinimum, factorMinimum <= host.factorMaximum, hasTime(factorMinimum, interval)
    else { return nil }
    return HCI.SubrateParameters(
      factorMinimum: max(factorMinimum, host.factorMinimum), factorMaximum: min(factorMaximum, host.factorMaximum),
      maximumLatency: maximumLatency, continuationNumber: max(continuationNumber, host.continuationNumber),
      supervisionTimeout: supervisionTimeout)
  }
}
