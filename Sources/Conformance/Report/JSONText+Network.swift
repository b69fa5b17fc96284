import AppSeam
import Judging
import SimKernel
import VirtualNetwork

/// The members of `input` and `effect` lines whose words are of the network beside the radio: `net.…`.
///
/// The name that a service is registered under is `instance`, since `name` is the word's own.
extension JSONText {
  private mutating func word(_ word: StaticString, _ connection: ConnectionID? = nil) {
    key("name")
    value(word)
    if let connection { member("connection", connection.rawValue) }
  }

  private mutating func service(_ word: StaticString, _ type: String) {
    self.word(word)
    member("type", type)
  }

  private mutating func member(_ interfaces: [NetworkInterface]) {
    member("interfaces", interfaces.map(\.rawValue))
  }

  private mutating func member(_ keepAlive: KeepAliveRequest?) {
    key("keepAlive")
    guard let keepAlive else { return null() }
    beginObject()
    member("idle", keepAlive.idle.nanoseconds)
    member("interval", keepAlive.interval.nanoseconds)
    member("count", keepAlive.count)
    endObject()
  }

  /// Null where there is none.
  private mutating func member(record: [UInt8]) {
    if !record.isEmpty { return member("record", octets: record) }
    key("record")
    null()
  }

  /// What is to be seen of a network beside what apps are told; packets are in captures.
  mutating func network(_ event: NetworkEvent) {
    switch event {
    case .packet: break
    case .link(let interface, let isUp):
      word("link")
      member("interface", interface.rawValue)
      member("up", isUp)
    case .peerToPeer(let isAwake):
      word("peerToPeer")
      member("awake", isAwake)
    case .neighbour(let other, let isThere):
      word("neighbour")
      member("other", other)
      member("there", isThere)
    }
  }

  mutating func networkFault(_ fault: NetworkFault) {
    switch fault {
    case .wifiOff: word("wifiOff")
    case .wifiOn: word("wifiOn")
    case .joinNetwork: word("joinNetwork")
    case .leaveNetwork: word("leaveNetwork")
    case .partition(let other): networkFault("partition", with: other)
    case .endPartition(let other): networkFault("endPartition", with: other)
    case .loss(let share):
      word("networkLoss")
      member("numerator", Int(clamping: share.numerator))
      member("denominator", Int(clamping: share.denominator))
    case .delay(let delay):
      word("networkDelay")
      member("delay", delay.nanoseconds)
    case .vanish: word("networkVanishes")
    case .appear: word("networkAppears")
    case .moved: word("networkMoves")
    case .suspend: word("suspend")
    case .resume: word("resume")
    }
  }

  private mutating func networkFault(_ word: StaticString, with other: Int?) {
    self.word(word)
    member("other", other)
  }

  mutating func input(_ input: NetworkInput) {
    switch input {
    case .listenerReady(let type, let name, let port):
      service("net.listenerReady", type)
      member("instance", name)
      member("port", port)
    case .listenerFailed(let type, let reason):
      service("net.listenerFailed", type)
      member("reason", reason.rawValue)
    case .found(let endpoint, let type, let name, let interfaces, let record):
      word("net.found")
      member("endpoint", endpoint.rawValue)
      member("type", type)
      member("instance", name)
      member(interfaces)
      member(record: record)
    case .changed(let endpoint, let interfaces):
      word("net.changed")
      member("endpoint", endpoint.rawValue)
      member(interfaces)
    case .recordChanged(let endpoint, let record):
      word("net.recordChanged")
      member("endpoint", endpoint.rawValue)
      member("record", octets: record)
    case .lost(let endpoint):
      word("net.lost")
      member("endpoint", endpoint.rawValue)
    case .pathChanged(let interfaces):
      word("net.pathChanged")
      member(interfaces)
    default: connectionInput(input)
    }
  }

  private mutating func connectionInput(_ input: NetworkInput) {
    switch input {
    case .incoming(let connection, let interface, let peer):
      word("net.incoming", connection)
      member("interface", interface.rawValue)
      member("peer", peer)
    case .ready(let connection, let interface):
      word("net.ready", connection)
      member("interface", interface.rawValue)
    case .waiting(let connection, let reason):
      word("net.waiting", connection)
      member("reason", reason.rawValue)
    case .failed(let connection, let reason):
      word("net.failed", connection)
      member("reason", reason.rawValue)
    case .received(let connection, let octets):
      word("net.received", connection)
      member("octets", octets: octets)
    case .ended(let connection): word("net.ended", connection)
    case .submitted(let connection, let accepted):
      word("net.submitted", connection)
      member("accepted", accepted)
    case .room(let connection): word("net.room", connection)
    case .viable(let connection, let isViable):
      word("net.viable", connection)
      member("viable", isViable)
    case .betterPath(let connection, let isAvailable):
      word("net.betterPath", connection)
      member("available", isAvailable)
    case .cancelled(let connection): word("net.cancelled", connection)
    case .listenerReady, .listenerFailed, .found, .changed, .recordChanged, .lost, .pathChanged: break
    }
  }

  mutating func effect(_ effect: NetworkEffect) {
    switch effect {
    case .listen(let request):
      service("net.listen", request.type)
      member("instance", request.name)
      member("peerToPeer", request.peerToPeer)
      member(request.keepAlive)
      member(record: request.record)
    case .updateRecord(let type, let record):
      service("net.updateRecord", type)
      member("record", octets: record)
    case .stopListening(let type): service("net.stopListening", type)
    case .browse(let type, let peerToPeer):
      service("net.browse", type)
      member("peerToPeer", peerToPeer)
    case .stopBrowsing(let type): service("net.stopBrowsing", type)
    case .prime(let duration):
      word("net.prime")
      member("duration", duration.nanoseconds)
    case .connect(let connection, let request):
      word("net.connect", connection)
      member("endpoint", request.endpoint.rawValue)
      member(request.interfaces)
      member("timeout", request.timeout?.nanoseconds)
      member(request.keepAlive)
    case .send(let connection, let octets):
      word("net.send", connection)
      member("octets", octets: octets)
    case .finish(let connection): word("net.finish", connection)
    case .cancel(let connection): word("net.cancel", connection)
    case .read(let connection, let isOn):
      word("net.read", connection)
      member("on", isOn)
    }
  }
}
