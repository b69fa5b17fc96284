import AppSeam
import BluetoothWire
import CoreBluetooth
import Foundation
import SimKernel
import VirtualTime

/// A session whose app may report something.
protocol RunningProgram: AnyObject {
  func report(_ report: ProgramReport)
  func keep(_ octets: [UInt8])
  func keepMore(_ octets: [UInt8])
}

/// The program's end of the IUT protocol, without any pipe: a line in, a line out. The phone is made at the hello.
final class ProgramSession<App: AnyObject>: RunningProgram {
  /// The bench waits 5 s for an answer; an app that spins is named before that.
  private static var tenthsPerItem: Int { 25 }
  /// Later instants have no notation in the protocol: 104 days.
  private static var latest: Int64 { 1 << 53 }
  /// More remarks of one name add nothing.
  private static var mostRemarksOfOneName: Int { 5 }

  private let greeting: ProgramGreeting
  private let makeApp: (ProgramSetup) -> App
  private let user: (App, ProgramAction) -> Void
  private let scene: (App, Bool) -> Void
  private let log: (String) -> Void
  private var engine: PhoneEngine?
  private var app: App?
  private var remarkCounts: [String: Int] = [:]

  init(
    greeting: ProgramGreeting, app: @escaping (ProgramSetup) -> App, user: @escaping (App, ProgramAction) -> Void,
    scene: @escaping (App, Bool) -> Void = { _, _ in }, log: @escaping (String) -> Void
  ) {
    self.greeting = greeting
    makeApp = app
    self.user = user
    self.scene = scene
    self.log = log
  }

  /// The answer to one line, both without their line ends.
  func answer(_ line: [UInt8]) throws(ProgramEnd) -> [UInt8] {
    let data = Data(line)
    let members = try LineMembers(data)
    guard let engine else {
      guard try members.text("name") == "hello" else { throw .notInProtocol("the first one must be the hello") }
      try checkVirtualTime()
      engine = makeEngine(try ProgramSetup(members, line: data))
      return greeting.octets
    }
    let now = SimInstant(nanoseconds: Int64(try members.int("at")))
    if try members.text("name") == "remember" {
      var line = AnswerLine(at: now)
      if let memory = engine.remember(at: now) { line.memory(memory) }
      return line.octets
    }
    return try answer(try effects(engine, members, now), at: now)
  }

  /// The app is gone.
  func end() {
    engine?.end()
    engine = nil
    app = nil
  }

  func report(_ report: ProgramReport) { engine?.phone.ask(.report(AppReport(report))) }
  func keep(_ octets: [UInt8]) { engine?.phone.ask(.keep(octets)) }
  func keepMore(_ octets: [UInt8]) { engine?.phone.ask(.keepMore(octets)) }

  private func checkVirtualTime() throws(ProgramEnd) {
    do throws(VirtualTimeProblem) {
      let processor = VirtualProcessor()
      try processor.run(at: .zero)
      processor.end()
    } catch {
      throw .stopped(error.description)
    }
  }

  private func makeEngine(_ setup: ProgramSetup) -> PhoneEngine {
    var configuration = AppConfiguration(
      device: 0, app: "", role: AppRole(rawValue: setup.role), dialect: DialectName(rawValue: setup.dialect),
      peerID: setup.peerID, displayName: setup.displayName, seed: setup.seed, settings: AppSettings(NoSettings.empty))
    configuration.clockOffsetMilliseconds = setup.clockOffsetMilliseconds
    let name = "program-\(setup.peerID)"
    var random = RandomStream(seed: setup.seed, component: name, purpose: "address")
    let address = BluetoothAddress(kind: .random, bits: random.next() | 0xC000_0000_0000)
    let memory = PhoneMemory(setup.memory, isRestored: setup.isRestored)
    return PhoneEngine(
      configuration, name: name, address: address, memory: memory, tenthsPerItem: Self.tenthsPerItem
    ) { [unowned self] in
      let made = makeApp(setup)
      app = made
      return made
    }
  }

  private func effects(
    _ engine: PhoneEngine, _ members: LineMembers, _ now: SimInstant
  ) throws(ProgramEnd) -> [AppEffect] {
    if try members.text("name") == "user" {
      let action = try ProgramAction(members)
      guard let app else { throw .notInProtocol("the app is not launched yet") }
      return engine.act(at: now) { [user] in user(app, action) }
    }
    let input = try members.input()
    let effects = engine.handle(input, at: now)
    guard case .background(let isInBackground) = input, let app else { return effects }
    return effects + engine.act(at: now) { [scene] in scene(app, !isInBackground) }
  }

  private func answer(_ effects: [AppEffect], at now: SimInstant) throws(ProgramEnd) -> [UInt8] {
    var line = AnswerLine(at: now)
    for effect in effects {
      switch effect {
      case .report(let report):
        if let report = report.among(ProgramReport.self) {
          line.report(report.json)
        } else if let word = report.among(CallWord.self) {
          try add(word, to: &line, at: now)
        } else if case .stopped(let text)? = report.among(PhoneWord.self) {
          throw .stopped(text)
        }
      case .setTimer(_, let due) where due.nanoseconds > Self.latest: break
      default: line.effect(effect)
      }
    }
    return line.octets
  }

  /// Calls, callbacks and remarks go into the bench's trace; remarks also into the log.
  private func add(_ word: CallWord, to line: inout AnswerLine, at now: SimInstant) throws(ProgramEnd) {
    if case .remark(CallWord.notVirtual, _, let text) = word {
      remark(text, "not virtual: \(text)", at: now)
    } else if case .remark(let kind, let name, let text) = word {
      // An Objective-C exception ends the app.
      if kind == CBRemark.Kind.exception.rawValue { throw .stopped("exception \(name): \(text)") }
      remark("\(kind) \(name)", "\(kind) \(name): \(text)", at: now)
    }
    line.call(word)
  }

  private func remark(_ key: String, _ text: String, at now: SimInstant) {
    let count = remarkCounts[key, default: 0] + 1
    remarkCounts[key] = count
    if count <= Self.mostRemarksOfOneName { log("\(now) s: \(text)") }
    if count == Self.mostRemarksOfOneName { log("(more of “\(key)” are not shown)") }
  }
}
