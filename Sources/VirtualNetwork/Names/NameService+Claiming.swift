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
    // All of them are answers here (RFC 6762, 8.3).
    let whole = response(services[index])
    outgoing.append(DNSMessage(isResponse: true, answers: whole.answers + whole.additionals))
    services[index].sent = now
    services[index].answerDue = nil
    services[index].stage = .registered(announced: announced + 1)
    services[index].due = announced + 1 < settings.announcements ? now + settings.announcementInterval : nil
  }

  /// A question for everything of the name, with what would be claimed; nobody is to flush anything for it yet.
  private func probe(_ service: OwnService) -> DNSMessage {
    var records = [place(service), text(service)]
    for index in records.indices { records[index].isUnique = false }
    return DNSMessage(
      isResponse: false, questions: [.init(name: .instance(service.name, service.type), kind: .any)],
      authorities: records)
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
      let own = [place(services[index]), text(services[index])]
      let theirs = message.authorities.filter { $0.name == own[0].name }
      if Self.order(own).lexicographicallyPrecedes(Self.order(theirs), by: { $0.lexicographicallyPrecedes($1) }) {
        restart(index, at: now + settings.lostProbeWait)
      }
    }
  }

  /// Kinds and contents of records, uncompressed, in the order in which they are compared.
  private static func order(_ records: [DNSRecord]) -> [[UInt8]] {
    records.map { record in
      let kind = record.kind.rawValue
      return [UInt8(kind >> 8), UInt8(kind & 0xFF)] + record.uncompressedContent
    }.sorted { $0.lexicographicallyPrecedes($1) }
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
