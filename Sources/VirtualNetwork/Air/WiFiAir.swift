import AppSeam
import SimKernel

/// The channels of a room and the stations on them (NET 2): whose turn it is, what a frame takes, who receives it.
///
/// All stations on a channel sense each other. A turn is decided when it begins: an exchange is one event.
final class WiFiAir {
  struct Channel {
    let channel: WiFiChannel
    var busyUntil = SimInstant.zero
    /// Stations that wait for a turn, in no order.
    var contenders: [Int] = []
    var event: EventHandle?
  }

  unowned var owner: NetworkWorld?
  let timeline: Timeline
  let rules: PeerToPeerRules
  let accessPoint: AccessPoint?
  /// Devices; the access point has the number after the last one, and groups the one after that.
  let devices: Int
  @exclusivity(unchecked) private(set) var channels: [Channel] = []
  @exclusivity(unchecked) private(set) var stations: [WiFiStation] = []
  /// When a station and a receiver are on a channel together.
  @exclusivity(unchecked) private var openings: [ChannelSequence]
  /// When devices are on the access point's channel, and on those of AWDL.
  @exclusivity(unchecked) private(set) var infrastructure: [ChannelSequence]
  @exclusivity(unchecked) private(set) var peerToPeer: [ChannelSequence]

  init(_ room: NetworkRoom, _ names: [NetworkStation], seed: UInt64, timeline: Timeline) {
    self.timeline = timeline
    rules = room.peerToPeer
    accessPoint = room.accessPoint
    devices = names.count
    openings = Array(repeating: .never, count: (names.count + 1) * (names.count + 2))
    infrastructure = Array(repeating: .never, count: names.count)
    peerToPeer = infrastructure
    for index in 0...names.count {
      let component = index < names.count ? "network/\(names[index].name)" : "network"
      stations.append(
        WiFiStation(
          index, receivers: names.count + 2,
          random: RandomStream(seed: seed, component: component, purpose: "backOff")))
    }
  }

  var accessPointStation: Int { devices }
  var group: Int { devices + 1 }

  /// The dense number of a channel.
  func number(of channel: WiFiChannel) -> Int8 {
    if let known = channels.firstIndex(where: { $0.channel == channel }) { return Int8(known) }
    channels.append(Channel(channel: channel))
    return Int8(channels.count - 1)
  }

  func occupy(_ channel: Int, until end: SimInstant) { channels[channel].busyUntil = end }

  func isFull(_ device: Int) -> Bool { stations[device].waiting >= 256 }

  // MARK: Tuning

  /// Radios follow other sequences from now on.
  func tune(infrastructure: [ChannelSequence], peerToPeer: [ChannelSequence]) {
    if infrastructure == self.infrastructure, peerToPeer == self.peerToPeer { return }
    self.infrastructure = infrastructure
    self.peerToPeer = peerToPeer
    let width = devices + 2
    for a in 0..<devices {
      for b in 0..<devices where b != a { openings[a * width + b] = peerToPeer[a].common(peerToPeer[b]) }
      openings[a * width + accessPointStation] = infrastructure[a]
      openings[accessPointStation * width + a] = infrastructure[a]
      openings[a * width + group] = peerToPeer[a]
    }
    if let accessPoint {
      // What goes to everybody waits until everybody is there, if that is ever so.
      let own = ChannelSequence(always: number(of: accessPoint.channel))
      let joined = infrastructure.filter { !$0.isNever }
      let common = joined.reduce(own) { $0.common($1) }
      openings[accessPointStation * width + group] = common.isNever ? own : common
    }
    for station in stations { contendAgain(station) }
  }

  private func opening(_ station: Int, _ receiver: Int) -> ChannelSequence {
    openings[station * (devices + 2) + receiver]
  }

  // MARK: Queues

  func enqueue(_ frame: WiFiFrame, from station: Int, to receiver: Int) {
    let sender = stations[station]
    sender.queues[receiver].append(frame)
    if !sender.isContending { return contend(sender, from: timeline.now) }
    // A frame that can go earlier than the one that waits.
    guard sender.queues[receiver].count == 1, sender.opens > timeline.now,
      let opening = opening(station, receiver).opening(from: timeline.now), opening.start < sender.opens
    else { return }
    contendAgain(sender)
  }

