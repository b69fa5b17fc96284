import AppSeam
import SimKernel

extension WiFiAir {
  /// A packet is to be sent, over the access point or from peer to peer.
  func accept(_ packet: Packet) {
    guard let owner else { return }
    let (source, destination) = (packet.source, packet.destination)
    var frame = WiFiFrame(source: source, destination: destination, octets: packet.octets + WiFiTimes.framing)
    if packet.interface == .infrastructure {
      if accessPoint?.isEncrypted == true { frame.octets += WiFiTimes.encryption }
      frame.packet = owner.packets.put(packet)
      return enqueue(frame, from: source, to: accessPointStation)
    }
    if destination != Packet.everybody {
      guard owner.neighbours.knows(source, destination) else { return owner.noteLoss(packet) }
      // What waits for a receiver that never comes has left its host all the same.
      if isApart(source, from: destination), owner.wantsPackets {
        frame.isShown = true
        owner.capture(packet, source, isOutgoing: true, isLost: true)
      }
      frame.packet = owner.packets.put(packet)
      frame.number = owner.paths.number(source, destination)
      if case .resolution(_, isAnswer: false) = packet.content {
        frame.isUnanswered = true
        frame.isFirstOfGroup = true
      }
      return enqueue(frame, from: source, to: destination)
    }
    // Neighbours need not be on one channel at one time: each gets a frame of its own.
    frame.isUnanswered = true
    frame.isFirstOfGroup = true
    for device in 0..<devices where device != source && owner.neighbours.knows(source, device) {
      var copy = packet
      copy.destination = device
      frame.destination = device
      frame.packet = owner.packets.put(copy)
      frame.number = owner.paths.number(source, device)
      enqueue(frame, from: source, to: device)
      frame.isFirstOfGroup = false
    }
  }
}

extension NetworkWorld {
  // MARK: Frames

  /// Whether a station receives a frame that is sent to it now.
  func isReceived(_ frame: inout WiFiFrame, from station: Int, to receiver: Int, at now: SimInstant) -> Bool {
    // Who hears a frame to a group is asked when it is over.
    guard let air, receiver != air.group else { return true }
    let (isUp, isDown) = (receiver == devices.count, station == devices.count)
    let device = isUp ? station : receiver
    if devices[device].isVanished || !reaches(station, receiver) { return false }
    if isUp { return devices[device].isJoined }
    if !paths.passes(frame.source, frame.destination, isDown ? .infrastructure : .peerToPeer) { return false }
    if paths.dropsAltogether(frame.source, frame.destination, number: frame.number) {
      frame.attempts = WiFiTimes.maximumAttempts
      return false
    }
    return !paths.fails(frame.source, frame.destination, number: frame.number, attempt: frame.attempts, at: now)
  }

  /// A frame was received, or was tried for the last time; its PPDU ends at an instant that is still to come.
  func frameIsOver(_ frame: WiFiFrame, from station: Int, to receiver: Int, at end: SimInstant) {
    guard let air, frame.packet >= 0 else { return }
    func event(_ kind: Kind, _ target: Int, _ place: Int, at instant: SimInstant) {
      timeline.schedule(
        SimEvent(kind: kind.rawValue, target: UInt32(target), argument: UInt64(place)), at: instant)
    }
    if receiver == air.accessPointStation {
      return event(frame.isReceived ? .relay : .loss, station, frame.packet, at: end)
    }
    if receiver == air.group { return deliverToGroup(packets.take(frame.packet), at: end) }
    if station != air.accessPointStation, wantsPackets, !frame.isShown,
      frame.isReceived || frame.isUnanswered
    {
      if !frame.isUnanswered || frame.isFirstOfGroup {
        event(.sent, station, packets.put(packets.look(frame.packet)), at: end)
      }
    }
    if frame.isReceived { return deliver(packets.take(frame.packet), at: end) }
    if station != air.accessPointStation, !frame.isUnanswered, !frame.isShown {
      return event(.loss, station, frame.packet, at: end)
    }
    let packet = packets.take(frame.packet)
    if !frame.isUnanswered { devices.with(packet.source) { $0.statistics.losses += 1 } }
  }

  private func deliver(_ packet: Packet, at end: SimInstant) {
    let (from, to) = (packet.source, packet.destination)
    let arrival = paths.departure(from, to, octets: packet.octets, at: end) + paths.delay(from, to)
    timeline.schedule(
      SimEvent(kind: Kind.arrival.rawValue, target: UInt32(to), argument: UInt64(packets.put(packet))), at: arrival)
  }

  /// The access point has sent a frame to everybody, which nobody acknowledges.
  private func deliverToGroup(_ packet: Packet, at end: SimInstant) {
    guard let air, let accessPoint = air.accessPoint else { return }
    let channel = air.number(of: accessPoint.channel)
    for device in devices where device.index != packet.source {
      let number = paths.number(packet.source, device.index)
      guard air.infrastructure[device.index].channel(at: timeline.now) == channel,
        paths.passes(packet.source, device.index, .infrastructure),
        !paths.fails(packet.source, device.index, number: number, attempt: 1, at: timeline.now)
      else { continue }
      var copy = packet
      copy.destination = device.index
      deliver(copy, at: end)
    }
  }

