import BluetoothWire
import CaptureCheck

/// A GATT server that a capture shows: one device, on all its links.
struct RecordedServer {
  /// Nil: the capture does not show it.
  var address: BluetoothAddress?
  /// Every address that it had.
  var addresses: [BluetoothAddress] = []
  /// Where it is the captured device itself.
  var isCaptured = false
  var links: [(place: Int, isCentral: Bool)] = []
  /// Answers and values.
  var answers = 0
  /// Index of the first link among all.
  var firstLink = 0

  /// As people name it, and as they write it in a scenario.
  var name: String { address.map { "\($0)" } ?? "the server of link \(firstLink)" }
  var key: String { address.map { "peer: \($0)" } ?? "link: \(firstLink)" }

  /// All servers of a capture, in the order of their first links.
  static func all(in traffic: RecordedTraffic) -> [RecordedServer] {
    var servers: [RecordedServer] = []
    for (place, kept) in traffic.links.enumerated() {
      for isCentral in [false, true] {
        let answers = isCentral ? kept.answers.central : kept.answers.peripheral
        guard answers > 0 else { continue }
        let link = kept.link
        let address = isCentral ? link.central : link.peripheral
        let own = [address, isCentral ? link.centralPrivate : link.peripheralPrivate].compactMap { $0 }
        let known = servers.firstIndex { address != nil && $0.address == address }
        var server = known.map { servers[$0] } ?? RecordedServer(address: address, firstLink: link.index)
        server.addresses += own.filter { !server.addresses.contains($0) }
        server.isCaptured = server.isCaptured || isCaptured(link, isCentral)
        server.links.append((place, isCentral))
        server.answers += answers
        if let known { servers[known] = server } else { servers.append(server) }
      }
    }
    return servers
  }

  private static func isCaptured(_ link: TrafficLink, _ isCentral: Bool) -> Bool {
    switch link.viewpoint {
    case .host(let role): (role == .central) == isCentral
    case .hostOfUnknownRole: isCentral
    case .air: false
    }
  }
}
