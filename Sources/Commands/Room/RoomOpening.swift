import AppSeam
import Bench
import BluetoothWire
import Conformance
import SimKernel
import VirtualRadio

/// What the first line of a room says: its scenario, and whose apps are at the other end of the pipe.
struct RoomOpening {
  /// What a world knows of an app at the other end.
  static let client: ScenarioProgram = {
    var program = ScenarioProgram(
      words: ["the client's app"], launch: ProgramLaunch(command: [], directory: "", environment: []))
    program.isMute = true
    return program
  }()
  /// The role of a device whose app speaks no protocol that the bench knows.
  static let phone = AppRole(rawValue: "phone")

  private(set) var scenario: Scenario
  /// As messages call it.
  let file: String
  let seed: UInt64
  /// Whose app is at the other end, by device.
  let isClient: [Bool]
  /// Names of the reports that those apps make whenever there is reason to.
  let reports: [String]
  /// The folder for files of the run; nil: none.
  let out: String?
  /// Whether the outcome has all records.
  let wantsRecords: Bool
  /// Whether the outcome has measures.
  let wantsFigures: Bool
  /// Whether the scenario says what happens; else the room has no end of its own.
  let hasStory: Bool

  /// - Parameter writes: whether files of the run are written where the line asks for them.
  /// - Throws: what is wrong with the line, or with the scenario, `file:line:column: …`.
  init(_ members: MessageMembers, writes: Bool = true) throws(MessageProblem) {
    let apps = members.optional("apps") == nil ? [] : try members.texts("apps")
    reports = try Self.reports(members)
    out = writes ? try members.optionalText("out") : nil
    wantsRecords = members.optional("records") == nil ? false : try members.boolean("records")
    wantsFigures = members.optional("figures") == nil ? false : try members.boolean("figures")
    let changes = members.optional("set") == nil ? [] : try members.texts("set")
    let overrides = try Self.overrides(changes)
    let read: Scenario
    if let text = try members.optionalText("text") {
      guard members.optional("scenario") == nil else {
        throw MessageProblem(place: "text", reason: "“scenario” is there too; write one of them")
      }
      let file = try members.optionalText("file") ?? "room.yaml"
      self.file = file
      read = try Self.whole(
        ScenarioReader.read(
          text: text, file: file, language: .shipped, overrides: overrides, profiles: .besides(file),
          programs: .besides(file, environment: Environment.inherited)))
    } else {
      let name = try members.text("scenario")
      let file: String
      do {
        file = try ScenarioLibrary.shipped.path(of: name)
      } catch {
        throw MessageProblem(place: "scenario", reason: "\(error)")
      }
      self.file = file
      read = try Self.whole(
        ScenarioFile.load(file, language: .shipped, overrides: overrides, environment: Environment.inherited))
    }
    seed = members.optional("seed") == nil ? read.seed : try Self.seed(members)
    hasStory = !(read.steps.isEmpty && read.meanwhile.isEmpty && read.expectations.isEmpty)
    let names = read.devices.map(\.name)
    for (index, name) in apps.enumerated() where !names.contains(name) {
      throw MessageProblem(
        place: "apps[\(index)]", reason: "there is no device “\(name)”; " + Suggestion.advice(for: name, in: names))
    }
    isClient = names.map(apps.contains)
    scenario = read
    scenario.seed = seed
    for index in scenario.devices.indices where isClient[index] { seat(index) }
    if let problem = scenario.unanswerable(seats: [], file: file).first {
      throw MessageProblem(place: "", reason: problem.description)
    }
  }

  /// Puts the app of the other end on a device.
  private mutating func seat(_ index: Int) {
    var device = scenario.devices[index]
    if device.phone.pairing == nil { device.phone.pairing = .init() }
    device.program = Self.client
    // What an app of a known protocol shows is said in its reports, when it makes them.
    device.program?.isMute = device.app == nil
    device.engine = Self.client.name
    if device.isBare {
      device.isBare = false
      device.role = Self.phone
      device.takesPart = false
    }
    // What it would do on purpose it does with an engine that does not play now.
    if case .engine? = device.hostility?.way { device.hostility = nil }
    scenario.devices[index] = device
  }

  private static func seed(_ members: MessageMembers) throws(MessageProblem) -> UInt64 {
    if case .integer(let number)? = members.optional("seed"), number >= 0 { return UInt64(number) }
    let digits = try members.text("seed")
    guard let seed = UInt64(digits) else {
      throw MessageProblem(place: "seed", reason: "“\(digits)” is no seed; write a whole number from 0 on")
    }
    return seed
  }

  private static func reports(_ members: MessageMembers) throws(MessageProblem) -> [String] {
    guard members.optional("reports") != nil else { return [] }
    let known = protocols.flatMap(\.reportNames)
    let reports = try members.texts("reports")
    for (index, name) in reports.enumerated() where !known.contains(name) {
      throw MessageProblem(
        place: "reports[\(index)]", reason: "“\(name)” is no report; " + Suggestion.advice(for: name, in: known))
    }
    return reports
  }

  private static func overrides(_ changes: [String]) throws(MessageProblem) -> [ScenarioOverride] {
    var overrides: [ScenarioOverride] = []
    for (index, change) in changes.enumerated() {
      guard let override = ScenarioOverride(change) else {
        throw MessageProblem(place: "set[\(index)]", reason: "“\(change)” changes nothing; write path=value")
      }
      overrides.append(override)
    }
    return overrides
  }

  private static func whole(_ reading: Result<Scenario, ScenarioProblems>) throws(MessageProblem) -> Scenario {
    switch reading {
    case .success(let scenario): return scenario
    case .failure(let problems): throw MessageProblem(place: "", reason: problems.description)
    }
  }
}
