import AppSeam
import Bench
import BluetoothWire
import Campaigns
import Conformance
import Judging
import Platform
import RunReports
import SimKernel
import Stress

/// One room that the other end of a pipe drives: its lines are in Docs/Formats/room-protocol.md.
///
/// Virtual time passes only while a line is answered. The same lines give the same digest.
final class PipedRoom {
  private let opening: RoomOpening
  private let world: World
  private let programs: PipedPrograms
  private let judge: any RunJudge
  private let meter: MeasureReader?
  private let records: RecordsInMemory?
  private let files: RunFiles?
  private let keeper: RunKeeper?
  /// What the room came to; nil: it is not over.
  private(set) var report: RunReport?
  /// How the scenario ended; nil: it has not.
  private var ending: RunOutcome.Ending?
  private let wordless = WordlessApp()

  /// Opens a room, and makes nothing happen in it yet.
  /// - Parameter more: readers besides its own.
  /// - Throws: what is wrong with a name of an engine, or with the folder.
  init(_ opening: RoomOpening, readers more: [any TraceReader] = []) throws(MessageProblem) {
    self.opening = opening
    let scenario = opening.scenario
    let programs = PipedPrograms(opening.isClient, reports: opening.reports)
    judge = protocols.judge(of: scenario)
    records = opening.wantsRecords ? RecordsInMemory() : nil
    do {
      files = try opening.out.map {
        let folder = try OutputFolder(creating: $0)
        return try RunFiles(
          folder: folder, writesCaptures: true, scenario: scenario, file: opening.file, list: RunList(folder))
      }
    } catch {
      throw MessageProblem(place: "out", reason: "\(error)")
    }
    meter = opening.wantsFigures || files != nil || !scenario.claims.isEmpty ? MeasureReader(protocols) : nil
    keeper = files == nil ? nil : RunKeeper()
    var readers: [any TraceReader] = [judge, SuspensionReader(opening.isClient, programs.inputs)]
    if let files { readers += files.readers }
    if let meter { readers.append(meter) }
    if let keeper { readers.append(keeper) }
    if let records { readers.append(records.reader) }
    readers += more
    world = World(
      scenario, options: RunOptions(seed: opening.seed), readers: readers, programs: programs,
      engines: protocols.engines)
    self.programs = programs
    do {
      try world.tryEngines()
    } catch {
      throw MessageProblem(place: "", reason: "\(error)")
    }
    programs.clock = { [unowned world] in world.now }
  }

  deinit { programs.silence() }

  /// Whether its folder gets the lines that it is driven by.
  var keepsLines: Bool { files != nil }

  private var names: [String] { opening.scenario.devices.map(\.name) }

  // MARK: Words

  /// Begins, and says who is there.
  func begin() -> [UInt8] {
    world.begin()
    var text = JSONText(capacity: 2_048)
    text.beginObject()
    text.member("name", "room")
    text.member("protocol", 1)
    text.member("version", BenchVersion.current)
    text.member("scenario", world.header.scenario)
    text.member("seed", String(opening.seed))
    text.key("devices")
    text.beginArray()
    for (index, device) in world.header.devices.enumerated() {
      text.beginObject()
      text.member("name", device.name)
      text.member("role", device.role.rawValue)
      text.member("phone", device.phone)
      text.member("address", device.address.description)
      text.member("engine", opening.isClient[index] ? "" : device.engine)
      text.member("client", opening.isClient[index])
      text.endObject()
    }
    text.endArray()
    text.options(world.header.options)
    text.endObject()
    return text.octets
  }