  /// The access point has a packet, and sends it on.
  func relay(_ place: Int) {
    guard let air, let accessPoint = air.accessPoint else { return }
    let packet = packets.look(place)
    if wantsPackets { capture(packet, packet.source, isOutgoing: true) }
    let isToGroup = packet.destination == Packet.everybody
    let isKept =
      accessPoint.isolates
      || (isToGroup ? !accessPoint.forwardsMulticast : !devices[packet.destination].isJoined)
    if isKept {
      if !isToGroup { devices.with(packet.source) { $0.statistics.losses += 1 } }
      _ = packets.take(place)
      return
    }
    var frame = WiFiFrame(
      packet: place, source: packet.source, destination: packet.destination,
      octets: packet.octets + WiFiTimes.framing + (accessPoint.isEncrypted ? WiFiTimes.encryption : 0))
    frame.isUnanswered = isToGroup
    if !isToGroup { frame.number = paths.number(packet.source, packet.destination) }
    air.enqueue(
      frame, from: air.accessPointStation, to: isToGroup ? air.group : packet.destination)
  }

  /// A station, which may be the access point, sends for so long.
  func noteAirtime(_ time: SimDuration, of station: Int) {
    if station < devices.count { devices.with(station) { $0.statistics.airtime = $0.statistics.airtime + time } }
  }

  // MARK: Frames without packets

  /// MAC header, fields and elements of a beacon or a synchronisation frame (NET 3.3).
  static let beaconOctets = 200

  func sendBeacon() {
    guard let air else { return }
    var frame = WiFiFrame(octets: Self.beaconOctets)
    frame.isUnanswered = true
    air.enqueue(frame, from: air.accessPointStation, to: air.group)
    _ = schedule(.beacon, 0, after: Self.beaconInterval)
  }

  /// A frame in the present window, if there is one, and a plan for the next.
  func sendSynchronisation(_ device: NetworkDevice) {
    guard let air, device.isAwake else { return device.synchronisation = nil }
    let station = air.stations[device.index]
    let isInWindow = air.peerToPeer[device.index].channel(at: timeline.now) != ChannelSequence.off
    if isInWindow, !device.isVanished, station.queues[air.group].isEmpty {
      var frame = WiFiFrame(octets: Self.beaconOctets)
      frame.isUnanswered = true
      air.enqueue(frame, from: device.index, to: air.group)
    }
    device.synchronisation = schedule(
      .synchronisation, device.index, after: isMaster(device) ? Self.masterInterval : Self.slaveInterval)
  }

  /// Whether nobody that it sees is to lead the cluster in its place (NET 4.9).
  func isMaster(_ device: NetworkDevice) -> Bool {
    !devices.contains {
      $0.index != device.index && neighbours.knows($0.index, device.index)
        && device.rank < $0.rank
    }
  }

  // MARK: Sequences

  /// Tells the air which channels radios are on now (NET 4.4, 4.5).
  func retune() {
    guard let air else { return }
    let access = air.accessPoint.map { air.number(of: $0.channel) }
    let (six, upper) = (air.number(of: .social6), air.number(of: air.rules.upperChannel))
    func numbers(_ list: [WiFiChannel?]) -> [Int8] { list.map { $0.map(air.number) ?? ChannelSequence.off } }
    let off = ChannelSequence.off
    let active =
      air.rules.active.map(numbers) ?? Array(repeating: upper, count: 8) + Array(repeating: six, count: 8)
    let idle =
      air.rules.idle.map(numbers)
      ?? [upper, off, off, off, off, off, off, off, six, upper, upper, off, off, off, off, off]
    var infrastructure: [ChannelSequence] = []
    var peerToPeer: [ChannelSequence] = []
    for device in devices {
      let joined = device.wantsInfrastructure && device.wifiIsOn ? access : nil
      guard device.isAwake else {
        infrastructure.append(joined.map { ChannelSequence(always: $0) } ?? .never)
        peerToPeer.append(.never)
        continue
      }
      let isActive = asks(device)
      var list = isActive ? active : idle
      var windows: UInt16 = 0xFFFF
      if let joined, !list.contains(joined) {
        for slot in 0..<16 where isActive ? slot % 4 < 2 : list[slot] == off {
          list[slot] = joined
          windows &= ~(1 << UInt16(slot))
        }
      }
      let physical = ChannelSequence(list)
      var atHome: UInt16 = 0
      for slot in 0..<16 where list[slot] == joined { atHome |= 1 << UInt16(slot) }
      infrastructure.append(physical.only(atHome))
      peerToPeer.append(physical.only(windows))
      if device.synchronisation == nil {
        device.synchronisation = schedule(.synchronisation, device.index, after: .zero)
      }
    }
    air.tune(infrastructure: infrastructure, peerToPeer: peerToPeer)
  }

  /// What waits on an interface that has no link any more is not sent.
  func dropFrames(_ device: Int, _ interface: NetworkInterface) {
    guard let air else { return }
    switch interface {
    case .infrastructure: dropFrames(between: device, air.accessPointStation)
    case .peerToPeer:
      for other in devices where other.index != device { dropFrames(between: device, other.index) }
    }
  }

  func dropFrames(between a: Int, _ b: Int) {
    guard let air else { return }
    for frame in air.drop(from: a, to: b) + air.drop(from: b, to: a) {
      let packet = packets.take(frame.packet)
      if frame.isShown || frame.isUnanswered {
        devices.with(packet.source) { $0.statistics.losses += 1 }
      } else {
        noteLoss(packet)
      }
    }
  }
}
