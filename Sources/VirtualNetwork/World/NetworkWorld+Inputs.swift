package import AppSeam
import SimKernel

extension NetworkWorld {
  package var hasWaiting: Bool { !waiting.isEmpty }

  /// A device whose app has inputs, in the order in which they got their first ones; each once.
  package func nextWaiting() -> Int? {
    while let index = waiting.popFirst() {
      let isReady = devices.with(index) { device in
        device.isQueued = false
        return !device.isSuspended && !device.pending.isEmpty
      }
      if isReady { return index }
    }
    return nil
  }

  /// The next input for a device's app; nil: there is none. Octets are read at this moment.
  package func popInput(_ index: Int) -> NetworkInput? {
    devices.with(index) { device in
      if device.isSuspended { return nil }
      while let pending = device.pending.popFirst() {
        switch pending {
        case .input(let input):
          if case .incoming(let id, _, _) = input { accepted(id, device) }
          device.digest.combine(input, at: timeline.now)
          return input
        case .readable(let connection):
          guard let input = connections.with(connection, { piece(of: $0) }) else { continue }
          device.digest.combine(input, at: timeline.now)
          return input
        }
      }
      return nil
    }
  }

  func tell(_ device: NetworkDevice, _ input: NetworkInput) {
    device.pending.append(.input(input))
    queue(device)
  }

  func queue(_ device: NetworkDevice) {
    if device.isQueued || device.isSuspended { return }
    device.isQueued = true
    waiting.append(device.index)
  }

  /// There is something to read for an app that reads.
  func queueReadable(_ connection: NetworkConnection) {
    if connection.isQueued || !connection.reads || connection.state != .ready { return }
    connection.isQueued = true
    devices.with(connection.device) { device in
      device.pending.append(.readable(connection.index))
      queue(device)
    }
  }

  private func accepted(_ id: ConnectionID, _ device: NetworkDevice) {
    guard let index = device.connections[id], connections[index].leg >= 0 else { return }
    release(legs[connections[index].leg])
  }

  /// The next piece of what a connection has received (NET 6.11), or its end.
  private func piece(of connection: NetworkConnection) -> NetworkInput? {
    connection.isQueued = false
    guard connection.state == .ready, connection.reads else { return nil }
    return legs.with(connection.leg) { leg in
      guard let end = leg.keptEnd else { return datagram(of: leg, connection) }
      return end.with { piece(of: connection, leg, $0) }
    }
  }

  private func piece(of connection: NetworkConnection, _ leg: NetworkLeg, _ end: StreamEnd) -> NetworkInput? {
    let octets = end.readable > 0 ? end.read(nextLength(connection), at: timeline.now) : []
    if octets.isEmpty {
      guard end.isAtEnd, !connection.endIsTold else { return nil }
      connection.endIsTold = true
      return .ended(connection.id)
    }
    if !end.outgoing.isEmpty { settle(leg) }
    if end.readable > 0 || end.isAtEnd { queueReadable(connection) }
    devices.with(connection.device) { $0.statistics.octetsReceived += octets.count }
    return .received(connection.id, octets: octets)
  }

  private func datagram(of leg: NetworkLeg, _ connection: NetworkConnection) -> NetworkInput? {
    guard let octets = leg.inbox.popFirst() else { return nil }
    if !leg.inbox.isEmpty { queueReadable(connection) }
    devices.with(connection.device) { $0.statistics.octetsReceived += octets.count }
    return .received(connection.id, octets: octets)
  }

  private func nextLength(_ connection: NetworkConnection) -> Int {
    switch room.chopping {
    case .none: return 65_536
    case .exactly(let length): return max(length, 1)
    case .drawn(let longest):
      connection.pieces += 1
      let device = devices[connection.device].number
      let occasion = UInt64(connection.id.rawValue) << 32 | connection.pieces
      let word = draws.words(Purpose.piece.rawValue, device, occasion)[0]
      return 1 + Int(word.multipliedFullWidth(by: UInt64(max(longest, 1))).high)
    }
  }
}

extension TraceDigest {
  /// Mixes in what an app is told.
  mutating func combine(_ input: NetworkInput, at now: SimInstant) {
    combine(UInt64(bitPattern: now.nanoseconds))
    func id(_ code: UInt64, _ number: Int, _ rest: Int = 0) {
      combine(code << 56 | UInt64(truncatingIfNeeded: rest) & 0xFF)
      combine(UInt64(truncatingIfNeeded: number))
    }
    func words(_ interfaces: [NetworkInterface]) { combine(text: interfaces.map(\.rawValue).joined(separator: " ")) }
    switch input {
    case .received(let connection, let octets):
      id(1, connection.rawValue)
      combine(octets: octets)
    case .submitted(let connection, let accepted): id(2, connection.rawValue, accepted ? 1 : 0)
    case .room(let connection): id(3, connection.rawValue)
    case .listenerReady(let type, let name, let port):
      id(4, port)
      combine(text: type)
      combine(text: name)
    case .listenerFailed(let type, let reason):
      id(5, 0)
      combine(text: type)
      combine(text: reason.rawValue)
    case .found(let endpoint, let type, let name, let interfaces, let record):
      id(6, endpoint.rawValue)
      combine(text: type)
      combine(text: name)
      words(interfaces)
      if !record.isEmpty { combine(octets: record) }
    case .changed(let endpoint, let interfaces):
      id(7, endpoint.rawValue)
      words(interfaces)
    case .lost(let endpoint): id(8, endpoint.rawValue)
    case .incoming(let connection, let interface, let peer):
      id(9, connection.rawValue, interface.index)
      combine(text: peer)
    case .ready(let connection, let interface): id(10, connection.rawValue, interface.index)
    case .waiting(let connection, let reason):
      id(11, connection.rawValue)
      combine(text: reason.rawValue)
    case .failed(let connection, let reason):
      id(12, connection.rawValue)
      combine(text: reason.rawValue)
    case .ended(let connection): id(13, connection.rawValue)
    case .viable(let connection, let flag): id(14, connection.rawValue, flag ? 1 : 0)
    case .betterPath(let connection, let flag): id(15, connection.rawValue, flag ? 1 : 0)
    case .cancelled(let connection): id(16, connection.rawValue)
    case .recordChanged(let endpoint, let record):
      id(18, endpoint.rawValue)
      combine(octets: record)
    case .pathChanged(let interfaces):
      id(17, 0)
      words(interfaces)
    }
  }
}
