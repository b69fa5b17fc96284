import SimKernel

/// What is called one after the other, without counting references, which elements of an array are
/// (Docs/Decisions/0018).
final class CallList<Callee> {
  /// An object for each, because a `Roster` holds objects of one class.
  private final class Place {
    let callee: Callee
    init(_ callee: Callee) { self.callee = callee }
  }

  private let places = Roster<Place>()

  init(_ callees: some Sequence<Callee>) {
    for callee in callees { places.append(Place(callee)) }
  }

  var isEmpty: Bool { places.isEmpty }

  @inline(__always)
  func forEach(_ call: (Callee) -> Void) {
    for index in 0..<places.count { places.with(index) { call($0.callee) } }
  }
}

/// Observers one after the other.
typealias ObserverChain = CallList<any TrafficObserver>

extension ObserverChain {
  func tell(_ event: TrafficEvent) { forEach { $0.observe(event) } }
  func tell(att pdu: TrafficPDU) { forEach { $0.observe(att: pdu) } }
  func tell(network event: TrafficNetworkEvent) { forEach { $0.observe(network: event) } }
  func tell(event: TrafficHCIEvent) { forEach { $0.observe(event: event) } }
  func tell(fragment pdu: TrafficPDU, _ header: LinkFragment) { forEach { $0.observe(fragment: pdu, header) } }
}
