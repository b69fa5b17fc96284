import AppSeam
import Bench
import BluetoothWire
import Conformance
import SimKernel

/// Who is who and which links there are, with what measures need of each link.
final class MeasuredRun: RunState {
  /// All that are up, and those that have ended and are not counted yet.
  private(set) var links: [MeasuredLink] = []

  init(header: TraceHeader) {
    super.init(
      header: header, parties: header.devices.enumerated().map { DeviceState(index: $0.offset, device: $0.element) })
  }

  override func makeLink(
    id: LinkID, owner: DeviceState, peer: DeviceState?, address: BluetoothAddress, openedAt: SimInstant
  ) -> LinkState {
    let link = MeasuredLink(id: id, owner: owner, peer: peer, address: address, openedAt: openedAt)
    links.append(link)
    return link
  }

  func link(_ id: LinkID, of device: Int) -> MeasuredLink? { parties[device].link(id) as? MeasuredLink }

  /// Takes out the links that have ended.
  func takeEnded() -> [MeasuredLink] {
    if links.allSatisfy(\.isUp) { return [] }
    defer { links.removeAll { !$0.isUp } }
    return links.filter { !$0.isUp }
  }
}

/// One end of a link.
final class MeasuredLink: LinkState {
  /// A packet whose first value its app has tried to send.
  struct Packet {
    var id: Int
    var begun: SimInstant
  }

  /// Packets of this end that have not arrived, oldest first.
  private(set) var underWay: [Packet] = []
  /// Octets of values that came in.
  var octetsReceived = 0
  /// Since when the platform has taken no more values; nil: it takes them.
  var fullSince: SimInstant?
  /// The platform had no room for the newest value, which the app will offer again.
  var hasRefused = false
  /// The app or a person at this end ended it.
  var isEndedByOrder = false

  /// More are not remembered: nobody has so many under way.
  private static let limit = 4_096

  /// A first value is offered, perhaps not for the first time.
  func begin(_ id: Int, at now: SimInstant) {
    if hasRefused, underWay.last?.id == id { return }
    if underWay.count == Self.limit { underWay.removeFirst() }
    underWay.append(Packet(id: id, begun: now))
  }

  /// The last value of a packet has arrived at the other end.
  /// - Returns: when it was begun; nil for one that nobody has begun.
  func arrive(_ id: Int) -> SimInstant? {
    guard let index = underWay.firstIndex(where: { $0.id == id }) else { return nil }
    return underWay.remove(at: index).begun
  }
}
