package import SimKernel

extension RunTimeline {
  /// Two timelines on one ruler, the lanes of the first one above those of the second one.
  /// - Parameters:
  ///   - shift: how much later than in the second timeline the same thing is in the first.
  ///   - names: before the names of their lanes and captures.
  ///   - device: a lane of each; where a timeline has many, these come first, with those that they say most to.
  package static func beside(
    _ first: RunTimeline, _ second: RunTimeline, shift: SimDuration, names: (first: String, second: String),
    device: (first: Int, second: Int)? = nil
  ) -> RunTimeline {
    let focus = device.map { (first.withPartner($0.first), second.withPartner($0.second)) }
    let lanes = first.lanes.count
    var (first, second) = (first, second)
    if shift < .zero { first.move(by: .zero - shift) } else { second.move(by: shift) }
    first.name(names.first)
    second.name(names.second)
    first.append(second)
    if let focus { first.raise(focus.0 + focus.1.map { $0 + lanes }) }
    return first
  }

  /// A lane, and the one that it exchanges most packets with.
  private func withPartner(_ lane: Int) -> [Int] {
    guard lanes.indices.contains(lane) else { return [] }
    var counts = Array(repeating: 0, count: lanes.count)
    for packet in packets where packet.from >= 0 && packet.to >= 0 && packet.from != packet.to {
      if packet.from == lane { counts[packet.to] += 1 }
      if packet.to == lane { counts[packet.from] += 1 }
    }
    guard let most = counts.max(), most > 0, let partner = counts.firstIndex(of: most) else { return [lane] }
    return [partner, lane]
  }

  /// Puts lanes before all others.
  private mutating func raise(_ chosen: [Int]) {
    let order = chosen + lanes.indices.filter { !chosen.contains($0) }
    var place = Array(repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { place[old] = new }
    func moved(_ lane: Int) -> Int { place.indices.contains(lane) ? place[lane] : lane }
    lanes = order.map { lanes[$0] }
    for index in spans.indices { spans[index].lane = moved(spans[index].lane) }
    for index in packets.indices {
      (packets[index].from, packets[index].to) = (moved(packets[index].from), moved(packets[index].to))
    }
    for index in pdus.indices {
      (pdus[index].transmitter, pdus[index].receiver) = (moved(pdus[index].transmitter), moved(pdus[index].receiver))
    }
    for index in marks.indices { marks[index].lane = moved(marks[index].lane) }
    for index in log.indices { log[index].lane = moved(log[index].lane) }
  }

  /// Everything happens so much later.
  package mutating func move(by time: SimDuration) {
    end = end + time
    for index in spans.indices {
      spans[index].from = spans[index].from + time
      spans[index].to = spans[index].to + time
    }
    for index in packets.indices {
      packets[index].sentAt = packets[index].sentAt + time
      packets[index].receivedAt = packets[index].receivedAt.map { $0 + time }
    }
    for index in pdus.indices { pdus[index].start = pdus[index].start + time }
    for index in log.indices { log[index].at = log[index].at + time }
    for index in marks.indices {
      marks[index].at = marks[index].at + time
      for line in marks[index].story.indices { marks[index].story[line].at = marks[index].story[line].at + time }
    }
  }

  /// A place where it parts from another one.
  /// - Parameter lane: −1: of the whole run.
  package mutating func markDifference(_ title: String, _ text: String, at instant: SimInstant, lane: Int) {
    marks.append(Mark(kind: .difference, at: instant, lane: lane, text: title, details: [text], isBad: true))
  }

  private mutating func name(_ name: String) {
    for index in lanes.indices { lanes[index].name = "\(name): \(lanes[index].name)" }
    for index in files.indices { files[index] = "\(name): \(files[index])" }
    for index in omissions.indices { omissions[index] = "\(name): \(omissions[index])" }
    for index in marks.indices where marks[index].lane < 0 { marks[index].text = "\(name): \(marks[index].text)" }
  }

  private mutating func append(_ other: RunTimeline) {
    let (lane, packet, pdu, file) = (lanes.count, packets.count, pdus.count, files.count)
    rows += other.rows.filter { !rows.contains($0) }
    let row = other.rows.map { rows.firstIndex(of: $0) ?? 0 }
    end = max(end, other.end)
    lanes += other.lanes
    files += other.files
    omissions += other.omissions
    spans += other.spans.map { span in
      var span = span
      span.lane += lane
      return span
    }
    packets += other.packets.map { packet in
      var packet = packet
      if packet.from >= 0 { packet.from += lane }
      if packet.to >= 0 { packet.to += lane }
      if packet.file >= 0 { packet.file += file }
      packet.carriers = packet.carriers.map { $0 + pdu }
      return packet
    }
    pdus += other.pdus.map { pdu in
      var pdu = pdu
      if pdu.transmitter >= 0 { pdu.transmitter += lane }
      if pdu.receiver >= 0 { pdu.receiver += lane }
      pdu.file += file
      pdu.row = row.indices.contains(pdu.row) ? row[pdu.row] : 0
      return pdu
    }
    log += other.log.map { line in
      var line = line
      line.lane += lane
      return line
    }
    marks += other.marks.map { mark in
      var mark = mark
      if mark.lane >= 0 { mark.lane += lane }
      mark.evidence = mark.evidence.map { $0 + packet }
      mark.around = mark.around.map { $0 + pdu }
      for line in mark.story.indices {
        mark.story[line].packet = mark.story[line].packet.map { $0 + packet }
        mark.story[line].pdu = mark.story[line].pdu.map { $0 + pdu }
      }
      return mark
    }
    sortPDUs()
  }

  /// By their start, as the page needs them; marks still name the same ones.
  private mutating func sortPDUs() {
    let order = pdus.indices.sorted { (pdus[$0].start, $0) < (pdus[$1].start, $1) }
    var place = Array(repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { place[old] = new }
    pdus = order.map { pdus[$0] }
    for index in packets.indices { packets[index].carriers = packets[index].carriers.map { place[$0] } }
    for index in marks.indices {
      marks[index].around = marks[index].around.map { place[$0] }
      for line in marks[index].story.indices {
        marks[index].story[line].pdu = marks[index].story[line].pdu.map { place[$0] }
      }
    }
  }
}
