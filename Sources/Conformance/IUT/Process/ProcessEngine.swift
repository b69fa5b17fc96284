public import AppSeam
import Bench
import BluetoothWire
import Judging
public import SimKernel

/// An app in a process of its own that speaks Docs/Formats/iut-protocol.md; one process for each launch.
///
/// Synchronous: an input is written, and the call returns with the answer or with what went wrong. Virtual time stands
/// still meanwhile; the wall clock is asked only for the limits.
public final class ProcessEngine: FallibleEngine {
  /// Memory is looked at this often, in exchanges, and whenever an answer takes longer than a slice.
  private static let exchangesPerMemoryCheck = 32
  private static let sliceMilliseconds = 20

  public private(set) var failure: IUTFailure?
  /// What it said in its hello; nil when it never came to that.
  public private(set) var greeting: IUTGreeting?
  /// The program's process id and process group; nil when none was started.
  let processID: Int32?
  private let app: AppProtocol
  private let limits: IUTLimits
  private var child: ChildProcess?
  private var finalLog = ""
  private var isClosed = false
  private var exchanges = 0
  /// Time that the program has taken for its answers.
  private var spentMilliseconds = 0
  /// Timers that are set; asked by number only.
  private var timers: Set<Int> = []
  private var writer = JSONText(capacity: 1_024)
  /// Every address the program has been told; an address on the wire has a type besides its text.
  private var addresses: [BluetoothAddress] = []

