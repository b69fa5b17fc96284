import AppSeam
import Bench

/// Echo as worlds and scenarios know it.
struct EchoApp: SimulatedApp {
  static let name = "echo"

  var name: String = EchoApp.name
  let roles = [
    RoleDescription(.echoHost, plural: "hosts", leads: true),
    RoleDescription(.echoClient, plural: "clients", leads: false),
  ]
  let dialects = [DialectName(rawValue: "plain")]
  var defaultDialect: DialectName { dialects[0] }
  var takesPart: Bool { true }
  var reports: any AppStatement.Type { EchoReport.self }
  var actions: any AppStatement.Type { EchoAction.self }
  var settingsMember: StaticString? { nil }
  let words: AppWords = {
    var words = AppWords()
    words.plainActions = ["call"]
    words.predicates = ["is ready", "has heard 1"]
    return words
  }()

  func settings(_ tree: YAMLTree?, _ decoder: ScenarioDecoder) -> AppSettings { AppSettings(NoSettings.empty) }
  func options(_ settings: AppSettings) -> [TraceHeader.Option] { [] }
  func action(_ word: String) -> Step.UserAction? {
    word == "call" ? Step.UserAction(AppAction(EchoAction.call)) : nil
  }
  func action(_ key: String, _ value: YAMLTree, _ decoder: ScenarioDecoder) -> Step.UserAction? { nil }
  func action(_ action: AppAction, about peer: PeerNames) -> AppAction { action }
  func fact(_ words: [String]) -> AppFact? {
    if words == ["ready"] { return AppFact(EchoFact.ready) }
    guard words.count == 2, words[0] == "heard", let number = Int64(words[1]) else { return nil }
    return AppFact(EchoFact.heard(number))
  }
  func makeFacts(_ cast: AppCast, settings: AppSettings) -> any AppFacts { EchoFacts() }
  func makePeople(_ scenario: Scenario, settings: AppSettings, seed: UInt64) -> (any AppPeople)? { nil }
}

/// What a scenario can ask of a client.
enum EchoFact: AppFactStatement {
  case ready
  case heard(Int64)

  func canBeAsked(of device: Int, _ cast: AppCast) -> Bool { cast.members[device].role == .echoClient }
  var comparesWithLeader: Bool { false }
}

final class EchoFacts: AppFacts {
  private var ready: Set<Int> = []
  private var heard: [Int: Int64] = [:]
  let readsValues = false

  func read(_ input: AppInput, device: Int, peer: Int?) {}
  func read(_ report: AppReport, device: Int) {
    switch report.among(EchoReport.self) {
    case .ready: ready.insert(device)
    case .heard(let number): heard[device] = number
    case nil: break
    }
  }
  func peerID(of device: Int) -> String? { nil }
  func holds(_ fact: AppFact, device: Int) -> Bool {
    switch fact.statement as? EchoFact {
    case .ready: ready.contains(device)
    case .heard(let number): heard[device] == number
    case nil: false
    }
  }
  func detail(_ fact: AppFact, device: Int) -> String { "heard \(heard[device].map(String.init) ?? "nothing")" }
  func columns(of device: Int) -> [RunOutcome.Column] {
    [RunOutcome.Column(key: "heard", title: "heard", value: heard[device].map(String.init) ?? "")]
  }
}