  /// Whether a station can never meet a receiver as things are: one of them sleeps.
  func isApart(_ station: Int, from receiver: Int) -> Bool { opening(station, receiver).isNever }

  /// Forgets what waits between two stations, one way.
  /// - Returns: the frames that have a packet.
  func drop(from station: Int, to receiver: Int) -> [WiFiFrame] {
    let sender = stations[station]
    if sender.queues[receiver].isEmpty { return [] }
    let frames = sender.queues[receiver].filter { $0.packet >= 0 }
    sender.queues[receiver] = []
    if sender.isContending, sender.receiver == receiver { contendAgain(sender) }
    return frames
  }

  // MARK: Turns

  private func contendAgain(_ station: WiFiStation) {
    leave(station)
    contend(station, from: timeline.now)
  }

  private func leave(_ station: WiFiStation) {
    guard station.isContending else { return }
    station.isContending = false
    channels[station.channel].contenders.removeAll { $0 == station.index }
    plan(station.channel)
  }

  /// Chooses the receiver whose time comes first and waits for a turn: DIFS and a back-off after the channel is free.
  private func contend(_ station: WiFiStation, from instant: SimInstant) {
    var from = instant
    // A frame that does not fit into what is left of a time waits for the next one.
    for _ in 0..<4 * ChannelSequence.count {
      guard let (receiver, opening) = firstOpening(station, from: from) else { return }
      let channel = channels[opening.channel]
      let wait = WiFiTimes.distributedSpace(channel.channel.band) + station.backOff()
      let ready = max(opening.start, channel.busyUntil) + wait
      let exchange = exchange([station.queues[receiver][0]], station.index, receiver, channel.channel.band)
      if opening.end != .distantFuture, ready + exchange.whole > opening.end {
        from = opening.end
        continue
      }
      station.isContending = true
      station.channel = opening.channel
      station.receiver = receiver
      station.opens = opening.start
      station.closes = opening.end
      station.ready = ready
      channels[opening.channel].contenders.append(station.index)
      plan(opening.channel)
      return
    }
  }

  private func firstOpening(
    _ station: WiFiStation, from instant: SimInstant
  ) -> (receiver: Int, opening: ChannelSequence.Opening)? {
    var best: (receiver: Int, opening: ChannelSequence.Opening)?
    let count = station.queues.count
    for step in 1...count {
      let receiver = (station.served + step) % count
      guard !station.queues[receiver].isEmpty,
        let opening = opening(station.index, receiver).opening(from: instant)
      else { continue }
      if best == nil || opening.start < best!.opening.start { best = (receiver, opening) }
    }
    return best
  }

  /// Plans the next turn of a channel.
  private func plan(_ channel: Int) {
    var next = SimInstant.distantFuture
    for index in channels[channel].contenders { next = min(next, stations[index].ready) }
    if next == .distantFuture {
      if let event = channels[channel].event { timeline.cancel(event) }
      channels[channel].event = nil
    } else if let event = channels[channel].event {
      timeline.reschedule(event, to: next)
    } else {
      channels[channel].event = timeline.schedule(
        SimEvent(kind: NetworkWorld.Kind.turn.rawValue, target: UInt32(channel)), at: next)
    }
  }

  /// Somebody's wait is over: one of them sends, and those who would follow too closely draw again (NET 2.9).
  func turn(_ channel: Int) {
    channels[channel].event = nil
    var sender: Int?
    for index in channels[channel].contenders where stations[index].ready <= timeline.now {
      if let other = sender, (stations[other].sent, other) < (stations[index].sent, index) { continue }
      sender = index
    }
    guard let sender else { return plan(channel) }
    let station = stations[sender]
    assert(channels[channel].busyUntil <= timeline.now, "a turn comes when the channel is free")
    assert(station.isContending && !station.queues[station.receiver].isEmpty, "a station whose turn it is has a frame")
    station.isContending = false
    station.sent = timeline.now
    channels[channel].contenders.removeAll { $0 == sender }
    transmit(station, channel)
    let free = channels[channel].busyUntil
    let earliest = free + WiFiTimes.distributedSpace(channels[channel].channel.band)
    let late = channels[channel].contenders.filter { stations[$0].ready < earliest }.sorted()
    channels[channel].contenders.removeAll { stations[$0].ready < earliest }
    for index in late {
      stations[index].isContending = false
      contend(stations[index], from: free)
    }
    contend(station, from: free)
    plan(channel)
  }
}
