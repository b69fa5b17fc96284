package import BluetoothWire
package import SimKernel

/// One thing that happened at one end of a connection.
package struct EndEvent {
  package enum Kind {
    case opened(atServer: Bool)
    case closed(atServer: Bool, reason: HCI.ErrorCode?, isByServer: Bool?)
    /// An end has asked for the end of the link.
    case ending(atServer: Bool)
    case attMTU(atServer: Bool, Int)
    /// A value leaves an end; `ordinal` counts those of its direction.
    case departed(TrafficValue, ordinal: Int)
    /// An end has begun with a frame of which more is to come, or that frame is whole.
    case frame(fromServer: Bool, isOpen: Bool)
    /// A value is at the other end.
    case arrived(TrafficValue)
    /// The oldest notification, indication or write command of an end that is captured is acknowledged on the air, as
    /// its controller has told its host.
    case completed(fromServer: Bool)
    /// The client's oldest write is answered.
    case answered(error: UInt8?)
    /// Something of this connection is missing from every capture.
    case gap(TrafficGap?)
    case offered(address: BluetoothAddress?, adapter: TrafficAdapter?, ArraySlice<UInt8>)
    case looking(TrafficAdapter, Bool)
    /// Nothing is known of a device after this: its capture is over.
    case unwatched(TrafficAdapter)
    /// Nothing is known of a connection after this: all captures that showed it are over.
    case unseen
  }

  package var instant: SimInstant
  package var place: PacketPlace
  /// −1 for what is about no connection.
  package var connection: Int
  package var kind: Kind
}

