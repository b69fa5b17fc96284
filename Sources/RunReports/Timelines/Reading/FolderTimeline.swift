package import Conformance
import SimKernel

extension RunTimeline {
  /// A run as its folder has it: states, steps and expectations of its trace, and what its captures show.
  /// - Parameter captured: what captures show of it, on the run's clock; nil: there are none.
  package init(_ log: RunLog, captured: RunTimeline?) {
    self.init(lanes: log.devices.indices.map { Self.lane(log, $0) }, end: log.lines.last?.instant ?? .zero)
    if let captured { add(captured) }
    let addresses = log.about.map(\.address)
    for line in log.lines {
      if let call = CallLane.call(line, addresses) { calls.append(call) } else { add(line) }
    }
    spans += Self.states(log, end: end)
  }

  private static func lane(_ log: RunLog, _ device: Int) -> Lane {
    let about = log.about[device]
    return Lane(
      name: log.devices[device], role: about.role,
      about: about.words.filter { !$0.isEmpty }.joined(separator: ", "), addresses: [about.address])
  }

  /// Devices of captures are those of the run that have their addresses; the others come after them.
  private mutating func add(_ captured: RunTimeline) {
    var places: [Int] = []
    for other in captured.lanes {
      let known = lanes.firstIndex { $0.addresses.contains(where: other.addresses.contains) }
      places.append(known ?? lanes.count)
      if known == nil { lanes.append(other) }
    }
    func lane(_ old: Int) -> Int { places.indices.contains(old) ? places[old] : -1 }
    end = max(end, captured.end)
    (files, rows, omissions, missesPDUs) = (captured.files, captured.rows, captured.omissions, captured.missesPDUs)
    packets = captured.packets.map { packet in
      var packet = packet
      (packet.from, packet.to) = (lane(packet.from), lane(packet.to))
      return packet
    }
    pdus = captured.pdus.map { pdu in
      var pdu = pdu
      (pdu.transmitter, pdu.receiver) = (lane(pdu.transmitter), lane(pdu.receiver))
      return pdu
    }
    spans = captured.spans.map { span in
      var span = span
      span.lane = lane(span.lane)
      return span
    }
  }

  private static func states(_ log: RunLog, end: SimInstant) -> [Span] {
    var spans = StateSpans()
    var network = NetworkStates()
    for line in log.lines where line.device >= 0 {
      network.read(line)
      switch (line.kind, line.name) {
      case ("report", _) where line.fields.count == 1 && line.fields[0].isText:
        spans.set(line.fields[0].text, track: line.name, lane: line.device, at: line.instant)
      case ("input", "connected"): spans.read(.opened, lane: line.device, at: line.instant)
      case ("input", "disconnected"): spans.read(.closed, lane: line.device, at: line.instant)
      case ("fault", "reclaim"): spans.read(.kept, lane: line.device, at: line.instant)
      case ("fault", "kill"): spans.read(.notKept, lane: line.device, at: line.instant)
      case ("input", "launched"): spans.read(.allGone, lane: line.device, at: line.instant)
      default: break
      }
    }
    return spans.spans(end: end) + network.spans(end: end)
  }

  private mutating func add(_ line: RunLog.Line) {
    switch line.kind {
    case "step": marks.append(Mark(kind: .step, at: line.instant, lane: -1, text: line.value("text"), line: line.place))
    case "expectation":
      let holds = line.value("holds") == "true"
      let detail = line.value("detail")
      marks.append(
        Mark(
          kind: .expectation, at: line.instant, lane: -1, text: line.value("text"),
          details: holds || detail.isEmpty ? [] : ["saw \(detail)"], isBad: !holds, line: line.place))
    case "fault": marks.append(Mark(kind: .fault, at: line.instant, lane: line.device, text: line.name))
    default: break
    }
  }
}
