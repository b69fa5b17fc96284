/// Observers one after the other. Constants of an object that is alive are called without counting references, which
/// elements of an array are not.
final class ObserverChain {
  private let observer: any TrafficObserver
  private let next: ObserverChain?

  /// Nil when there are none.
  convenience init?(_ observers: [any TrafficObserver]) {
    self.init(observers[...])
  }

  private init?(_ observers: ArraySlice<any TrafficObserver>) {
    guard let observer = observers.first else { return nil }
    self.observer = observer
    next = ObserverChain(observers.dropFirst())
  }

  func tell(_ event: TrafficEvent) {
    observer.observe(event)
    if let next { next.tell(event) }
  }

  func tell(att pdu: TrafficPDU) {
    observer.observe(att: pdu)
    if let next { next.tell(att: pdu) }
  }

  func tell(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    observer.observe(fragment: pdu, header)
    if let next { next.tell(fragment: pdu, header) }
  }
}