/// Puts what several captures show of the same connections into one order: what leaves an end, and what gets to the
/// other.
///
/// That a value has arrived is shown by the capture at that end; without it by an acknowledgement on the air, by Number
/// Of Completed Packets, or by the answer to a write. When only the receiver was captured, what arrives has been sent.
/// An acknowledgement says that a value came, not when: a receiver may have acted on it long before its acknowledgement
/// was heard. So it came when it was first on the air, unless the receiver was heard without it since.
/// A capture tells of its end as long as it lasts; after its last packet the others do.
package final class EndTimeline {
  /// Clocks of two captures may still differ by this when a value seems to arrive before it was sent.
  static let clockSlack = SimDuration.milliseconds(250)
  /// A capture that ends this long before the others says nothing of its device from then on.
  private static let watchMargin = SimDuration.seconds(1)

  enum Source {
    case both(sender: LinkTrack, receiver: LinkTrack)
    case sender(LinkTrack)
    case receiver(LinkTrack)
  }

  struct Flow {
    var source: Source
    var departed = 0
    /// Values that have been told, ours or not. Tracks that are whole have all of them.
    var counted = 0
    var inFlight: [(count: Int, value: TrafficValue)] = []
    /// Arrivals that came before their departure.
    var early: [EndEvent] = []
    /// All captures that told of it are over, and what others have is not whole.
    var isBlind = false
    /// What the air had and those captures have not told yet: the last of it may be after their ends.
    var overheard: [(number: Int, value: TrafficValue, entry: EndEntry)] = []

    mutating func overhear(_ number: Int, _ value: TrafficValue, _ entry: EndEntry) {
      while let first = overheard.first, first.number <= counted { overheard.removeFirst() }
      if number > counted { overheard.append((number, value, entry)) }
    }

    /// The tracks of both ends, where both tell of it.
    var ends: (LinkTrack, LinkTrack)? {
      if case .both(let sender, let receiver) = source { return (sender, receiver) }
      return nil
    }
  }

  package internal(set) var events: [EndEvent] = []
  private var flows: [(server: Flow, client: Flow)] = []
  /// By link: the values, as they were counted, that came when they were first on the air.
  var atOnce: [(server: Set<Int>, client: Set<Int>)]
  /// By link: whether the write that waits for its answer is one of the protocol's.
  private var isWriteOurs: [Bool]
  /// By link: values so far, and the answers to writes, nil for success.
  private var seen: [(server: Int, client: Int)]
  private var answers: [[UInt8?]]
  /// By link: whether its answers can be counted: it is seen from its beginning, or from one of its writes on.
  private var countsAnswers: [Bool]
  /// By connection: how many answers have been told.
  private var answersTold: [Int]
  /// By link: values of the captured host, as they were counted, that its controller has not completed.
  private var uncompleted: [[Int]]
  /// By connection: which ends are open.
  private var isOpen: [(server: Bool, client: Bool)]
  let pairing: EndPairing
  /// The last thing seen of each capture.
  let ends: [SimInstant]
  var losses: EndLosses
  let isOurs: (LinkTrack, TrafficValue) -> Bool

  /// - Parameter isOurs: asked again, because by now more is known of handles.
  package init(
    _ recorder: EndRecorder, _ pairing: EndPairing, end: SimInstant, isOurs: @escaping (LinkTrack, TrafficValue) -> Bool
  ) {
    self.pairing = pairing
    ends = recorder.ends
    self.isOurs = isOurs
    isWriteOurs = Array(repeating: false, count: recorder.tracks.count)
    atOnce = Array(repeating: ([], []), count: recorder.tracks.count)
    seen = Array(repeating: (0, 0), count: recorder.tracks.count)
    answers = Array(repeating: [], count: recorder.tracks.count)
    uncompleted = Array(repeating: [], count: recorder.tracks.count)
    countsAnswers = recorder.tracks.map(\.link.isFromStart)
    answersTold = Array(repeating: 0, count: pairing.connections.count)
    isOpen = Array(repeating: (false, false), count: pairing.connections.count)
    for entry in recorder.entries {
      guard case .delivered(let fromServer, let count, true) = entry.kind else { continue }
      if fromServer { atOnce[entry.link].server.insert(count) } else { atOnce[entry.link].client.insert(count) }
    }
    losses = EndLosses(recorder, pairs: [])
    flows = pairing.connections.map { connection in
      (
        Flow(source: Self.source(connection, fromServer: true)),
        Flow(source: Self.source(connection, fromServer: false))
      )
    }
    losses = EndLosses(recorder, pairs: flows.compactMap(\.server.ends))
    var unwatched = (Self.unwatched(recorder, end: end) + unseen(end: end)).sorted { $0.instant < $1.instant }
    for entry in recorder.entries {
      while let first = unwatched.first, first.instant < entry.instant { events.append(unwatched.removeFirst()) }
      read(entry, recorder, end: end)
    }
    events += unwatched
    for index in flows.indices { events += flows[index].server.early + flows[index].client.early }
  }

  private static func unwatched(_ recorder: EndRecorder, end: SimInstant) -> [EndEvent] {
    var found: [EndEvent] = []
    var adapters: [TrafficAdapter] = []
    for track in recorder.tracks where track.isOurs {
      guard let adapter = track.link.adapter, !adapters.contains(where: { $0 === adapter }) else { continue }
      adapters.append(adapter)
      let last = recorder.ends[adapter.file]
      guard end - last > watchMargin else { continue }
      found.append(
        EndEvent(
          instant: last, place: PacketPlace(file: adapter.file, number: 0), connection: -1, kind: .unwatched(adapter)))
    }
    return found
  }

  /// Connections that are up when the last capture of them ends, and others go on.
  private func unseen(end: SimInstant) -> [EndEvent] {
    pairing.connections.compactMap { connection in
      let last = lastSeen(connection)
      guard end - last > Self.watchMargin, connection.closedAt.map({ $0 > last }) ?? true else { return nil }
      let file = connection.tracks.map(\.link.file).max { ends[$0] < ends[$1] } ?? 0
      return EndEvent(
        instant: last, place: PacketPlace(file: file, number: 0), connection: connection.index, kind: .unseen)
    }
  }

  private func lastSeen(_ connection: EndConnection) -> SimInstant {
    connection.tracks.map { ends[$0.link.file] }.max() ?? .zero
  }

  /// Which captures tell of a direction.
  private static func source(_ connection: EndConnection, fromServer: Bool) -> Source {
    let sender = connection.track(ofServer: fromServer)
    let receiver = connection.track(ofServer: !fromServer)
    let isWhole = { (track: LinkTrack?) in track?.isWhole ?? false }
    if let sender, let receiver, isWhole(sender), isWhole(receiver) {
      return .both(sender: sender, receiver: receiver)
    }
    if let sender, isWhole(sender) { return .sender(sender) }
    if let receiver, isWhole(receiver) { return .receiver(receiver) }
    if let air = connection.air, isWhole(air) { return .sender(air) }
    // None is whole. A gap is told, and what was said before a capture began is not: the beginning counts most.
    let views = [sender, receiver, connection.air].compactMap(\.self)
    let teller = views.first { $0.link.isFromStart } ?? views[0]
    return teller === receiver ? .receiver(teller) : .sender(teller)
  }

  /// The capture that tells of an end itself, as long as it lasts; before it and after it what others show.
  func view(_ connection: EndConnection, atServer: Bool, at instant: SimInstant) -> LinkTrack {
    let views = views(connection, atServer: atServer)
    return views.first { covers($0, instant) } ?? views[0]
  }

  /// The capture that tells when a client has the answers to its writes: the one that tells of the writes, where only
  /// one does. Another may not have the same writes, and its clock may show an answer before its write.
  func answerTeller(_ connection: EndConnection, _ flow: Flow, at instant: SimInstant) -> LinkTrack {
    switch flow.source {
    case .sender(let own), .receiver(let own): return own
    case .both:
      let views = views(connection, atServer: false)
      return views.first { covers($0, instant) && countsAnswers[$0.link.index] } ?? views[0]
    }
  }

  /// The capture at an end, that at the other one, that of the air.
  private func views(_ connection: EndConnection, atServer: Bool) -> [LinkTrack] {
    [connection.track(ofServer: atServer), connection.track(ofServer: !atServer), connection.air].compactMap(\.self)
  }

  /// Whether a capture at the server's or the client's own HCI tells of a connection at some time.
  package func isWatched(_ connection: EndConnection, atServer: Bool, at instant: SimInstant) -> Bool {
    connection.track(ofServer: atServer).map { covers($0, instant) } ?? false
  }

  /// Whether it is the receiver's own capture that tells when values come to it. One that lacks something, as one that
  /// begins inside the connection does, leaves that to the sender's, which hears of it later.
  package func showsArrivals(_ connection: EndConnection, fromServer: Bool, at instant: SimInstant) -> Bool {
    switch Self.source(connection, fromServer: fromServer) {
    case .both(_, let receiver), .receiver(let receiver): covers(receiver, instant)
    case .sender: false
    }
  }

  /// Whether any capture tells of a connection at some time: one that begins inside the connection says nothing of what
  /// was before.
  package func isSeen(_ connection: EndConnection, at instant: SimInstant) -> Bool {
    connection.tracks.contains { covers($0, instant) }
  }

  /// Whether a capture tells of a connection at some time: it has begun, and is not over.
  private func covers(_ track: LinkTrack, _ instant: SimInstant) -> Bool {
    !isOver(track, at: instant) && (track.link.isFromStart || track.link.openedAt <= instant)
  }

  /// Whether nothing of a link can be seen any more, because its capture is over.
  func isOver(_ track: LinkTrack, at instant: SimInstant) -> Bool {
    ends.indices.contains(track.link.file) && instant > ends[track.link.file]
  }

  private func read(_ entry: EndEntry, _ recorder: EndRecorder, end: SimInstant) {
    switch entry.kind {
    case .offered(let address, let adapter, let data):
      return add(entry, -1, .offered(address: address, adapter: adapter, data))
    case .looking(let adapter, let isLooking): return add(entry, -1, .looking(adapter, isLooking))
    default: break
    }
    guard let index = pairing.connectionOfLink[entry.link] else { return }
    let connection = pairing.connections[index]
    let track = recorder.tracks[entry.link]
    switch entry.kind {
    case .opened:
      atEnds(connection, track, entry.instant) { open(entry, index, atServer: $0) }
      if !connection.isFromStart, track === connection.tracks[0] { add(entry, index, .gap(nil)) }
    case .closed(let reason, let isByServer):
      // Links that are up when all captures are over, or their own, were closed by nobody.
      if reason == nil, entry.instant == end || isOver(track, at: entry.instant) { return }
      atEnds(connection, track, entry.instant) {
        add(entry, index, .closed(atServer: $0, reason: reason, isByServer: isByServer))
      }
    case .attMTU(let attMTU):
      // It is one for both ends: a capture that began later knows it from the other one.
      for atServer in [true, false] {
        let view = view(connection, atServer: atServer, at: entry.instant)
        guard view === track || !view.link.isFromStart else { continue }
        add(entry, index, .attMTU(atServer: atServer, attMTU))
      }
    case .value(let value, _):
      if value.carrier == .writeRequest { startWrite(value, entry, index, track) }
      if isOwn(track, fromServer: value.isFromServer), value.carrier != .writeRequest, isOurs(track, value) {
        uncompleted[entry.link].append(1 + (value.isFromServer ? seen[entry.link].server : seen[entry.link].client))
      }
      if value.isFromServer {
        seen[entry.link].server += 1
        read(value, entry, track, index, seen[entry.link].server, &flows[index].server)
      } else {
        seen[entry.link].client += 1
        read(value, entry, track, index, seen[entry.link].client, &flows[index].client)
      }
    case .frame(let byCentral, let isOpen):
      add(entry, index, .frame(fromServer: byCentral == track.isServerCentral, isOpen: isOpen))
    case .ending(let byCentral): add(entry, index, .ending(atServer: byCentral == track.isServerCentral))
    case .delivered(let fromServer, let count, _):
      while isOwn(track, fromServer: fromServer), let first = uncompleted[entry.link].first, first <= count {
        uncompleted[entry.link].removeFirst()
        add(entry, index, .completed(fromServer: fromServer))
      }
      if fromServer {
        deliver(upTo: count, entry, track, index, &flows[index].server)
      } else {
        deliver(upTo: count, entry, track, index, &flows[index].client)
      }
    case .answered(let error):
      guard isWriteOurs[entry.link] else { return }
      takeOver(entry, track, index, &flows[index].client)
      if flows[index].client.isBlind { return }
      if tells(flows[index].client, track, entry.instant) { deliverWrite(entry, index, &flows[index].client) }
      answers[entry.link].append(error)
      let teller = answerTeller(connection, flows[index].client, at: entry.instant)
      if teller === track { tellAnswers(entry, index, track) }
    case .gap(_, let gap):
      let flow = flows[index]
      if uses(flow.server, track) || uses(flow.client, track) { add(entry, index, .gap(gap)) }
    case .offered, .looking: break
    }
  }

  private func startWrite(_ value: TrafficValue, _ entry: EndEntry, _ connection: Int, _ track: LinkTrack) {
    isWriteOurs[entry.link] = isOurs(track, value)
    if countsAnswers[entry.link] { return }
    // A client writes when it has the answers to all writes before, which others have told.
    countsAnswers[entry.link] = true
    answers[entry.link] = Array(repeating: nil, count: answersTold[connection])
  }

  /// Whether a link is seen at the HCI of the end that sends.
  private func isOwn(_ track: LinkTrack, fromServer: Bool) -> Bool {
    track.link.viewpoint != .air && track.isLocalServer == fromServer
  }

  /// What the capture that tells of the client has of answers, and the one before it had not.
  func tellAnswers(_ entry: EndEntry, _ connection: Int, _ track: LinkTrack) {
    for error in answers[track.link.index].dropFirst(answersTold[connection]) {
      add(entry, connection, .answered(error: error))
      answersTold[connection] += 1
    }
  }

  /// Tells that an end is open, unless a capture that began earlier has.
  private func open(_ entry: EndEntry, _ connection: Int, atServer: Bool) {
    if atServer ? isOpen[connection].server : isOpen[connection].client { return }
    if atServer { isOpen[connection].server = true } else { isOpen[connection].client = true }
    add(entry, connection, .opened(atServer: atServer))
  }

  private func atEnds(
    _ connection: EndConnection, _ track: LinkTrack, _ instant: SimInstant, _ body: (_ atServer: Bool) -> Void
  ) {
    if view(connection, atServer: true, at: instant) === track { body(true) }
    if view(connection, atServer: false, at: instant) === track { body(false) }
  }

  /// Whether it is the sender's capture that tells what has arrived.
  func tells(_ flow: Flow, _ track: LinkTrack, _ instant: SimInstant) -> Bool {
    switch flow.source {
    case .both(let sender, let receiver): sender === track && isOver(receiver, at: instant)
    case .sender(let sender): sender === track
    case .receiver: false
    }
  }

  private func uses(_ flow: Flow, _ track: LinkTrack) -> Bool {
    switch flow.source {
    case .both: false
    case .sender(let own), .receiver(let own): own === track
    }
  }

  func add(_ entry: EndEntry, _ connection: Int, _ kind: EndEvent.Kind) {
    events.append(EndEvent(instant: entry.instant, place: entry.place, connection: connection, kind: kind))
  }
}
