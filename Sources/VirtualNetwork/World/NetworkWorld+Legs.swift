import AppSeam
import NetworkWire
import SimKernel

extension NetworkWorld {
  // MARK: Making

  /// A socket of a device towards another one.
  func makeLeg(
    _ device: NetworkDevice, to remote: Int, _ interface: NetworkInterface, localPort: UInt16, remotePort: UInt16,
    isDatagram: Bool, keepAlive: KeepAliveRequest?
  ) -> NetworkLeg {
    var end: StreamEnd?
    if !isDatagram {
      var settings = device.station.stream
      settings.maximumSegment = device.station.maximumSegment(on: interface)
      settings.keepAlive = keepAlive.map {
        func bounded(_ time: SimDuration) -> SimDuration { min(max(time, .milliseconds(1)), Self.longestTime) }
        return StreamSettings.KeepAlive(
          idle: bounded($0.idle), interval: bounded($0.interval), count: max($0.count, 1))
      }
      end = StreamEnd(settings)
    }
    device.streamsOpened += 1
    let number = draws.words(Purpose.sequence.rawValue, device.number, device.streamsOpened)[0]
    let leg = NetworkLeg(
      legs.count, device: device.index, remote: remote, interface: interface, localPort: localPort,
      remotePort: remotePort, end: end, initialSequence: UInt32(truncatingIfNeeded: number))
    legs.append(leg)
    return leg
  }

  /// What follows from anything that was done to an end: segments out, events, a deadline.
  func settle(_ leg: NetworkLeg) { leg.keptEnd?.with { settle(leg, $0) } }

  private func settle(_ leg: NetworkLeg, _ end: StreamEnd) {
    flush(leg, end)
    while let event = end.happened.popFirst() {
      react(to: event, of: leg, end)
      if !end.outgoing.isEmpty { flush(leg, end) }
    }
    guard let deadline = end.deadline else {
      if leg.timer != nil { stopTimer(leg) }
      return
    }
    // A deadline that moves away is found out when its time comes, as most of them do; only where an answer is no
    // longer waited for, which nearly always comes, the timer moves with it.
    let isAnswered = leg.waitsForAnswer && !end.waitsForAnswer
    if deadline == leg.timerInstant || deadline > leg.timerInstant && !isAnswered { return }
    leg.waitsForAnswer = end.waitsForAnswer
    let instant = max(deadline, timeline.now)
    if let timer = leg.timer {
      timeline.reschedule(timer, to: instant)
    } else {
      leg.timer = timeline.schedule(SimEvent(kind: Kind.leg.rawValue, target: UInt32(leg.index)), at: instant)
    }
    leg.timerInstant = instant
  }

  private func flush(_ leg: NetworkLeg, _ end: StreamEnd) {
    while let segment = end.outgoing.popFirst() {
      devices.with(leg.device) { device in
        device.statistics.segments += 1
        if segment.isRepeat { device.statistics.retransmissions += 1 }
      }
      send(
        Packet(
          source: leg.device, destination: leg.remote, interface: leg.interface, from: leg.index, to: leg.peer,
          content: .segment(segment)))
    }
  }

  func legIsDue(_ leg: NetworkLeg) {
    leg.timer = nil
    leg.timerInstant = .distantFuture
    leg.end?.advance(to: timeline.now)
    settle(leg)
  }

  /// Nobody asks after a leg any more: RST if its handshake was through.
  func abort(_ leg: NetworkLeg) {
    leg.connection = -1
    leg.end?.abort()
    settle(leg)
    forget(leg)
  }

  func forget(_ leg: NetworkLeg) {
    leg.isGone = true
    leg.inbox.removeAll()
    release(leg)
    stopTimer(leg)
  }

  private func stopTimer(_ leg: NetworkLeg) {
    cancel(&leg.timer)
    leg.timerInstant = .distantFuture
  }

  /// Its listener may take another one.
  func release(_ leg: NetworkLeg) {
    leg.listener?.unaccepted -= 1
    assert(leg.listener.map { $0.unaccepted >= 0 } ?? true, "no more streams are accepted than have come in")
    leg.listener = nil
  }

  // MARK: Events of ends

  private func react(to event: StreamEnd.Event, of leg: NetworkLeg, _ end: StreamEnd) {
    let connection = leg.connection >= 0 ? connections[leg.connection] : nil
    switch event {
    case .established:
      if let connection { won(connection, leg) } else { accept(leg) }
    case .readable:
      if let connection {
        queueReadable(connection)
      } else if end.readable > 0 {
        // Its app has closed it and reads nothing more (RFC 9293, 3.10.4).
        abort(leg)
      }
    case .writable:
      if let connection { tell(devices[leg.device], .room(connection.id)) }
    case .reset, .timedOut:
      let wasOpening = connection?.state == .connecting
      forget(leg)
      if let connection { lost(connection, leg, event == .timedOut ? .timedOut : wasOpening ? .refused : .reset) }
    case .closed: break
    }
  }

