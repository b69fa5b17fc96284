import BluetoothWire
import SimKernel

/// Values on their way: which capture tells that one left, and which that it came.
extension EndTimeline {
  /// - Parameter number: counts the values of that direction on that link, from 1.
  func read(
    _ value: TrafficValue, _ entry: EndEntry, _ track: LinkTrack, _ connection: Int, _ number: Int, _ flow: inout Flow
  ) {
    takeOver(entry, track, connection, &flow)
    switch flow.source {
    case .both(let sender, _) where sender === track:
      flow.counted = max(flow.counted, number)
      guard isOurs(track, value) else { return }
      depart(value, entry, connection, &flow)
      if losses.isMissingElsewhere(track, fromServer: value.isFromServer, place: number - 1) {
        return add(entry, connection, .gap(.missed))
      }
      flow.inFlight.append((number, value))
      releaseEarly(entry, &flow)
    case .both(let sender, let receiver) where receiver === track:
      guard isOurs(track, value) else { return }
      let isNowhere = losses.isMissingElsewhere(track, fromServer: value.isFromServer, place: number - 1)
      if isNowhere { add(entry, connection, .gap(.missed)) }
      let isUnderWay = flow.inFlight.contains { $0.value.octets == value.octets }
      if isNowhere || isOver(sender, at: entry.instant) && !isUnderWay {
        flow.counted = max(flow.counted, number)
        depart(value, entry, connection, &flow)
        return add(entry, connection, .arrived(value))
      }
      arrive(value, entry, connection, &flow)
    case .sender(let sender) where sender === track && number > flow.counted:
      flow.counted = number
      guard isOurs(track, value) else { return }
      depart(value, entry, connection, &flow)
      let isThere = (value.isFromServer ? atOnce[entry.link].server : atOnce[entry.link].client).contains(number)
      if isThere, flow.inFlight.isEmpty { return add(entry, connection, .arrived(value)) }
      flow.inFlight.append((number, value))
    case .receiver(let receiver) where receiver === track && number > flow.counted:
      flow.counted = number
      guard isOurs(track, value) else { return }
      depart(value, entry, connection, &flow)
      add(entry, connection, .arrived(value))
    default: if track.link.viewpoint == .air { flow.overhear(number, value, entry) }
    }
  }

  /// Where the captures at the ends are over, the air tells the rest.
  func takeOver(_ entry: EndEntry, _ track: LinkTrack, _ connection: Int, _ flow: inout Flow) {
    guard track.link.viewpoint == .air, !flow.isBlind else { return }
    let tellers: [LinkTrack] =
      switch flow.source {
      case .both(let sender, let receiver): [sender, receiver]
      case .sender(let own), .receiver(let own): [own]
      }
    guard tellers.allSatisfy({ $0 !== track && isOver($0, at: entry.instant) }) else { return }
    if track.isWhole {
      flow.source = .sender(track)
      let missed = flow.overheard.filter { $0.number > flow.counted }
      flow.overheard = []
      for (number, value, earlier) in missed {
        var entry = earlier
        entry.instant = max(earlier.instant, lastSeenElsewhere(connection, than: track))
        read(value, entry, track, connection, number, &flow)
      }
    } else {
      flow.isBlind = true
      add(entry, connection, .gap(.missed))
    }
  }

  /// When the captures of a connection but one ended.
  private func lastSeenElsewhere(_ connection: Int, than track: LinkTrack) -> SimInstant {
    pairing.connections[connection].tracks.filter { $0 !== track }.map { ends[$0.link.file] }.max() ?? .zero
  }

  private func depart(_ value: TrafficValue, _ entry: EndEntry, _ connection: Int, _ flow: inout Flow) {
    // A client writes again when it has the answer to the write before.
    if value.carrier == .writeRequest {
      tellAnswers(entry, connection, answerTeller(pairing.connections[connection], flow, at: entry.instant))
    }
    add(entry, connection, .departed(value, ordinal: flow.departed))
    flow.departed += 1
  }

  /// At the receiver's own capture. A clock that is a little off may show it before it was sent.
  private func arrive(_ value: TrafficValue, _ entry: EndEntry, _ connection: Int, _ flow: inout Flow) {
    let event = EndEvent(instant: entry.instant, place: entry.place, connection: connection, kind: .arrived(value))
    if let place = flow.inFlight.firstIndex(where: { $0.value.octets == value.octets }), flow.early.isEmpty {
      flow.inFlight.remove(at: place)
      events.append(event)
    } else {
      flow.early.append(event)
      while let first = flow.early.first, entry.instant - first.instant > Self.clockSlack {
        events.append(late(flow.early.removeFirst(), entry))
      }
    }
  }

  private func releaseEarly(_ entry: EndEntry, _ flow: inout Flow) {
    while let first = flow.early.first, case .arrived(let value) = first.kind {
      let place = flow.inFlight.firstIndex { $0.value.octets == value.octets }
      guard let place else { return }
      flow.inFlight.remove(at: place)
      events.append(late(flow.early.removeFirst(), entry))
    }
  }

  private func late(_ event: EndEvent, _ entry: EndEntry) -> EndEvent {
    var event = event
    event.instant = max(event.instant, entry.instant)
    return event
  }

  func deliver(
    upTo count: Int, _ entry: EndEntry, _ track: LinkTrack, _ connection: Int, _ flow: inout Flow
  ) {
    guard tells(flow, track, entry.instant) else { return }
    while let first = flow.inFlight.first, first.count <= count {
      add(entry, connection, .arrived(first.value))
      flow.inFlight.removeFirst()
    }
  }

  /// An answer proves that the oldest write, and all before it, came to the server.
  func deliverWrite(_ entry: EndEntry, _ connection: Int, _ flow: inout Flow) {
    guard let place = flow.inFlight.firstIndex(where: { $0.value.carrier == .writeRequest }) else { return }
    for flight in flow.inFlight[...place] { add(entry, connection, .arrived(flight.value)) }
    flow.inFlight.removeFirst(place + 1)
  }
}
