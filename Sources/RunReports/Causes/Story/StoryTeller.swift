import AppSeam
package import Bench
import BluetoothWire
package import Conformance
import Judging
import Platform
import SimKernel
import VirtualRadio

/// Tells what led to a trouble, from what was kept of the run.
///
/// It goes back from the finding: what began what was required, the packet that showed it, what the devices concerned
/// exchanged meanwhile, what happened to them (faults, links that ended, packets that came late or never), the longest
/// time in which nothing came, and what the air did then. Nothing is guessed: each line is in the trace or on the air.
package struct StoryTeller {
  /// Longer ones are told as late.
  static let lateAfter = SimDuration.milliseconds(400)

  package let run: KeptRun
  package let chart: Chart
  package let words: ChartText
  let app: AppProtocol
  /// What carried the packets of its streams.
  package let flows: StreamFlows
  /// Line of each step of the chart, by its place in the entries.
  private let lines: [Int: Int]

  /// - Parameter scenario: nil: there is no file.
  package init(_ run: KeptRun, of app: AppProtocol, scenario: Scenario?) {
    self.run = run
    self.app = app
    chart = run.chart(of: app)
    flows = StreamFlows(run.packets, chart.streams)
    words = ChartText(words: app.chart, run.header)
    var places = ScenarioPlaces(scenario)
    var lines: [Int: Int] = [:]
    for (index, entry) in chart.entries.enumerated() {
      if case .step(let text) = entry.kind { lines[index] = places.takeStep(text) }
    }
    self.lines = lines
  }

  /// Each with what came first and explains it: what platforms, stacks and links know; where that explains less, what
  /// the protocol knows that keeps a device out, or where a text stopped that somebody said.
  package func explained(_ troubles: [Trouble]) -> [Trouble] {
    // Texts are followed once, and claims judged once more, only where somebody asks for them.
    var texts: SaidTexts?
    var overdue: OverdueClaims?
    let circumstances = circumstances
    return Trouble.explained(troubles, by: circumstances).map { trouble in
      var trouble = trouble
      if trouble.reason == nil { trouble.reason = breach(of: trouble, circumstances) }
      if !trouble.isError, let known = hindrance(of: trouble, &texts, &overdue) {
        trouble.reason = Circumstance(
          ofProtocol: known.text, device: trouble.devices.first ?? 0, since: known.instant, record: known.record ?? -1)
      }
      if !trouble.isError, trouble.reason == nil { trouble.reason = circumstances.elsewhere(for: trouble.question) }
      return trouble
    }
  }

  /// What breaks the clause of a finding by itself, and says more of it.
  private func breach(of trouble: Trouble, _ circumstances: Circumstances) -> Circumstance? {
    guard !trouble.isError, !trouble.clause.isEmpty,
      let kind = Circumstance.Kind.allCases.first(where: { app.chart.clauses[$0] == trouble.clause })
    else { return nil }
    return circumstances.all.last {
      $0.kind == kind && $0.device == trouble.devices.first && $0.holds(at: trouble.instant)
    }
  }

  /// What platforms, stacks and links know, and is not the plain course of things.
  package var circumstances: Circumstances { run.circumstances.without(app.chart.ordinary) }

  /// What people said, and what devices did with their peers.
  private struct SaidTexts {
    let trails: SaidTrails
    let difference: PeerDifference

    init(_ run: KeptRun, _ chart: Chart, _ words: ChartWords) {
      trails = SaidTrails(run.records, run.header, packets: chart.entries.compactMap(\.packet), words)
      difference = PeerDifference(run.records, trails)
    }
  }

  private func hindrance(
    of trouble: Trouble, _ texts: inout SaidTexts?, _ overdue: inout OverdueClaims?
  ) -> StoryEvent? {
    if let reason = trouble.reason, reason.kind.isMistake { return nil }
    let window = Window(trouble, lastStep: lastStep(until: trouble.since ?? trouble.instant))
    let subject = Participants(trouble.devices.first, chart, partner: partner(in: trouble)).subject
    guard let known = subject.flatMap({ knowledge(of: $0, window) }) else {
      guard trouble.reason.map({ $0.kind.isWeak && !$0.kind.isFirm }) ?? true else { return nil }
      // What a person has just asked of an app explains why it is due.
      let isAsked = trouble.reason?.kind == .userUnanswered
      return (isAsked ? nil : due(for: trouble, &overdue)) ?? stop(of: trouble, &texts)
    }
    // What is only a circumstance explains less than a mistake, unless it says why that happened.
    if let reason = trouble.reason, !reason.kind.isWeak, !known.isMistake,
      !known.saysWhy || reason.record != known.record
    {
      return nil
    }
    return StoryEvent(known.instant, known.text, record: known.record)
  }

  private func due(for trouble: Trouble, _ overdue: inout OverdueClaims?) -> StoryEvent? {
    guard trouble.isExpectation else { return nil }
    let claims = overdue ?? OverdueClaims(run, of: app)
    overdue = claims
    return claims.first(for: trouble)
  }

  /// Where a text stopped, with what is known of the device whose app had it last.
  private func stop(of trouble: Trouble, _ texts: inout SaidTexts?) -> StoryEvent? {
    let known = texts ?? SaidTexts(run, chart, app.chart)
    texts = known
    let said = known.trails.stop(for: trouble) ?? namedStop(of: trouble)
    guard let stop = said ?? (trouble.isAbsence ? known.difference.stop(for: trouble) : nil) else { return nil }
    let question = Circumstances.Question(
      at: trouble.instant, since: stop.event.instant, device: stop.device, isAbsence: trouble.isAbsence)
    let reason = circumstances.reason(for: question)
    guard let reason, !reason.kind.isWeak else { return stop.event }
    return StoryEvent(reason.begin, "\(reason.text): \(stop.event.text)", record: reason.record)
  }

  /// Where a name stopped that only what was seen says, as that of a line: nobody has said it.
  private func namedStop(of trouble: Trouble) -> SaidTrails.Stop? {
    let names = SaidTrail.names(in: trouble.actual, of: run.header)
    if names.isEmpty { return nil }
    let packets = chart.entries.compactMap(\.packet)
    return SaidTrails(run.records, run.header, packets: packets, app.chart, naming: names).stop(ofNamesIn: trouble)
  }

  /// What led to it, in the order of time.
  package func story(of trouble: Trouble) -> [StoryEvent] {
    let step = lastStep(until: trouble.since ?? trouble.instant)
    let window = Window(trouble, lastStep: step)
    let participants = Participants(trouble.devices.first, chart, partner: partner(in: trouble))
    var events: [StoryEvent] = []
    if let step { events.append(step) }
    if let begin = trouble.since { events += beginning(at: begin, participants) }
    let shown = evidence(trouble, participants)
    if let shown {
      let calls = calls(of: shown)
      events += calls.before + [told(shown, trouble)] + calls.after
    }
    events += incidents(window, participants, but: shown)
    if window.isDeadline, let subject = participants.subject {
      events += traffic(window, participants)
      if let known = knowledge(of: subject, window) {
        events.append(StoryEvent(known.instant, known.text, record: known.record))
      } else if let silence = silence(of: subject, window, participants) {
        events.append(silence)
      }
      events.append(StoryEvent(trouble.instant, state(of: subject, at: trouble.instant)))
    } else if let record = trouble.record.flatMap(run.record), record.device >= 0, !isTold(record, by: shown) {
      let isShown = shown?.records.contains(record.sequence) ?? false
      let app = isShown ? "" : appSide(of: record).map { "; \($0)" } ?? ""
      events.append(StoryEvent(record.instant, named(record) + app, record: record.sequence))
    }
    let told = events.enumerated().filter { place, event in
      !events[..<place].contains { $0.record != nil && $0.record == event.record && $0.text == event.text }
    }
    return told.sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }.map(\.element)
  }

  /// Whether a record says no more than the packet that it is a part of.
  private func isTold(_ record: TraceRecord, by packet: Chart.Packet?) -> Bool {
    packet.map { $0.stream != nil && $0.records.contains(record.sequence) } ?? false
  }

  // MARK: What began it

  private func lastStep(until end: SimInstant) -> StoryEvent? {
    let index = chart.entries.lastIndex { entry in
      if case .step = entry.kind { entry.instant <= end } else { false }
    }
    guard let index, case .step(let text) = chart.entries[index].kind else { return nil }
    let entry = chart.entries[index]
    return StoryEvent(entry.instant, "step: \(text)", record: entry.record, line: lines[index])
  }

  /// What was shown or happened when something was first required: of others before the one that is blamed, and of
  /// several things the one that the run shows most rarely.
  private func beginning(at instant: SimInstant, _ participants: Participants) -> [StoryEvent] {
    let then = run.records.filter { record in
      guard record.instant == instant, concerns(record, participants) else { return false }
      switch record.event {
      case .report(let report): return report.among(CallWord.self) == nil
      case .input(.connected), .input(.disconnected), .fault: return true
      case .input(.network(let input)): return Self.isTurn(input)
      default: return false
      }
    }
    let others = then.filter { $0.device != participants.subject }
    let chosen = (others.isEmpty ? then : others).min { rarity($0) < rarity($1) }
    return chosen.map { [StoryEvent($0.instant, named($0), record: $0.sequence)] } ?? []
  }

  /// How often the run shows a thing of this kind.
  private func rarity(_ record: TraceRecord) -> Int {
    guard case .report(let report) = record.event else { return 0 }
    let name = report.statement.shape.name
    return run.records.count { other in
      if case .report(let report) = other.event { report.statement.shape.name == name } else { false }
    }
  }

  private func named(_ record: TraceRecord) -> String {
    "\(run.header.name(of: record.device)): \(words.text(record.event))"
  }

  // MARK: The packet that showed it

  private func evidence(_ trouble: Trouble, _ participants: Participants) -> Chart.Packet? {
    if let since = trouble.since { return rarest(since, trouble.instant, participants) }
    guard let number = trouble.record else { return nil }
    let packets = chart.entries.compactMap { entry in entry.packet.map { (entry.record, $0) } }
    // One piece of a stream may have several: what is wrong with the first makes the others so.
    let own = packets.map(\.1).filter { $0.records.contains(number) }
    func place(_ packet: Chart.Packet) -> Int { packet.stream?.octets.lowerBound ?? 0 }
    if let first = own.min(by: { place($0) < place($1) }) { return first }
    guard let subject = participants.subject else { return nil }
    return packets.last { record, packet in
      let isOf = packet.to == subject || packet.from == subject
      // What was lost on a stream was not seen by anybody.
      return record <= number && isOf && (packet.receivedAt != nil || packet.stream == nil)
    }?.1
  }

  /// The newest packet that the device was sent meanwhile, of the kind that it was sent most rarely.
  private func rarest(_ begin: SimInstant, _ end: SimInstant, _ participants: Participants) -> Chart.Packet? {
    guard let subject = participants.subject, let partner = participants.partner else { return nil }
    let all = chart.entries.compactMap(\.packet).filter { $0.from == partner && $0.to == subject && $0.isPacket }
    let then = all.filter { $0.sentAt >= begin && $0.sentAt <= end }
    return then.min { a, b in
      let counts = [a, b].map { packet in all.count { $0.label == packet.label } }
      return (counts[0], b.sentAt) < (counts[1], a.sentAt)
    }
  }

  private func told(_ packet: Chart.Packet, _ trouble: Trouble) -> StoryEvent {
    var text = "\(run.header.name(of: packet.from)) → \(run.header.name(of: packet.to)): \(packet.name)"
    let unit = packet.stream == nil ? "value" : "piece"
    if packet.fragments > 1 { text += " in \(CountedNoun.text(packet.fragments, unit))" }
    if let received = packet.receivedAt {
      let span = received - packet.sentAt
      if span >= Self.lateAfter { text += ", \(span.shortSeconds) s under way" }
    }
    let carriage = carriage(of: packet)
    if !carriage.words.isEmpty { text += "; \(carriage.words)" }
    if !packet.octets.isEmpty, packet.isPacket || packet.stream != nil { text += "\n" + preview(packet) }
    // What was said wrong was so when it was said.
    let isOwn = trouble.record.map { packet.stream != nil && packet.records.contains($0) } ?? false
    return StoryEvent(
      isOwn ? trouble.instant : packet.receivedAt ?? packet.sentAt, text,
      record: isOwn ? trouble.record : packet.records.last, pdus: carriage.pdus, packets: carriage.packets)
  }

  private func preview(_ packet: Chart.Packet) -> String {
    let limit = 240
    let gist = packet.isPacket ? app.chart.gist(packet.octets) : String(hexadecimal: packet.octets, separator: " ")
    return gist.count > limit ? gist.prefix(limit) + "…" : gist
  }

  // MARK: What happened meanwhile

  /// What the device was sent and sent itself between what began it and the finding.
  private func traffic(_ window: Window, _ participants: Participants) -> [StoryEvent] {
    guard let subject = participants.subject, let partner = participants.partner else { return [] }
    return [(partner, subject), (subject, partner)].map { from, to in
      let labels = chart.entries.compactMap(\.packet).filter {
        $0.from == from && $0.to == to && $0.isPacket && $0.sentAt >= window.begin && $0.sentAt <= window.end
      }.map(\.label)
      let what = labels.isEmpty ? "nothing" : Self.tally(labels)
      let (sender, receiver) = (run.header.name(of: from), run.header.name(of: to))
      return StoryEvent(
        window.end, "from \(window.begin.microseconds) s on \(sender) sent \(receiver) \(what)")
    }
  }

  /// `SCORE_UPDATE (3), TURN_CHANGE`.
  private static func tally(_ labels: [String]) -> String {
    var counts: [(label: String, count: Int)] = []
    for label in labels {
      if let place = counts.firstIndex(where: { $0.label == label }) {
        counts[place].count += 1
      } else {
        counts.append((label, 1))
      }
    }
    let shown = counts.prefix(8).map { $0.count == 1 ? $0.label : "\($0.label) (\($0.count))" }
    return shown.joined(separator: ", ") + (counts.count > 8 ? " and \(counts.count - 8) more kinds" : "")
  }

  /// What keeps a device out, where the protocol of its app knows it; that nothing comes is no riddle then.
  private func knowledge(of subject: Int, _ window: Window) -> ChartWords.Hindrance? {
    let end = run.records.firstIndex { $0.instant > window.end } ?? run.records.endIndex
    let situation = ChartWords.Situation(
      device: subject, header: run.header, records: run.records[..<end], peer: { self.peer(of: $0) })
    let known = app.chart.hindrance(situation)
    return window.isDeadline || known?.isMistake == true ? known : nil
  }

  /// The longest time in which nothing reached a device or came from it, where that is a good part of the time it had.
  private func silence(of subject: Int, _ window: Window, _ participants: Participants) -> StoryEvent? {
    let instants = run.records.filter { record in
      guard record.device == subject, record.instant >= window.begin, record.instant <= window.end else { return false }
      switch record.event {
      case .input, .effect, .report: return true
      default: return false
      }
    }.map(\.instant)
    let edges = [window.begin] + instants + [window.end]
    guard let gap = zip(edges, edges.dropFirst()).max(by: { $0.1 - $0.0 < $1.1 - $1.0 }) else { return nil }
    let length = gap.1 - gap.0
    guard length >= Self.lateAfter, length * 4 >= window.end - window.begin else { return nil }
    let name = run.header.name(of: subject)
    var text = "\(name) has no activity for \(length.shortSeconds) s, until \(gap.1.microseconds) s"
    guard let partner = participants.partner else { return StoryEvent(gap.0, text) }
    let passage = passage(between: subject, and: partner, from: gap.0, to: gap.1)
    text += "; \(run.header.name(of: partner)) and \(name): \(passage.words)"
    return StoryEvent(gap.0, text, pdus: passage.pdus, packets: passage.packets)
  }

  private func state(of subject: Int, at instant: SimInstant) -> String {
    var spans = StateSpans()
    var network = NetworkStates()
    for record in run.records where record.device == subject && record.instant <= instant {
      network.read(record)
      switch record.event {
      case .report(let report):
        if app.chart.isState(report) { spans.read(report, lane: subject, at: record.instant) }
      case .input(.connected), .input(.disconnected), .input(.launched), .fault(.reclaim), .fault(.kill):
        spans.readLink(record.event, lane: subject, at: record.instant)
      default: break
      }
    }
    let states = spans.spans(end: .distantFuture).filter { $0.to == .distantFuture }
    let networks = network.spans(end: .distantFuture).filter { $0.to == .distantFuture }
    let texts = states.map { $0.track == "links" ? $0.text : "\($0.track) \($0.text)" }
    let links = states.contains { $0.track == "links" } || !networks.isEmpty ? [] : ["no link"]
    let most = 6
    let rest = networks.count > most ? ["and \(networks.count - most) more"] : []
    let others = networks.prefix(most).map { "\($0.track) \($0.text)" } + rest
    return "\(run.header.name(of: subject)) then has " + (texts + links + others).joined(separator: ", ")
  }
}

