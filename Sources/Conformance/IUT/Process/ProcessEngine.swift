public import AppSeam
public import Bench
import BluetoothWire
import Judging
public import SimKernel

/// An app in a process of its own that speaks Docs/Formats/iut-protocol.md; one process for each launch.
///
/// Synchronous: an input is written, and the call returns with the answer or with what went wrong. Virtual time stands
/// still meanwhile; the wall clock is asked only for the limits.
public final class ProcessEngine: FallibleEngine, RememberingEngine, PromisingEngine {
  /// Memory is looked at this often, in exchanges, and whenever an answer takes longer than a slice.
  private static let exchangesPerMemoryCheck = 32
  /// Octets kept of a line that is no message.
  private static let outputLimit = 400

  public private(set) var failure: IUTFailure?
  /// What it said in its hello; nil when it never came to that.
  public private(set) var greeting: IUTGreeting?
  public var promisedReports: [String] { greeting?.reports ?? [] }
  /// The program's process id and process group; nil when none was started.
  let processID: Int32?
  let app: AppProtocol
  /// The words of a program that knows peers and messages; nil: it speaks the platform's.
  private var vocabulary: PeerVocabulary?
  private let limits: ProgramLimits
  private let folder: String
  private var child: ChildProcess?
  private var finalLog = ""
  private var finalLines: [AppLog.Line] = []
  private var isClosed = false
  private var exchanges = 0
  /// Time that the program has taken for its answers; most take much less than a millisecond.
  private var spent = Duration.zero
  private var rest = InstantRest()
  /// The instant of its last answer.
  private var answered: SimInstant?
  /// Timers that are set; asked by number only.
  private var timers: Set<Int> = []
  /// The program and what it had started when it said hello.
  private var family = ProcessFamily()
  private var writer = JSONText(capacity: 1_024)
  /// Every address the program has been told; an address on the wire has a type besides its text.
  private var addresses: [BluetoothAddress] = []

  /// Starts the program and exchanges hellos. Never throws: what goes wrong shows in `failure`.
  public init(_ launch: ProgramLaunch, limits: ProgramLimits = ProgramLimits(), hello: IUTHello) {
    self.limits = limits
    folder = launch.directory
    app = hello.app
    vocabulary = hello.seam == .messages ? PeerVocabulary(hello) : nil
    do throws(ChildProcess.StartProblem) {
      child = try ChildProcess(launch, logOctets: limits.logOctets)
      processID = child?.pid
    } catch {
      processID = nil
      failure = IUTFailure(.notStarted, "the program cannot be started: \(error.detail)")
      return
    }
    hello.write(to: &writer)
    switch exchange(limits.startMilliseconds) {
    case .success(let line): greet(line)
    case .failure(var failure):
      failure.kind = .notStarted
      failure.detail = "before its hello: " + failure.detail
      fail(failure)
    }
  }

  deinit { close() }

  /// Standard error of the program, its newest part.
  public var log: String { child?.log.text ?? finalLog }
  public var logLines: [AppLog.Line] { child?.log.lines ?? finalLines }

  private func greet(_ line: [UInt8]) {
    do throws(MessageProblem) {
      greeting = try IUTGreeting(Self.members(line), of: app)
      if let child { family = ProcessFamily(of: child.pid) }
    } catch {
      fail(garbage(.notStarted, "its hello is none: \(error); it said \(Self.shown(line))", line))
    }
  }

  // MARK: Inputs and answers

