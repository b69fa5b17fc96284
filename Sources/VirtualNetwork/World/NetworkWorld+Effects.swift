package import AppSeam
import SimKernel

extension NetworkWorld {
  /// The longest `send` that a stream takes: more than an app's packet ever has.
  static let longestSend = 16 * 1_024 * 1_024

  /// What an app asks of its device's network. Answers wait for `popInput`.
  package func perform(_ effect: NetworkEffect, device index: Int) {
    let device = devices[index]
    switch effect {
    case .send(let id, let octets): send(octets, id, device)
    case .listen(let request): listen(request, device)
    case .updateRecord(let type, let record): updateRecord(type, record, device)
    case .stopListening(let type): stopListening(type, device)
    case .browse(let type, let peerToPeer): browse(type, peerToPeer, device)
    case .stopBrowsing(let type): stopBrowsing(type, device)
    case .prime(let time): prime(device, time)
    case .connect(let id, let request): connect(id, request, device)
    case .finish(let id): finish(id, device)
    case .cancel(let id): cancel(id, device)
    case .read(let id, let reads): setReads(id, reads, device)
    }
  }

  private func connection(_ id: ConnectionID, _ device: NetworkDevice) -> NetworkConnection? {
    device.connections[id].map { connections[$0] }
  }

  private func send(_ octets: [UInt8], _ id: ConnectionID, _ device: NetworkDevice) {
    guard let connection = connection(id, device), connection.state == .ready else {
      return tell(device, .submitted(id, accepted: false))
    }
    let leg = legs[connection.leg]
    let isTaken = leg.keptEnd.map { $0.with { take(octets, $0, leg) } } ?? takeDatagram(octets, leg)
    if isTaken { device.statistics.octetsSent += octets.count }
    tell(device, .submitted(id, accepted: isTaken))
  }

  /// All of it or nothing (NET 6.9).
  private func take(_ octets: [UInt8], _ end: StreamEnd, _ leg: NetworkLeg) -> Bool {
    guard octets.count <= Self.longestSend, end.takesWhole(octets.count) else { return false }
    end.sendWhole(octets, at: timeline.now)
    settle(leg)
    return true
  }

  private func takeDatagram(_ octets: [UInt8], _ leg: NetworkLeg) -> Bool {
    guard octets.count <= (leg.interface == .infrastructure ? 1_472 : 1_452), air?.isFull(leg.device) != true,
      !resolver.isFull(leg.device, leg.remote, leg.interface)
    else { return false }
    send(
      Packet(
        source: leg.device, destination: leg.remote, interface: leg.interface, from: leg.index, to: leg.peer,
        content: .datagram(octets)))
    return true
  }

  private func finish(_ id: ConnectionID, _ device: NetworkDevice) {
    guard let connection = connection(id, device), connection.state == .ready else { return }
    let leg = legs[connection.leg]
    leg.end?.finish(at: timeline.now)
    settle(leg)
  }

  private func cancel(_ id: ConnectionID, _ device: NetworkDevice) {
    if let connection = connection(id, device), connection.state != .over {
      linger(device, after: connection)
      if connection.state == .ready, let end = legs[connection.leg].end, !end.hasUnfinished {
        // What was sent is still repeated where it is lost, and then comes the FIN.
        let leg = legs[connection.leg]
        leg.connection = -1
        connection.leg = -1
        release(leg)
        end.finish(at: timeline.now)
        settle(leg)
      }
      self.end(connection, device)
      reviewAsks(device)
    }
    tell(device, .cancelled(id))
  }

  private func setReads(_ id: ConnectionID, _ reads: Bool, _ device: NetworkDevice) {
    guard let connection = connection(id, device) else { return }
    connection.reads = reads
    guard reads, connection.state == .ready else { return }
    let leg = legs[connection.leg]
    let hasSomething = leg.end.map { $0.readable > 0 || $0.isAtEnd && !connection.endIsTold } ?? !leg.inbox.isEmpty
    if hasSomething { queueReadable(connection) }
  }
}
