import NetworkWire
import SimKernel

/// Claiming names: probing, conflicts, announcing (RFC 6762, 8 and 9).
extension NameService {
  func claim(at now: SimInstant) {
    for index in services.indices {
      guard let due = services[index].due, due <= now else { continue }
      switch services[index].stage {
      case .probing(let sent) where sent < settings.probes:
        outgoing.append(probe(services[index]))
        services[index].stage = .probing(sent + 1)
        services[index].due = now + settings.probeInterval
      case .probing:
        services[index].stage = .registered(announced: 0)
        happened.append(.registered(type: services[index].type, name: services[index].name))
        announce(index, at: now)
      case .registered: announce(index, at: now)
      }
    }
  }

  private func announce(_ index: Int, at now: SimInstant) {
    guard case .registered(let announced) = services[index].stage else { return }
    outgoing.append(response(services[index]))
    services[index].sent = now
    services[index].answerDue = nil
    services[index].stage = .registered(announced: announced + 1)
    services[index].due = announced + 1 < settings.announcements ? now + settings.announcementInterval : nil
  }

  /// A question for everything of the name, with what would be claimed.
  private func probe(_ service: OwnService) -> DNSMessage {
    DNSMessage(
      isResponse: false, questions: [.init(name: .instance(service.name, service.type), kind: .any)],
      authorities: [place(service)])
  }

  /// Somebody else has a name that a service of this device has, or probes for.
  func hearConflicts(_ message: DNSMessage, at now: SimInstant) {
    for index in services.indices {
      let own = place(services[index])
      let isTaken = (message.answers + message.additionals).contains {
        $0.name == own.name && $0.kind == .service && $0.timeToLive > 0 && $0.content != own.content
      }
      guard isTaken else { continue }
      if services[index].isRegistered {
        // Two networks have become one: who keeps the name is settled by probes (RFC 6762, 9).
        restart(index, at: now + draw(settings.probeWait))
      } else {
        services[index].variant += 1
        restart(index, at: now + waitAfterConflict(index, at: now))
      }
    }
  }

  /// Another device probes for the same name: the lexicographically later record wins (RFC 6762, 8.2).
  func hearProbes(_ message: DNSMessage, at now: SimInstant) {
    for index in services.indices where !services[index].isRegistered {
      let own = place(services[index])
      let rivals = message.authorities.filter { $0.name == own.name && $0.kind == .service }
      if rivals.contains(where: { Self.order(own).lexicographicallyPrecedes(Self.order($0)) }) {
        restart(index, at: now + settings.lostProbeWait)
      }
    }
  }

  /// The data of a record as it is compared: uncompressed octets.
  private static func order(_ record: DNSRecord) -> [UInt8] {
    guard case .service(let port, let target) = record.content else { return [] }
    var octets: [UInt8] = [0, 0, 0, 0, UInt8(port >> 8), UInt8(port & 0xFF)]
    for label in target.labels {
      octets.append(UInt8(clamping: label.utf8.count))
      octets += label.utf8
    }
    return octets
  }

  private func restart(_ index: Int, at instant: SimInstant) {
    services[index].stage = .probing(0)
    services[index].due = instant
    services[index].answerDue = nil
  }

  /// None at first; after many conflicts within a short time, a longer one.
  private func waitAfterConflict(_ index: Int, at now: SimInstant) -> SimDuration {
    services[index].conflicts.removeAll { $0 + settings.conflictTime < now }
    services[index].conflicts.append(now)
    if services[index].conflicts.count > settings.conflictLimit {
      services[index].conflicts.removeFirst()
      return settings.conflictWait
    }
    return .zero
  }
}
