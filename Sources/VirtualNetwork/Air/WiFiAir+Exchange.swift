import SimKernel

extension WiFiAir {
  /// What one turn takes of a channel.
  struct Exchange {
    /// The PPDU.
    var frame: SimDuration
    /// With the answer and the space before it.
    var whole: SimDuration
  }

  /// The time of one frame, or of several in one PPDU.
  func exchange(_ frames: [WiFiFrame], _ station: Int, _ receiver: Int, _ band: WiFiChannel.Band) -> Exchange {
    if frames[0].isUnanswered {
      let time = WiFiTimes.basic.airtime(frames[0].octets, band)
      return Exchange(frame: time, whole: time)
    }
    let rate = rate(station, receiver)
    let isOne = frames.count == 1
    let octets = isOne ? frames[0].octets : frames.reduce(0) { $0 + Self.subframe($1.octets) }
    let time = rate.airtime(octets, band)
    let answer = isOne ? WiFiTimes.acknowledgement : WiFiTimes.blockAcknowledgement
    return Exchange(frame: time, whole: time + WiFiTimes.answer(to: rate, answer, band))
  }

  private func rate(_ station: Int, _ receiver: Int) -> WiFiRate {
    guard let accessPoint, station == accessPointStation || receiver == accessPointStation else { return rules.rate }
    return accessPoint.rate
  }

  /// A delimiter, and padding to four octets (NET 2.8).
  private static func subframe(_ octets: Int) -> Int { 4 + (octets + 3) / 4 * 4 }

  /// Sends what waits first for the receiver whose turn it is, several frames if its rate allows it.
  func transmit(_ station: WiFiStation, _ channel: Int) {
    guard let owner else { return }
    let receiver = station.receiver
    let now = timeline.now
    let band = channels[channel].channel.band
    let places = aggregate(station, receiver, band)
    let sent = places.map { station.queues[receiver][$0] }
    let exchange = exchange(sent, station.index, receiver, band)
    occupy(channel, until: now + exchange.whole)
    owner.noteAirtime(exchange.frame, of: station.index)
    var isAnswered = false
    for place in places {
      var frame = station.queues[receiver][place]
      frame.attempts += 1
      frame.isReceived = owner.isReceived(&frame, from: station.index, to: receiver, at: now)
      if frame.isReceived { isAnswered = true }
      station.queues[receiver][place] = frame
    }
    if band == .twoPointFour {
      let answer = isAnswered && !sent[0].isUnanswered
      noteSpans(station.index, receiver, channels[channel].channel, exchange, answer)
    }
    station.failures = isAnswered ? 0 : station.failures + 1
    var done = 0
    for frame in station.queues[receiver] {
      let isOver = frame.isReceived || frame.attempts >= WiFiTimes.maximumAttempts || frame.isUnanswered
      if frame.attempts == 0 || !isOver { break }
      done += 1
      if !frame.isReceived { station.failures = 0 }
      owner.frameIsOver(frame, from: station.index, to: receiver, at: now + exchange.frame)
    }
    station.queues[receiver].removeFirst(done)
    station.served = receiver
  }

  /// Which frames of a queue go out together.
  private func aggregate(_ station: WiFiStation, _ receiver: Int, _ band: WiFiChannel.Band) -> [Int] {
    let queue = station.queues[receiver]
    let first = queue.firstIndex { !$0.isReceived } ?? 0
    let rate = rate(station.index, receiver)
    guard rate.aggregates, !queue[first].isUnanswered else { return [first] }
    var places: [Int] = []
    var octets = 0
    for place in queue.indices where !queue[place].isReceived {
      if place - first >= WiFiTimes.maximumAggregate || queue[place].isUnanswered { break }
      octets += Self.subframe(queue[place].octets)
      let time = rate.airtime(octets, band)
      let end = timeline.now + time + WiFiTimes.answer(to: rate, WiFiTimes.blockAcknowledgement, band)
      if !places.isEmpty, time > WiFiTimes.longestAggregate || end > station.closes { break }
      places.append(place)
    }
    return places
  }

  private func noteSpans(
    _ station: Int, _ receiver: Int, _ channel: WiFiChannel, _ exchange: Exchange, _ isAnswered: Bool
  ) {
    guard let owner else { return }
    let now = timeline.now
    func occupies(_ station: Int, _ start: SimInstant, _ end: SimInstant) {
      let device = station == accessPointStation ? NetworkWorld.accessPointStation : station
      owner.surroundings.occupies(device, centreMHz: channel.centreMHz, from: start, to: end)
    }
    occupies(station, now, now + exchange.frame)
    if isAnswered {
      occupies(receiver, now + exchange.frame + WiFiTimes.shortSpace(channel.band), now + exchange.whole)
    }
  }
}
