import AppSeam
import NetworkWire
import SimKernel

/// Looking for instances: queries, what is remembered of answers, and until when (RFC 6762, 5.2, 7.1, 10).
extension NameService {
  func search(at now: SimInstant) {
    for index in searches.indices {
      if searches[index].nextQuery <= now {
        outgoing.append(query(searches[index], at: now))
        searches[index].nextQuery = now + searches[index].interval
        searches[index].interval = min(searches[index].interval * 2, settings.longestQueryInterval)
      }
      refreshAndForget(index, at: now)
    }
  }

  /// What is known is listed, so that nobody says it again, as far as one message holds it.
  private func query(_ search: Search, at now: SimInstant) -> DNSMessage {
    let type = DNSName.serviceType(search.type)
    var message = DNSMessage(isResponse: false, questions: [.init(name: type, kind: .pointer)])
    var length = message.octets.count
    for instance in search.instances {
      guard let lifetime = instance.pointer, lifetime.isFresh(at: now) else { continue }
      let left = (lifetime.end - now).nanoseconds / 1_000_000_000
      // With the type as a pointer: name 2, kind, class, time to live, length 10, the label and a pointer.
      length += 15 + instance.name.utf8.count
      if length > settings.longestMessage { break }
      message.answers.append(
        DNSRecord(
          name: type, content: .pointer(.instance(instance.name, search.type)), timeToLive: UInt32(clamping: left),
          isUnique: false))
    }
    return message
  }

  // MARK: Answers

  func hearAnswers(_ message: DNSMessage, at now: SimInstant) {
    let records = message.answers + message.additionals
    for index in searches.indices {
      let type = DNSName.serviceType(searches[index].type)
      for record in records {
        guard case .pointer(let target) = record.content, record.name == type else { continue }
        guard let place = instance(target, of: index) else { continue }
        hear(pointer: record, of: place, index, at: now)
      }
      for record in records {
        guard case .text(let strings) = record.content, record.timeToLive > 0 else { continue }
        guard let place = known(record.name, of: index) else { continue }
        hear(strings.allSatisfy(\.isEmpty) ? [] : ServiceRecord.octets(of: strings), of: place, index)
      }
      for record in records {
        guard case .service(let port, let host) = record.content else { continue }
        guard let place = known(record.name, of: index) else { continue }
        hear(place: record, port, host, of: place, index, at: now)
      }
      for place in searches[index].instances.indices { missPlace(&searches[index].instances[place], at: now) }
      forget(index)
    }
  }

  private func known(_ name: DNSName, of search: Int) -> Int? {
    let type = DNSName.serviceType(searches[search].type)
    guard name.labels.count == type.labels.count + 1, DNSName(Array(name.labels.dropFirst())) == type else {
      return nil
    }
    return searches[search].instances.firstIndex { $0.key == name }
  }

  /// The place of an instance among those of a search, new if there is room; nil: it is none of the type.
  private func instance(_ name: DNSName, of search: Int) -> Int? {
    if let place = known(name, of: search) { return place }
    let type = DNSName.serviceType(searches[search].type)
    guard name.labels.count == type.labels.count + 1, DNSName(Array(name.labels.dropFirst())) == type, name.isWritable,
      searches[search].instances.count < settings.instanceLimit
    else { return nil }
    searches[search].instances.append(Search.Instance(name: name.labels[0], key: name))
    return searches[search].instances.count - 1
  }

  private func hear(pointer record: DNSRecord, of place: Int, _ search: Int, at now: SimInstant) {
    if record.timeToLive > 0 {
      searches[search].instances[place].pointer = lifetime(record.timeToLive, at: now)
    } else if var lifetime = searches[search].instances[place].pointer {
      // A goodbye: it is remembered for one more second.
      lifetime.end = min(lifetime.end, now + settings.goodbyeTime)
      lifetime.refresh = lifetime.end
      searches[search].instances[place].pointer = lifetime
    }
  }

