import AppSeam
package import NetworkWire
package import SimKernel

/// DNS-SD over Multicast DNS on one interface of a device (RFC 6762, RFC 6763; NET 7), without clock and network:
/// messages and time come in, messages and events go out.
///
/// After each call, its owner sends what `outgoing` holds to the group, takes what `happened` holds, and sees to
/// `deadline`. Messages of its own do not come back to it.
///
/// Whatever comes in, it remembers at most `NameSettings.instanceLimit` instances for each type that is looked for, and
/// nothing else. Host names are taken for unique, and are not probed. Not modelled: unicast responses, truncated
/// queries, subtypes, NSEC, what others cache because they heard it.
package final class NameService {
  let settings: NameSettings
  let hostName: DNSName
  let addresses: [IPAddress]
  var stream: RandomStream
  package let outgoing = Fifo<DNSMessage>()
  package let happened = Fifo<NameEvent>()
  /// When `advance` is to be called; nil: never, unless something comes first.
  package private(set) var deadline: SimInstant?

  var services: [OwnService] = []
  var searches: [Search] = []
  /// When the addresses are to be told, and when they were.
  var hostAnswerDue: SimInstant?
  var hostSent: SimInstant?

  /// - Parameters:
  ///   - hostName: unique on the network, for example `phone.local`.
  ///   - stream: where waits are drawn from.
  package init(
    hostName: String, addresses: [IPAddress], stream: RandomStream, settings: NameSettings = NameSettings()
  ) {
    self.hostName = DNSName(stringLiteral: hostName)
    self.addresses = addresses
    self.stream = stream
    self.settings = settings
  }

  // MARK: What its owner does

  /// Claims a name for a service; `registered` says which one it has got.
  /// - Parameters:
  ///   - type: `_name._tcp` or `_name._udp`; a type is registered once at a time.
  ///   - name: what is longer than 63 octets is cut at a character; an empty one stands for the host's.
  ///   - record: the TXT record, of octets that `ServiceRecord.isValid` takes.
  package func register(type: String, name: String, port: UInt16, record: [UInt8] = [], at now: SimInstant) {
    services.removeAll { $0.type == type }
    let wanted = name.isEmpty ? hostName.labels.first ?? "" : name
    var service = OwnService(type: type, wanted: wanted, port: port, record: record)
    service.due = now + draw(settings.probeWait)
    services.append(service)
    setDeadline()
  }

  /// Gives a service another TXT record, which is announced if the service is (RFC 6762, 8.4).
  package func update(record: [UInt8], type: String, at now: SimInstant) {
    guard let place = services.firstIndex(where: { $0.type == type }), services[place].record != record else { return }
    services[place].record = record
    if services[place].isRegistered { announceAgain(place, at: now) }
    setDeadline()
  }

  /// Ends a service.
  /// - Parameter saysGoodbye: whether those who know of it are told.
  package func unregister(type: String, saysGoodbye: Bool = true) {
    guard let place = services.firstIndex(where: { $0.type == type }) else { return }
    let service = services.remove(at: place)
    if saysGoodbye, service.isRegistered { outgoing.append(goodbye(service)) }
    setDeadline()
  }

  /// Looks for instances of a type until `stopBrowsing`.
  package func browse(type: String, at now: SimInstant) {
    if searches.contains(where: { $0.type == type }) { return }
    searches.append(Search(type: type, nextQuery: now + draw(settings.queryWait), interval: settings.queryInterval))
    setDeadline()
  }

  /// What was found of the type is forgotten, without an event.
  package func stopBrowsing(type: String) {
    searches.removeAll { $0.type == type }
    setDeadline()
  }

  /// Somebody may be there who was not before: services are announced, and queries begin, again (RFC 6762, 8.3).
  package func networkChanged(at now: SimInstant) {
    for index in services.indices where services[index].isRegistered { announceAgain(index, at: now) }
    for index in searches.indices {
      searches[index].nextQuery = now + draw(settings.queryWait)
      searches[index].interval = settings.queryInterval
    }
    setDeadline()
  }

  /// A message of another device on this interface.
  package func receive(_ message: DNSMessage, at now: SimInstant) {
    if message.isResponse {
      hearConflicts(message, at: now)
      hearOwnAnswers(message)
      hearAnswers(message, at: now)
    } else {
      hearProbes(message, at: now)
      hearQuestions(message, at: now)
    }
    setDeadline()
  }

  /// Does what is due at an instant.
  package func advance(to now: SimInstant) {
    claim(at: now)
    answer(at: now)
    search(at: now)
    setDeadline()
  }

  // MARK: Helpers

  private func announceAgain(_ index: Int, at now: SimInstant) {
    services[index].stage = .registered(announced: 0)
    services[index].due = now
  }

  private func setDeadline() {
    var earliest: SimInstant?
    func consider(_ instant: SimInstant?) {
      if let instant { earliest = min(earliest ?? instant, instant) }
    }
    for service in services {
      consider(service.due)
      consider(service.answerDue)
    }
    consider(hostAnswerDue)
    for search in searches { consider(search.deadline) }
    deadline = earliest
  }

  func draw(_ range: ClosedRange<SimDuration>) -> SimDuration {
    SimDuration(nanoseconds: stream.within(range.lowerBound.nanoseconds...range.upperBound.nanoseconds))
  }

  // MARK: Records

  func pointer(_ service: OwnService, timeToLive: UInt32? = nil) -> DNSRecord {
    DNSRecord(
      name: .serviceType(service.type), content: .pointer(.instance(service.name, service.type)),
      timeToLive: timeToLive ?? settings.timeToLive, isUnique: false)
  }

  func place(_ service: OwnService) -> DNSRecord {
    DNSRecord(
      name: .instance(service.name, service.type), content: .service(port: service.port, target: hostName),
      timeToLive: settings.hostTimeToLive, isUnique: true)
  }

  func text(_ service: OwnService) -> DNSRecord {
    let strings = ServiceRecord.strings(of: service.record)
    // An empty text is one empty string (RFC 6763, 6.1).
    return DNSRecord(
      name: .instance(service.name, service.type), content: .text(strings.isEmpty ? [[]] : strings),
      timeToLive: settings.timeToLive, isUnique: true)
  }

  var hostRecords: [DNSRecord] {
    addresses.map {
      DNSRecord(name: hostName, content: .address($0), timeToLive: settings.hostTimeToLive, isUnique: true)
    }
  }

  /// PTR with all that is needed to reach the instance (RFC 6763, 12.1).
  func response(_ service: OwnService) -> DNSMessage {
    DNSMessage(
      isResponse: true, answers: [pointer(service)],
      additionals: [place(service), text(service)] + hostRecords)
  }

  private func goodbye(_ service: OwnService) -> DNSMessage {
    DNSMessage(isResponse: true, answers: [pointer(service, timeToLive: 0)])
  }
}
