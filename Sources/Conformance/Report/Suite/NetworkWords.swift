package import AppSeam
import SimKernel
import VirtualNetwork

/// What passes the app seam of the network beside the radio, in words; texts of others in them are not escaped.
package struct NetworkWords {
  /// Names of devices; one that has none here is called by its number.
  var names: [String] = []

  func of(_ event: NetworkEvent) -> String {
    switch event {
    case .packet(let packet):
      "a packet of \(Self.count(packet.octets)) \(packet.isOutgoing ? "went out" : "came in")"
    case .link(let interface, let isUp): "\(Self.of(interface)) has \(isUp ? "a" : "no") link"
    case .peerToPeer(let isAwake): "\(Self.of(.peerToPeer)) is \(isAwake ? "awake" : "asleep")"
    case .neighbour(let other, let isThere):
      "\(of(device: other)) \(isThere ? "is" : "is no longer") in reach of \(Self.of(.peerToPeer))"
    }
  }

  func of(_ fault: NetworkFault) -> String {
    switch fault {
    case .wifiOff: "Wi-Fi is switched off"
    case .wifiOn: "Wi-Fi is switched on"
    case .joinNetwork: "the device joins the network"
    case .leaveNetwork: "the device leaves the network"
    case .partition(let other): "nothing passes between its network and \(of(device: other))"
    case .endPartition(let other): "its network and \(of(device: other)) are connected again"
    case .loss(let share): "its network loses \(share.numerator) of \(share.denominator) packets"
    case .delay(let delay): "its network takes \(delay) s longer each way"
    case .vanish: "its network is silent"
    case .appear: "its network is back"
    case .moved: "it is at another place"
    case .suspend: "its app is suspended"
    case .resume: "its app is run again"
    }
  }

  private func of(device: Int?) -> String {
    device.map { names.indices.contains($0) ? names[$0] : "device \($0)" } ?? "all others"
  }

  static func of(_ input: NetworkInput) -> String {
    switch input {
    case .listenerReady(let type, let name, let port): "listens for \(type) as \(shown(name)), port \(port)"
    case .listenerFailed(let type, let reason): "cannot listen for \(type): \(of(reason))"
    case .found(let endpoint, let type, let name, let interfaces, let record):
      "found \(shown(name)) of \(type), endpoint \(endpoint.rawValue), \(over(interfaces))" + with(record)
    case .recordChanged(let endpoint, let record):
      "endpoint \(endpoint.rawValue) has another TXT record, of \(count(record))"
    case .changed(let endpoint, let interfaces): "endpoint \(endpoint.rawValue) is reached \(over(interfaces))"
    case .lost(let endpoint): "endpoint \(endpoint.rawValue) is gone"
    case .incoming(let connection, let interface, let peer):
      "\(of(connection)) came in over \(of(interface)) from \(peer)"
    case .ready(let connection, let interface): "\(of(connection)) is ready over \(of(interface))"
    case .waiting(let connection, let reason): "\(of(connection)) waits: \(of(reason))"
    case .failed(let connection, let reason): "\(of(connection)) failed: \(of(reason))"
    case .received(let connection, let octets): "\(count(octets)) came on \(of(connection))"
    case .ended(let connection): "the other end of \(of(connection)) has nothing more to send"
    case .submitted(let connection, let accepted):
      "octets for \(of(connection)) were \(accepted ? "taken" : "not taken: there is no room")"
    case .room(let connection): "\(of(connection)) has room again"
    case .viable(let connection, let isViable): "\(of(connection)) can carry \(isViable ? "data" : "nothing") now"
    case .betterPath(let connection, let isAvailable):
      "\(of(connection)) has \(isAvailable ? "a" : "no") better interface"
    case .cancelled(let connection): "\(of(connection)) is cancelled"
    case .pathChanged(let interfaces): "its network is reached \(over(interfaces))"
    }
  }

  static func of(_ effect: NetworkEffect) -> String {
    switch effect {
    case .listen(let request):
      "asks to listen for \(request.type) as \(shown(request.name))" + also(request.peerToPeer) + with(request.record)
    case .updateRecord(let type, let record): "gives \(type) another TXT record, of \(count(record))"
    case .stopListening(let type): "stops listening for \(type)"
    case .browse(let type, let peerToPeer): "browses for \(type)" + also(peerToPeer)
    case .stopBrowsing(let type): "stops browsing for \(type)"
    case .prime(let duration): "keeps Wi-Fi from peer to peer awake for \(duration.shortSeconds) s"
    case .connect(let connection, let request):
      "opens \(of(connection)) to endpoint \(request.endpoint.rawValue) \(over(request.interfaces))"
    case .send(let connection, let octets): "sends \(count(octets)) on \(of(connection))"
    case .finish(let connection): "has nothing more to send on \(of(connection))"
    case .cancel(let connection): "cancels \(of(connection))"
    case .read(let connection, let isOn): "\(isOn ? "reads" : "does not read") \(of(connection))"
    }
  }

  package static func of(_ reason: NetworkReason) -> String {
    switch reason {
    case .noPath: "no path"
    case .refused: "refused"
    case .reset: "reset by the other end"
    case .timedOut: "timed out"
    case .interfaceOff: "its interface is off"
    case .reclaimed: "the system took its socket back"
    case .invalid: "not possible"
    }
  }

  private static func of(_ connection: ConnectionID) -> String { "connection \(connection.rawValue)" }

  private static func of(_ interface: NetworkInterface) -> String {
    switch interface {
    case .infrastructure: "Wi-Fi"
    case .peerToPeer: "peer-to-peer Wi-Fi"
    }
  }

  private static func over(_ interfaces: [NetworkInterface]) -> String {
    interfaces.isEmpty ? "over no interface" : "over " + interfaces.map(of).joined(separator: ", ")
  }

  private static func also(_ peerToPeer: Bool) -> String { peerToPeer ? ", also from peer to peer" : "" }
  private static func with(_ record: [UInt8]) -> String {
    record.isEmpty ? "" : ", with a TXT record of \(count(record))"
  }
  private static func shown(_ name: String) -> String { "“\(name)”" }
  private static func count(_ octets: [UInt8]) -> String { CountedNoun.text(octets.count, "octet") }
}