  private func hear(
    place record: DNSRecord, _ port: UInt16, _ host: DNSName, of place: Int, _ search: Int, at now: SimInstant
  ) {
    guard record.timeToLive > 0 else { return }
    let hostName = host.labels.joined(separator: ".")
    var instance = searches[search].instances[place]
    instance.place = lifetime(record.timeToLive, at: now)
    let hasMoved = instance.hostName != hostName || instance.port != port
    instance.hostName = hostName
    instance.port = port
    if instance.isThere, !instance.isTold || hasMoved {
      instance.isTold = true
      happened.append(
        .found(
          type: searches[search].type, name: instance.name, hostName: hostName, port: port, record: instance.record))
    }
    searches[search].instances[place] = instance
  }

  /// Before the place of a new instance, so that it is found with its record.
  private func hear(_ record: [UInt8], of place: Int, _ search: Int) {
    let instance = searches[search].instances[place]
    if instance.record == record { return }
    searches[search].instances[place].record = record
    if instance.isTold {
      happened.append(.recordChanged(type: searches[search].type, name: instance.name, record: record))
    }
  }

  /// The place of an instance is asked for while it is missing, less and less often.
  private func missPlace(_ instance: inout Search.Instance, at now: SimInstant) {
    if instance.place != nil || instance.pointer == nil {
      instance.askDue = nil
    } else if instance.askDue == nil {
      instance.askDue = now + draw(settings.queryWait)
      instance.askInterval = settings.queryInterval
    }
  }

  private func askForPlace(_ instance: inout Search.Instance, at now: SimInstant) {
    guard let due = instance.askDue, due <= now else { return }
    outgoing.append(DNSMessage(isResponse: false, questions: [.init(name: instance.key, kind: .service)]))
    instance.askDue = now + instance.askInterval
    instance.askInterval = min(instance.askInterval * 2, settings.longestQueryInterval)
  }

  private func lifetime(_ seconds: UInt32, at now: SimInstant) -> Search.Lifetime {
    let whole = SimDuration.seconds(Int64(min(seconds, settings.longestTimeToLive)))
    return Search.Lifetime(arrived: now, end: now + whole, refresh: now + share(80, of: whole))
  }

  /// A percentage of a time, and 0 … 2 % of it more.
  private func share(_ percent: Int64, of time: SimDuration) -> SimDuration {
    time / 100 * percent + draw(.zero...time / 50)
  }

  // MARK: Refreshing and forgetting

  private func refreshAndForget(_ search: Int, at now: SimInstant) {
    for place in searches[search].instances.indices {
      let instance = searches[search].instances[place]
      let type = DNSName.serviceType(searches[search].type)
      searches[search].instances[place].pointer = renewed(instance.pointer, type, .pointer, at: now)
      searches[search].instances[place].place = renewed(instance.place, instance.key, .service, at: now)
      missPlace(&searches[search].instances[place], at: now)
      askForPlace(&searches[search].instances[place], at: now)
    }
    forget(search)
  }

  /// Asks again for a record whose life is nearly over; nil when it is.
  private func renewed(
    _ lifetime: Search.Lifetime?, _ name: DNSName, _ kind: DNSRecord.Kind, at now: SimInstant
  ) -> Search.Lifetime? {
    guard var lifetime else { return nil }
    if lifetime.end <= now { return nil }
    if lifetime.refresh <= now {
      outgoing.append(DNSMessage(isResponse: false, questions: [.init(name: name, kind: kind)]))
      lifetime.refreshes += 1
      let whole = lifetime.end - lifetime.arrived
      let next = lifetime.arrived + share(80 + 5 * Int64(lifetime.refreshes), of: whole)
      lifetime.refresh = lifetime.refreshes < 4 ? max(next, now) : lifetime.end
    }
    return lifetime
  }

  /// Instances without a pointer are gone; those without a place are, until it is known again.
  private func forget(_ search: Int) {
    for place in searches[search].instances.indices {
      let instance = searches[search].instances[place]
      guard instance.isTold, !instance.isThere else { continue }
      searches[search].instances[place].isTold = false
      happened.append(.lost(type: searches[search].type, name: instance.name))
    }
    searches[search].instances.removeAll { $0.pointer == nil }
  }
}