  /// A stream that came in is ready: its app is told.
  func accept(_ leg: NetworkLeg) {
    devices.with(leg.device) { device in
      let id = ConnectionID(device.nextIncoming)
      device.nextIncoming += 2
      let connection = NetworkConnection(
        connections.count, device: leg.device, id: id, request: nil, isDatagram: leg.end == nil, state: .ready)
      connections.append(connection)
      device.connections[id] = connection.index
      device.open.append(connection.index)
      device.statistics.connections += 1
      connection.leg = leg.index
      leg.connection = connection.index
      tell(device, .incoming(id, leg.interface, peer: devices[leg.remote].station.name))
      connection.isViable = true
      reviewViability(connection)
    }
  }

  // MARK: Packets in

  /// A packet has come to its device.
  func arrive(_ place: Int) {
    let packet = packets.take(place)
    guard devices.with(packet.destination, { !$0.isVanished && $0.hasLink(packet.interface) }) else { return }
    if wantsPackets { capture(packet, packet.destination, isOutgoing: false) }
    switch packet.content {
    case .segment(let segment): receive(segment, packet)
    case .datagram(let octets): receive(octets, packet)
    case .names(let message): receive(message, packet)
    case .resolution(let target, let isAnswer): receiveResolution(target: target, isAnswer: isAnswer, packet)
    }
  }

  private func receive(_ segment: StreamSegment, _ packet: Packet) {
    var to = packet.to
    if to < 0 {
      to = legs.with(packet.from) { $0.peer }
      if to < 0 { to = open(segment, packet) }
      if to < 0 { return }
    }
    legs.with(to) { leg in
      if leg.isGone, !(leg.end?.answersLate(segment) ?? false) { return refuse(segment, packet) }
      leg.keptEnd?.with { end in
        end.receive(segment, at: timeline.now)
        settle(leg, end)
      }
    }
  }

  /// A segment to a port that has no stream yet.
  /// - Returns: the leg that takes it, or -1.
  private func open(_ segment: StreamSegment, _ packet: Packet) -> Int {
    let client = legs[packet.from]
    let device = devices[packet.destination]
    guard segment.flags.contains(.syn),
      let listener = device.listeners.first(where: {
        $0.port == client.remotePort && !$0.isDatagram && $0.takes(packet.interface)
      })
    else {
      refuse(segment, packet)
      return -1
    }
    if listener.unaccepted >= NetworkListener.backlog { return -1 }
    let leg = makeLeg(
      device, to: packet.source, packet.interface, localPort: client.remotePort, remotePort: client.localPort,
      isDatagram: false, keepAlive: listener.request.keepAlive)
    leg.peer = client.index
    client.peer = leg.index
    listener.unaccepted += 1
    leg.listener = listener
    return leg.index
  }

  /// RST for what belongs to no stream (RFC 9293, 3.10.7.1).
  private func refuse(_ segment: StreamSegment, _ packet: Packet) {
    guard !segment.flags.contains(.rst), packet.from >= 0 else { return }
    let isAnswer = segment.flags.contains(.ack)
    let answer = StreamSegment(
      sequence: isAnswer ? segment.acknowledgement : 0, acknowledgement: segment.sequence + segment.length,
      flags: isAnswer ? .rst : [.rst, .ack], window: 0)
    devices.with(packet.destination) { $0.statistics.segments += 1 }
    send(
      Packet(
        source: packet.destination, destination: packet.source, interface: packet.interface, from: packet.to,
        to: packet.from, content: .segment(answer)))
  }

  private func receive(_ octets: [UInt8], _ packet: Packet) {
    var to = packet.to
    if to < 0 {
      to = legs.with(packet.from) { $0.peer }
      if to < 0 { to = associate(packet) }
      if to < 0 { return }
    }
    legs.with(to) { leg in
      guard !leg.isGone, leg.connection >= 0, leg.inbox.count < NetworkLeg.longestInbox else { return }
      leg.inbox.append(octets)
      connections.with(leg.connection) { queueReadable($0) }
    }
  }

  /// The first datagram from a socket: a connection that comes in.
  private func associate(_ packet: Packet) -> Int {
    let client = legs[packet.from]
    let device = devices[packet.destination]
    let listener = device.listeners.first {
      $0.port == client.remotePort && $0.isDatagram && $0.takes(packet.interface)
    }
    guard let listener, listener.unaccepted < NetworkListener.backlog else { return -1 }
    let leg = makeLeg(
      device, to: packet.source, packet.interface, localPort: client.remotePort, remotePort: client.localPort,
      isDatagram: true, keepAlive: nil)
    leg.peer = client.index
    client.peer = leg.index
    listener.unaccepted += 1
    leg.listener = listener
    accept(leg)
    return leg.index
  }
}
