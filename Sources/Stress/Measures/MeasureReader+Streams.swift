import AppSeam
import SimKernel

/// What passes between an app and its network: services, streams, octets.
extension MeasureReader {
  func read(_ effect: NetworkEffect, _ device: Int, _ now: SimInstant) {
    switch effect {
    case .browse(let type, _):
      pages[device].browsesBegun.removeAll { $0.type == type }
      pages[device].browsesBegun.append((type, now))
      seek(device, now)
    case .stopBrowsing(let type): pages[device].browsesBegun.removeAll { $0.type == type }
    case .stopListening(let type): pages[device].services.removeAll { $0.type == type }
    case .connect(let id, _):
      streams.begin(id, of: device, at: now)
      seek(device, now)
    case .send(let id, let octets): streams[id, device]?.offer(octets.count, at: now)
    case .finish(let id): streams[id, device]?.isEndedByOrder = true
    case .cancel(let id): streams.cancel(id, of: device)
    case .listen, .updateRecord, .prime, .read: break
    }
  }

  func read(_ input: NetworkInput, _ device: Int, _ now: SimInstant) {
    switch input {
    case .listenerReady(let type, let name, _):
      pages[device].services.removeAll { $0.type == type }
      pages[device].services.append((type, name))
    case .listenerFailed(let type, _): pages[device].services.removeAll { $0.type == type }
    case .found(_, let type, let name, _, _): find(type, name, device, now)
    case .ready(let id, let interface):
      guard let begun = streams.ready(id, of: device, interface) else { return }
      note(.stream, since: begun, now, device: device)
    case .incoming(let id, let interface, let peer): streams.incoming(id, of: device, interface, peer: peer)
    case .submitted(let id, let isTaken): streams[id, device]?.answer(isTaken, at: now)
    case .room(let id):
      guard let stream = streams[id, device], let since = stream.fullSince else { return }
      stream.fullSince = nil
      note(.queueFull, since: since, now, device: device, peer: stream.peer)
    case .received(let id, let octets):
      guard let stream = streams[id, device], let partner = stream.partner else { return }
      partner.arrive(octets.count) { note(.transit, since: $0, now, device: device, peer: stream.peer) }
    case .failed(let id, _): streams.fail(id, of: device)
    case .cancelled(let id): streams.forget(id, of: device)
    case .changed, .recordChanged, .lost, .waiting, .ended, .viable, .betterPath, .pathChanged: break
    }
  }

  private func find(_ type: String, _ name: String, _ device: Int, _ now: SimInstant) {
    guard let place = pages[device].browsesBegun.firstIndex(where: { $0.type == type }),
      let leader = leader(of: device), pages[leader].services.contains(where: { $0.type == type && $0.name == name })
    else { return }
    note(.service, since: pages[device].browsesBegun.remove(at: place).at, now, device: device, peer: leader)
  }
}