  public func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    guard failure == nil, !isClosed else { return [] }
    if case .discovered(let advertisement) = input { remember(advertisement.address) }
    if case .connected(_, let address) = input { remember(address) }
    if case .timer(let timer) = input { timers.remove(timer.rawValue) }
    guard rest.takes(input, at: now) else {
      fail(InstantRest.failure)
      return []
    }
    child?.takesOver(at: now)
    writer.beginObject()
    writer.member("at", now.nanoseconds)
    if vocabulary == nil { writer.input(input) } else { vocabulary?.write(input, to: &writer) }
    writer.endObject()
    switch exchange(limits.answerMilliseconds) {
    case .success(let line): return effects(line, at: now)
    case .failure(let failure):
      fail(failure)
      return []
    }
  }

  /// The answer to a line that is no input; nil: it gives none.
  func askToRemember(at now: SimInstant) -> [UInt8]? {
    guard failure == nil, !isClosed else { return nil }
    child?.takesOver(at: now)
    writer.beginObject()
    writer.member("at", now.nanoseconds)
    writer.member("name", "remember")
    writer.endObject()
    switch exchange(limits.answerMilliseconds) {
    case .success(let line): return line
    case .failure(let failure):
      fail(failure)
      return nil
    }
  }

  private func remember(_ address: BluetoothAddress) {
    if !addresses.contains(address) { addresses.append(address) }
  }

  private func effects(_ line: [UInt8], at now: SimInstant) -> [AppEffect] {
    var place = ""
    do throws(MessageProblem) {
      let answer = try Self.members(line)
      let instant = try answer.integer("at", Int64.min...Int64.max)
      guard instant == now.nanoseconds else {
        // A second line for an earlier input, which came only after that had been answered.
        if let answered, instant == answered.nanoseconds {
          fail(surplus("first an answer at \(instant) ns, then \(Self.shown(line))", line[...]))
          return []
        }
        fail(IUTFailure(.wrongInstant, "answered for \(instant) ns when it was asked at \(now.nanoseconds) ns"))
        return []
      }
      answered = now
      let list = try answer.list("effects")
      guard list.count <= limits.effects else {
        fail(IUTFailure(.flooded, "\(list.count) effects in one answer; the limit is \(limits.effects)"))
        return []
      }
      var effects: [AppEffect] = []
      effects.reserveCapacity(list.count)
      for index in list.indices {
        place = "effects[\(index)]"
        let asked = try asked(MessageMembers(list[index]))
        effects += asked
        let effect = asked.first
        if case .setTimer(_, let due) = effect, due < now {
          fail(
            IUTFailure(
              .wrongInstant,
              "\(place) wants to be woken at \(due.nanoseconds) ns, and it is \(now.nanoseconds) ns"))
          return []
        }
        if case .setTimer(let timer, _) = effect { timers.insert(timer.rawValue) }
        if case .cancelTimer(let timer) = effect { timers.remove(timer.rawValue) }
      }
      guard timers.count <= limits.timers else {
        fail(IUTFailure(.flooded, "more than \(limits.timers) timers at the same time"))
        return []
      }
      return effects
    } catch {
      fail(garbage(.garbage, "\(place.isEmpty ? error : error.inside(place)); it said \(Self.shown(line))", line))
      return []
    }
  }

  /// What one effect of the program asks for.
  private func asked(_ members: MessageMembers) throws(MessageProblem) -> [AppEffect] {
    if let vocabulary { return try vocabulary.effects(members) }
    let effect = try members.effect(of: app.app) { bits in
      addresses.first { $0.bits == bits } ?? BluetoothAddress(kind: .random, bits: bits)
    }
    return [effect]
  }

  static func members(_ line: [UInt8]) throws(MessageProblem) -> MessageMembers { try MessageMembers(octets: line) }

  private func garbage(_ kind: IUTFailure.Kind, _ detail: String, _ line: [UInt8]) -> IUTFailure {
    let isJSON = (try? JSONTree(line)) != nil
    return IUTFailure(
      kind, detail, cause: isJSON ? nil : "writes what is not JSON to its standard output", lastOutput: Self.kept(line))
  }

  /// A line that is no message, as far as it is kept for people.
  static func kept(_ octets: some Collection<UInt8>) -> String? {
    if octets.isEmpty { return nil }
    let head = octets.prefix(outputLimit).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: ".") : $0 }
    return String(decoding: head, as: UTF8.self) + (octets.count > outputLimit ? "…" : "")
  }

  /// The beginning of a line as people can read it.
  static func shown(_ octets: some Collection<UInt8>) -> String {
    let head = octets.prefix(120).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: ".") : $0 }
    return "“\(String(decoding: head, as: UTF8.self))\(octets.count > 120 ? "…" : "")”"
  }

  // MARK: The pipe

  /// Writes the line in `writer` and reads one line.
  private func exchange(_ limit: Int) -> Result<[UInt8], IUTFailure> {
    guard let child else { return .failure(IUTFailure(.exited, "it is closed")) }
    writer.endLine()
    defer { writer.removeAll() }
    exchanges += 1
    // What has come since the last answer was not asked for. A first line may come before ours is written: it is its
    // hello all the same, so that who is faster decides nothing.
    guard greeting == nil || child.isQuiet() else { return .failure(surplus(child)) }
    let start = ContinuousClock.now
    var time = WallLimit(milliseconds: limit, of: child.pid)
    var isOver = false
    defer { spent += ContinuousClock.now - start - .milliseconds(time.extra) }
    if spent > .milliseconds(limits.launchMilliseconds) {
      return .failure(
        IUTFailure(.silent, "its answers have taken more than \(limits.launchMilliseconds) ms since its launch"))
    }
    var sent = child.write(writer.octets[...])
    while true {
      if sent == writer.octets.count, let line = child.takeLine() { return checked(line, child) }
      if child.pending.count > limits.lineOctets {
        return .failure(
          IUTFailure(
            .flooded, "a line longer than \(limits.lineOctets) octets; it begins \(Self.shown(child.pending))"))
      }
      if child.inputIsBroken { return .failure(ended(child)) }
      // The answer may have come while the bench itself had no processor: a last look decides.
      if isOver { return .failure(silence(limit, child)) }
      let left = time.left()
      isOver = left == 0
      let event = child.wait(
        milliseconds: min(left, WallLimit.sliceMilliseconds), toWrite: sent < writer.octets.count)
      switch event {
      case .ended: return .failure(ended(child))
      case .quiet: if let failure = memoryFailure(child) { return .failure(failure) }
      case .progress: if sent < writer.octets.count { sent += child.write(writer.octets[sent...]) }
      }
    }
  }

  private func checked(_ line: [UInt8], _ child: ChildProcess) -> Result<[UInt8], IUTFailure> {
    // More than a hello is told as what it is, an answer that nobody asked for, whenever it comes.
    if !child.pending.isEmpty, greeting != nil { return .failure(surplus(child, after: line)) }
    if exchanges % Self.exchangesPerMemoryCheck == 0, let failure = memoryFailure(child) { return .failure(failure) }
    return .success(line)
  }

  private func surplus(_ child: ChildProcess, after line: [UInt8]? = nil) -> IUTFailure {
    let second = child.pending.prefix { $0 != 0x0A }
    let before = line.map { "first \(Self.shown($0)), then " } ?? ""
    return surplus(before + Self.shown(second), second)
  }

  private func surplus(_ words: String, _ line: ArraySlice<UInt8>) -> IUTFailure {
    IUTFailure(
      .garbage, "said more than one line: \(words)", cause: "says more than one line for an input",
      lastOutput: Self.kept(line))
  }

  private func silence(_ limit: Int, _ child: ChildProcess) -> IUTFailure {
    let pending = child.pending
    var detail = "no answer within \(limit) ms"
    var cause: String?
    if !pending.isEmpty {
      detail += ", only \(Self.shown(pending)) without a line end"
      cause = "stops in the middle of a line"
    }
    let now = ProcessFamily(of: child.pid)
    if let gone = family.names(without: now), let starter = now.members.first?.name {
      detail += "; what \(starter) had started (\(gone)) has ended, and its output is open: \(Self.exec)"
      cause = "does not answer: what its wrapper \(starter) had started has ended"
    } else if let shell = now.shell {
      detail += "; it runs in a shell (\(shell)): " + Self.exec
    }
    if greeting == nil, pending.isEmpty, answersAtItsEnd(child) {
      return IUTFailure(
        .silent, "\(detail); its answer came when its input ended: it must flush standard output after every line",
        cause: "it does not flush its standard output after every line")
    }
    if greeting != nil, pending.isEmpty, cause == nil, answersAtItsEnd(child) {
      // It may have been slow all the same: its hello came in time.
      detail += "; an answer came when its input had ended: does it flush standard output after every line?"
    }
    return IUTFailure(.silent, detail, cause: cause, lastOutput: Self.kept(pending))
  }

  /// Whether the program has answered and kept the answer in a buffer: most languages do so for a pipe.
  private func answersAtItsEnd(_ child: ChildProcess) -> Bool {
    child.closeInput()
    var time = WallLimit(milliseconds: limits.endMilliseconds, of: child.pid)
    while child.pending.isEmpty, !child.hasEnded(), time.left() > 0 {
      _ = child.wait(milliseconds: 1, toWrite: false)
    }
    _ = child.outputIsHeld()
    return child.pending.first == UInt8(ascii: "{")
  }

  /// What to do about a wrapper; Docs/Formats/iut-description.md has more.
  private static let exec = "a wrapper must start the program with `exec`, or its end is not seen"

  private func memoryFailure(_ child: ChildProcess) -> IUTFailure? {
    guard ProcessFamily(of: child.pid).residentOctets > limits.memoryOctets else { return nil }
    // No figure: it differs from run to run, and reports must not.
    return IUTFailure(.memory, "more than \(limits.memoryOctets >> 20) MiB of resident memory")
  }

  /// Standard output is closed: says how the program ended, or that it continues without.
  private func ended(_ child: ChildProcess) -> IUTFailure {
    var time = WallLimit(milliseconds: limits.endMilliseconds, of: child.pid)
    while !child.hasEnded(), time.left() > 0 {
      _ = child.wait(milliseconds: 1, toWrite: false)
    }
    let isHeld = child.outputIsHeld()
    let pending = child.pending
    child.kill()
    var failure = IUTFailure(.exited, "", lastOutput: Self.kept(pending))
    switch child.ending {
    case .exitCode(let code):
      let meaning = SignalName.meaning(ofExitCode: code).map { " (\($0))" } ?? ""
      failure.detail = "ended with exit code \(code)\(meaning) before the end of its input"
      failure.ending = .exitCode(Int(code))
    case .signal(let number):
      let meaning = SignalName.meaning(number).map { " (\($0))" } ?? ""
      failure.detail = "was ended by \(SignalName.of(number))\(meaning)"
      failure.ending = .signal(SignalName.of(number))
    case .unknown: failure.detail = "ended"
    case nil:
      let stream = child.inputIsBroken ? "input" : "output"
      failure = IUTFailure(
        .exited, "closed its standard \(stream) and continued", cause: "closes its standard \(stream)",
        lastOutput: Self.kept(pending))
    }
    if !pending.isEmpty { failure.detail += "; its last words were \(Self.shown(pending))" }
    if isHeld, failure.ending != nil {
      failure.detail += "; a process that it had started holds its standard output open"
    }
    if let shell = family.shell, let started = family.names() {
      failure.detail += "; it was a shell (\(shell)) that had started \(started): \(Self.exec)"
    }
    return failure
  }

  // MARK: The end

  /// Ends the program, and adds what its log says.
  func fail(_ failure: IUTFailure) {
    end()
    var failure = failure
    let endedBadly = failure.ending.map { $0 != .exitCode(0) } ?? false
    let (crash, lines) = CrashReader(finalLog, folder: folder).read(endedBadly: endedBadly)
    failure.errorLines = lines
    // A program that still answers has not crashed, whatever it wrote.
    if let crash, [.notStarted, .exited, .silent].contains(failure.kind) {
      failure.crash = crash
      failure.detail = "\(crash.words); \(failure.detail)"
    }
    self.failure = failure
  }

  private func end() {
    guard let child else { return }
    child.kill()
    child.closeStreams()
    finalLog = child.log.text
    finalLines = child.log.lines
    self.child = nil
  }

  /// Ends the program: its input is closed, and after a grace whatever is left of its process group is killed.
  public func close() {
    if isClosed { return }
    isClosed = true
    guard let child else { return }
    if let failure = memoryFailure(child) { return fail(failure) }
    child.takesOver(isAfterAnswers: true)
    child.closeInput()
    var time = WallLimit(milliseconds: limits.endMilliseconds, of: child.pid)
    while !child.hasEnded(), child.pending.count <= limits.lineOctets, time.left() > 0 {
      _ = child.wait(milliseconds: 1, toWrite: false)
    }
    let isLate = !child.hasEnded()
    _ = child.wait(milliseconds: 0, toWrite: false)
    if !child.pending.isEmpty { fail(surplus(child)) }
    end()
    guard isLate else { return }
    let remark = "[still there \(limits.endMilliseconds) ms after the end of its input; killed]"
    finalLog += remark + "\n"
    finalLines.append(AppLog.Line(instant: child.log.instant, text: remark, isAfterAnswers: true))
  }
}