/// The time that a story is about.
struct Window {
  let begin: SimInstant
  let end: SimInstant
  /// Whether something did not happen in time; else something happened that must not.
  let isDeadline: Bool

  init(_ trouble: Trouble, lastStep: StoryEvent?) {
    end = trouble.instant
    isDeadline = trouble.isAbsence
    begin = trouble.since ?? (isDeadline ? lastStep?.instant ?? .zero : .zero)
  }
}

/// Whom a story is about.
struct Participants {
  /// The device that is blamed; nil: the whole run.
  let subject: Int?
  /// The device that it has to do with, the only one or the one that the trouble is about; nil: several, or none.
  let partner: Int?

  init(_ subject: Int?, _ chart: Chart, partner hint: Int? = nil) {
    self.subject = subject
    guard let subject, hint == nil else {
      partner = hint
      return
    }
    var partners: [Int] = []
    func add(_ device: Int) { if device >= 0, !partners.contains(device) { partners.append(device) } }
    for entry in chart.entries {
      switch entry.kind {
      case .packet(let packet):
        if packet.from == subject { add(packet.to) }
        if packet.to == subject { add(packet.from) }
      case .connected(let a, let b):
        if a == subject { add(b) }
        if b == subject { add(a) }
      default: break
      }
    }
    for stream in chart.streams { if let other = stream.other(subject) { add(other) } }
    partner = partners.count == 1 ? partners[0] : nil
  }

  func concerns(_ device: Int) -> Bool {
    subject == nil || device == subject || (partner == nil ? device >= 0 : device == partner)
  }

  /// Whether it is between those whom the story is about.
  func concerns(_ packet: Chart.Packet) -> Bool {
    guard let subject else { return true }
    let other = packet.from == subject ? packet.to : packet.to == subject ? packet.from : nil
    return other != nil && (partner == nil || other == partner)
  }
}