  /// Performs effects, then lets time pass until an instant, until an app of the other end is told something, or until
  /// a condition holds.
  func advance(_ members: MessageMembers) throws(MessageProblem) -> [UInt8] {
    let limit = members.optional("to") == nil ? world.now.nanoseconds : try members.integer("to", 0...Int64(1) << 53)
    guard limit >= world.now.nanoseconds else {
      throw MessageProblem(place: "to", reason: "\(limit) ns is before \(world.now.nanoseconds) ns, where the room is")
    }
    let condition = try members.optionalText("until").map { (words) throws(MessageProblem) in
      try self.condition(words, "until")
    }
    try perform(members)
    var isMet = false
    advance(to: SimInstant(nanoseconds: limit)) {
      if let condition, world.judge(condition) == true { isMet = true }
      return isMet
    }
    return state(isMet: condition == nil ? nil : isMet)
  }

  /// What a person does with a device, or what is done to it on purpose, in the words of scenario files.
  func act(_ members: MessageMembers) throws(MessageProblem) -> [UInt8] {
    let device = try device(members)
    let name = names[device]
    let words = try members.text("words")
    let actions: [Step.Action]
    switch ScenarioReader.actions(words, source: name, for: device, of: opening.scenario, language: .shipped) {
    case .success(let read): actions = read
    case .failure(let problems):
      throw MessageProblem(place: "words", reason: problems.list.first?.message ?? words)
    }
    try perform(members)
    arrive()
    world.note(step: "\(name): \(words)")
    for action in actions { world.perform(action, device) }
    _ = world.advance(to: world.now)
    return state()
  }

  /// Whether a condition of scenario files holds now.
  func ask(_ members: MessageMembers) throws(MessageProblem) -> [UInt8] {
    let condition = try condition(try members.text("that"), "that")
    try perform(members)
    arrive()
    var text = JSONText(capacity: 128)
    text.beginObject()
    text.member("at", world.now.nanoseconds)
    text.member("holds", world.judge(condition))
    text.endObject()
    return text.octets
  }

  // MARK: The world

  /// What a scenario says of this instant happens before what the other end does.
  private func arrive() { advance(to: world.now) { false } }

  private func advance(to limit: SimInstant, until condition: () -> Bool) {
    func stops() -> Bool { !programs.inputs.isEmpty || programs.breakdown != nil || condition() }
    if opening.hasStory, ending == nil {
      guard case .over(let how) = world.play(to: limit, until: stops) else { return }
      ending = how
      // Whoever drives the room is told, before more time passes.
      return
    }
    if ending == .breakdown || ending == .eventLimit { return }
    if world.advance(to: limit, until: stops) == .eventLimit { ending = .eventLimit }
    if programs.breakdown != nil { ending = .breakdown }
  }

  private func perform(_ members: MessageMembers) throws(MessageProblem) {
    guard members.optional("effects") != nil else { return }
    var asked: [(device: Int, effects: [AppEffect])] = []
    for (index, item) in try members.list("effects").enumerated() {
      do throws(MessageProblem) {
        let members = try MessageMembers(item)
        let device = try device(members)
        guard opening.isClient[device] else {
          throw MessageProblem(place: "device", reason: "the app of \(names[device]) is not yours")
        }
        let effect = try effect(members, device)
        if asked.last?.device == device {
          asked[asked.count - 1].effects.append(effect)
        } else {
          asked.append((device, [effect]))
        }
      } catch {
        throw error.inside("effects[\(index)]")
      }
    }
    // An app that is over asks for nothing.
    for (device, effects) in asked where programs.launch(of: device) != nil {
      world.perform(effects, device: device)
    }
  }

  private func effect(_ members: MessageMembers, _ device: Int) throws(MessageProblem) -> AppEffect {
    let app = opening.scenario.app(named: opening.scenario.devices[device].app)?.app ?? wordless
    let effect = try members.effect(of: app) { bits in
      world.header.devices.map(\.address).first { $0.bits == bits } ?? BluetoothAddress(kind: .random, bits: bits)
    }
    if case .setTimer(_, let due) = effect, due < world.now {
      throw MessageProblem(place: "at", reason: "\(due.nanoseconds) ns is over; it is \(world.now.nanoseconds) ns")
    }
    return effect
  }

