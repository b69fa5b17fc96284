import AppSeam
import SimKernel
import VirtualNetwork

/// What the digest takes from the network words of the app seam. Octets of streams are mixed in whole: what a stream
/// carries is in no other digest.
extension TraceDigest {
  private mutating func combine(_ connection: ConnectionID) { combine(UInt64(truncatingIfNeeded: connection.rawValue)) }
  private mutating func combine(_ endpoint: EndpointID) { combine(UInt64(truncatingIfNeeded: endpoint.rawValue)) }

  private mutating func combine(_ interfaces: [NetworkInterface]) {
    combine(UInt64(interfaces.count))
    for interface in interfaces { combine(text: interface.rawValue) }
  }

  private mutating func combine(_ connection: ConnectionID, _ octets: [UInt8]) {
    combine(connection)
    combine(octets: octets)
  }

  mutating func combine(_ input: NetworkInput, device: Int, at now: SimInstant) {
    switch input {
    case .listenerReady(let type, let name, let port):
      begin(100, device, now)
      combine(text: type)
      combine(text: name)
      combine(UInt64(truncatingIfNeeded: port))
    case .listenerFailed(let type, let reason):
      begin(101, device, now)
      combine(text: type)
      combine(text: reason.rawValue)
    case .found(let endpoint, let type, let name, let interfaces, let record):
      begin(102, device, now)
      combine(endpoint)
      combine(text: type)
      combine(text: name)
      combine(interfaces)
      if !record.isEmpty { combine(octets: record) }
    case .changed(let endpoint, let interfaces):
      begin(103, device, now)
      combine(endpoint)
      combine(interfaces)
    case .recordChanged(let endpoint, let record):
      begin(120, device, now)
      combine(endpoint)
      combine(octets: record)
    case .lost(let endpoint):
      begin(104, device, now)
      combine(endpoint)
    case .pathChanged(let interfaces):
      begin(105, device, now)
      combine(interfaces)
    default: combineConnection(input, device, now)
    }
  }

  private mutating func combineConnection(_ input: NetworkInput, _ device: Int, _ now: SimInstant) {
    switch input {
    case .incoming(let connection, let interface, let peer):
      begin(106, device, now)
      combine(connection)
      combine(text: interface.rawValue)
      combine(text: peer)
    case .ready(let connection, let interface):
      begin(107, device, now)
      combine(connection)
      combine(text: interface.rawValue)
    case .waiting(let connection, let reason):
      begin(108, device, now)
      combine(connection)
      combine(text: reason.rawValue)
    case .failed(let connection, let reason):
      begin(109, device, now)
      combine(connection)
      combine(text: reason.rawValue)
    case .received(let connection, let octets):
      begin(110, device, now)
      combine(connection, octets)
    case .ended(let connection):
      begin(111, device, now)
      combine(connection)
    case .submitted(let connection, let accepted):
      begin(accepted ? 112 : 113, device, now)
      combine(connection)
    case .room(let connection):
      begin(114, device, now)
      combine(connection)
    case .viable(let connection, let isViable):
      begin(isViable ? 115 : 116, device, now)
      combine(connection)
    case .betterPath(let connection, let isBetter):
      begin(isBetter ? 117 : 118, device, now)
      combine(connection)
    case .cancelled(let connection):
      begin(119, device, now)
      combine(connection)
    case .listenerReady, .listenerFailed, .found, .changed, .recordChanged, .lost, .pathChanged: break
    }
  }

  mutating func combine(_ effect: NetworkEffect, device: Int, at now: SimInstant) {
    switch effect {
    case .listen(let request):
      begin(130, device, now)
      combine(text: request.type)
      combine(text: request.name)
      combine(request.peerToPeer ? 1 : 0)
      combine(request.keepAlive)
      if !request.record.isEmpty { combine(octets: request.record) }
    case .updateRecord(let type, let record):
      begin(142, device, now)
      combine(text: type)
      combine(octets: record)
    case .stopListening(let type):
      begin(131, device, now)
      combine(text: type)
    case .browse(let type, let peerToPeer):
      begin(peerToPeer ? 132 : 133, device, now)
      combine(text: type)
    case .stopBrowsing(let type):
      begin(134, device, now)
      combine(text: type)
    case .prime(let duration):
      begin(135, device, now)
      combine(UInt64(bitPattern: duration.nanoseconds))
    case .connect(let connection, let request):
      begin(136, device, now)
      combine(connection)
      combine(request.endpoint)
      combine(request.interfaces)
      combine(UInt64(bitPattern: request.timeout?.nanoseconds ?? -1))
      combine(request.keepAlive)
    case .send(let connection, let octets):
      begin(137, device, now)
      combine(connection, octets)
    case .finish(let connection):
      begin(138, device, now)
      combine(connection)
    case .cancel(let connection):
      begin(139, device, now)
      combine(connection)
    case .read(let connection, let isOn):
      begin(isOn ? 140 : 141, device, now)
      combine(connection)
    }
  }

  private mutating func combine(_ keepAlive: KeepAliveRequest?) {
    combine(UInt64(bitPattern: keepAlive?.idle.nanoseconds ?? -1))
    combine(UInt64(bitPattern: keepAlive?.interval.nanoseconds ?? -1))
    combine(UInt64(bitPattern: Int64(keepAlive?.count ?? -1)))
  }

  mutating func combine(_ fault: NetworkFault) {
    func other(_ device: Int?) -> UInt64 { UInt64(bitPattern: Int64(device ?? -1)) }
    switch fault {
    case .wifiOff: combine(0)
    case .wifiOn: combine(1)
    case .joinNetwork: combine(2)
    case .leaveNetwork: combine(3)
    case .partition(let from):
      combine(4)
      combine(other(from))
    case .endPartition(let from):
      combine(5)
      combine(other(from))
    case .loss(let share):
      combine(6)
      combine(share.numerator)
      combine(share.denominator)
    case .delay(let delay):
      combine(7)
      combine(UInt64(bitPattern: delay.nanoseconds))
    case .vanish: combine(8)
    case .appear: combine(9)
    case .moved: combine(10)
    case .suspend: combine(11)
    case .resume: combine(12)
    }
  }
}