  /// Starts the program and exchanges hellos. Never throws: what goes wrong shows in `failure`.
  public init(_ launch: IUTLaunch, limits: IUTLimits = IUTLimits(), hello: IUTHello) {
    self.limits = limits
    app = hello.app
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
    case .failure(let failure): fail(.notStarted, "before its hello: " + failure.detail)
    }
  }

  deinit { close() }

  /// Standard error of the program, its newest part.
  public var log: String { child?.log.text ?? finalLog }

  private func greet(_ line: [UInt8]) {
    do throws(MessageProblem) {
      greeting = try IUTGreeting(Self.members(line), of: app)
    } catch {
      fail(.notStarted, "its hello is none: \(error); it said \(Self.shown(line))")
    }
  }

  // MARK: Inputs and answers

  public func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    guard failure == nil, !isClosed else { return [] }
    if case .discovered(let advertisement) = input { remember(advertisement.address) }
    if case .connected(_, let address) = input { remember(address) }
    if case .timer(let timer) = input { timers.remove(timer.rawValue) }
    writer.beginObject()
    writer.member("at", now.nanoseconds)
    writer.input(input)
    writer.endObject()
    switch exchange(limits.answerMilliseconds) {
    case .success(let line): return effects(line, at: now)
    case .failure(let failure):
      fail(failure.kind, failure.detail)
      return []
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
        fail(.wrongInstant, "answered for \(instant) ns when it was asked at \(now.nanoseconds) ns")
        return []
      }
      let list = try answer.list("effects")
      guard list.count <= limits.effects else {
        fail(.flooded, "\(list.count) effects in one answer; the limit is \(limits.effects)")
        return []
      }
      var effects: [AppEffect] = []
      effects.reserveCapacity(list.count)
      for index in list.indices {
        place = "effects[\(index)]"
        let effect = try MessageMembers(list[index]).effect(of: app.app) { bits in
          addresses.first { $0.bits == bits } ?? BluetoothAddress(kind: .random, bits: bits)
        }
        if case .setTimer(_, let due) = effect, due < now {
          fail(.wrongInstant, "\(place) wants to be woken at \(due.nanoseconds) ns, and it is \(now.nanoseconds) ns")
          return []
        }
        if case .setTimer(let timer, _) = effect { timers.insert(timer.rawValue) }
        if case .cancelTimer(let timer) = effect { timers.remove(timer.rawValue) }
        effects.append(effect)
      }
      guard timers.count <= limits.timers else {
        fail(.flooded, "more than \(limits.timers) timers at the same time")
        return []
      }
      return effects
    } catch {
      fail(.garbage, "\(place.isEmpty ? error : error.inside(place)); it said \(Self.shown(line))")
      return []
    }
  }

  private static func members(_ line: [UInt8]) throws(MessageProblem) -> MessageMembers {
    let tree: JSONTree
    do {
      tree = try JSONTree(line)
    } catch {
      throw MessageProblem(place: "", reason: "not JSON at octet \(error.offset): \(error.reason)")
    }
    return try MessageMembers(tree)
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
    // What has come since the last answer was not asked for.
    guard child.isQuiet() else { return .failure(surplus(child)) }
    let start = ChildProcess.milliseconds()
    let deadline = start + limit
    defer { spentMilliseconds += ChildProcess.milliseconds() - start }
    if spentMilliseconds > limits.launchMilliseconds {
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
      let left = deadline - ChildProcess.milliseconds()
      if left <= 0 { return .failure(silence(limit, child)) }
      let event = child.wait(
        milliseconds: min(left, Self.sliceMilliseconds), toWrite: sent < writer.octets.count)
      switch event {
      case .ended: return .failure(ended(child))
      case .quiet: if let failure = memoryFailure(child) { return .failure(failure) }
      case .progress: if sent < writer.octets.count { sent += child.write(writer.octets[sent...]) }
      }
    }
  }

  private func checked(_ line: [UInt8], _ child: ChildProcess) -> Result<[UInt8], IUTFailure> {
    if !child.pending.isEmpty { return .failure(surplus(child, after: line)) }
    if exchanges % Self.exchangesPerMemoryCheck == 0, let failure = memoryFailure(child) { return .failure(failure) }
    return .success(line)
  }

  private func surplus(_ child: ChildProcess, after line: [UInt8]? = nil) -> IUTFailure {
    let second = Self.shown(child.pending.prefix { $0 != 0x0A })
    let before = line.map { "first \(Self.shown($0)), then " } ?? ""
    return IUTFailure(.garbage, "said more than one line: \(before)\(second)")
  }

  private func silence(_ limit: Int, _ child: ChildProcess) -> IUTFailure {
    let partial = child.pending.isEmpty ? "" : ", only \(Self.shown(child.pending)) without a line end"
    return IUTFailure(.silent, "no answer within \(limit) ms\(partial)")
  }

  private func memoryFailure(_ child: ChildProcess) -> IUTFailure? {
    guard let octets = ResidentMemory.octets(of: child.pid), octets > limits.memoryOctets else { return nil }
    // No figure: it differs from run to run, and reports must not.
    return IUTFailure(.memory, "more than \(limits.memoryOctets >> 20) MiB of resident memory")
  }

  /// Standard output is closed: says how the program ended, or that it goes on without.
  private func ended(_ child: ChildProcess) -> IUTFailure {
    let deadline = ChildProcess.milliseconds() + limits.endMilliseconds
    while !child.hasEnded(), ChildProcess.milliseconds() < deadline {
      _ = child.wait(milliseconds: 1, toWrite: false)
    }
    let rest = child.pending.isEmpty ? "" : "; its last words were \(Self.shown(child.pending))"
    child.kill()
    let manner =
      switch child.ending {
      case .exitCode(let code): "ended with exit code \(code)"
      case .signal(let number): "was ended by signal \(number)"
      case .unknown: "ended"
      case nil: "closed its standard \(child.inputIsBroken ? "input" : "output") and went on"
      }
    return IUTFailure(.exited, manner + rest)
  }

  // MARK: The end

  private func fail(_ kind: IUTFailure.Kind, _ detail: String) {
    failure = IUTFailure(kind, detail)
    end()
  }

  private func end() {
    guard let child else { return }
    child.kill()
    child.closeStreams()
    finalLog = child.log.text
    self.child = nil
  }

  /// Ends the program: its input is closed, and after a grace whatever is left of its process group is killed.
  public func close() {
    if isClosed { return }
    isClosed = true
    guard let child else { return }
    if let failure = memoryFailure(child) { return fail(failure.kind, failure.detail) }
    child.closeInput()
    let deadline = ChildProcess.milliseconds() + limits.endMilliseconds
    while !child.hasEnded(), child.pending.count <= limits.lineOctets {
      let left = deadline - ChildProcess.milliseconds()
      if left <= 0 { break }
      _ = child.wait(milliseconds: min(left, 1), toWrite: false)
    }
    let isLate = !child.hasEnded()
    _ = child.wait(milliseconds: 0, toWrite: false)
    if !child.pending.isEmpty {
      let surplus = surplus(child)
      fail(surplus.kind, surplus.detail)
    }
    end()
    if isLate { finalLog += "[still there \(limits.endMilliseconds) ms after the end of its input; killed]\n" }
  }
}