  private func device(_ members: MessageMembers) throws(MessageProblem) -> Int {
    let name = try members.text("device")
    guard let index = names.firstIndex(of: name) else {
      throw MessageProblem(
        place: "device", reason: "there is no device “\(name)”; " + Suggestion.advice(for: name, in: names))
    }
    return index
  }

  private func condition(_ words: String, _ place: String) throws(MessageProblem) -> Condition {
    switch ScenarioReader.condition(words, source: place, of: opening.scenario, language: .shipped) {
    case .success(let condition): return condition
    case .failure(let problems):
      throw MessageProblem(place: place, reason: problems.list.first?.message ?? words)
    }
  }

  // MARK: Answers

  /// Where the room is, and what apps of the other end are told since the line before.
  private func state(isMet: Bool? = nil) -> [UInt8] {
    var text = JSONText(capacity: 512)
    text.beginObject()
    text.member("at", world.now.nanoseconds)
    text.objects("inputs", programs.inputs.take()) { text, entry in
      text.member("device", names[entry.device])
      switch entry.word {
      case .input(let input): text.input(input)
      case .suspended: text.member("name", "suspended")
      case .woken: text.member("name", "woken")
      case .ended:
        text.member("name", "ended")
        text.member("launch", entry.launch)
      case .launched(let configuration):
        text.input(.launched)
        text.member("launch", entry.launch)
        launched(configuration, &text)
      }
    }
    if let isMet { text.member("met", isMet) }
    if let ending { text.member("over", ending.rawValue) }
    if let breakdown = programs.breakdown {
      text.member("breakdown", "\(names[breakdown.device]): \(breakdown.detail)")
    }
    text.endObject()
    return text.octets
  }

  /// What the app is told before it runs: the hello of its protocol, if it has one.
  private func launched(_ configuration: AppConfiguration, _ text: inout JSONText) {
    guard let app = protocols.first(where: { $0.name == configuration.app }) else {
      if !configuration.kept.isEmpty { text.member("kept", octets: configuration.kept) }
      return
    }
    text.key("hello")
    IUTHello(of: app, role: configuration.role, configuration: configuration).write(to: &text)
  }

  /// Ends the room.
  /// - Parameter lines: that it was driven by.
  func finish(_ lines: [[UInt8]]) throws(MessageProblem) -> (Verdict, [UInt8]) {
    arrive()
    programs.silence()
    let outcome = world.finish(ending: ending ?? (opening.hasStory ? .stopped : .finished))
    guard let judgement = judge.judgement else {
      throw MessageProblem(place: "", reason: "the run ended without a judgement")
    }
    let report: RunReport
    do {
      var made = try RunReport(judgement, meter?.measures, of: opening.scenario)
      if let keeper {
        let app = protocols.spoken(in: opening.scenario)
        made.explain(by: StoryTeller(keeper.run, of: app, scenario: opening.scenario))
      }
      report = made
      self.report = made
      if let out = opening.out, let files {
        try FileSink.write(Array(lines.joined(separator: [0x0A])) + [0x0A], to: out + "/room.jsonl")
        try files.complete(report, repeatLine: "babbench room < \(Shell.line([out + "/room.jsonl"]))")
      }
    } catch {
      throw MessageProblem(place: "", reason: "\(error)")
    }
    var answer = RoomOutcome(
      report: report, outcome: outcome, names: names, seed: opening.seed, wantsFigures: opening.wantsFigures
    ).octets
    if let records {
      // Its last octet closes the object.
      answer.removeLast()
      answer += Array(",\"records\":[".utf8) + records.list + Array("]}".utf8)
    }
    return (report.verdict, answer)
  }
}

/// The records of a run, as trace.jsonl has them, in memory.
private final class RecordsInMemory: OctetSink {
  private var octets: [UInt8] = []
  private(set) lazy var reader = TraceLinesReader(sink: self)

  func write(_ octets: [UInt8]) { self.octets += octets }
  func close() {}

  /// The lines with commas between them.
  var list: [UInt8] {
    octets.split(separator: 0x0A).joined(separator: [0x2C]).map { $0 }
  }
}
