package import AppSeam
import BabSim
import BabSuite
import Bench
package import Conformance
import Foundation
import ProtocolFiles

/// Bab in the words of `bab.yaml`, and its engines as implementations of that file.
package enum BabPart {
  package static let app: AppProtocol = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("bab.yaml").path
    do { return try ProtocolFile(path, spellings: ["bab.yaml"]).app } catch { fatalError("\(error)") }
  }()

  /// The protocol of the file with Bab's engines in Swift for its own: for rooms.
  package static let reworded: AppProtocol = {
    let own = app
    return AppProtocol(
      own.app, title: own.title, clauses: [], exemptions: [], breakdownClause: "", purposes: [], mutants: [],
      designs: [], ics: own.ics, oracles: own.oracles, makeOracleReader: own.makeOracleReader,
      makeReference: { given in
        var told = told(given)
        // A game that does not end by itself.
        if var game = told.settings.record as? GameSettings {
          game.totalLines = 10_000
          told.settings = AppSettings(game)
        }
        return RewordedEngine(AppProtocol.bab.makeReference(told), wording)
      }, makeBed: own.makeBed,
      chart: own.chart, traffic: nil)
  }()

  package static let wording = Wording(action: action, report: report)

  /// What is on a screen only: what a purpose means by “the implementation shows”.
  private static let screen = Wording(action: action) { $0.bab?.isOfScreen ?? false ? report($0) : nil }

  /// An engine of Bab in Swift, told what it is told in the dialect `sdk`, as an implementation of the file.
  package static func implementation(
    _ name: String, _ role: AppRole, _ make: @escaping @Sendable (AppConfiguration) -> any AppEngine
  ) -> ImplementationUnderTest {
    ImplementationUnderTest(of: app, name: name, role: role) { RewordedEngine(make(told($0)), screen) }
  }

  /// What an app of the file is told, as an app of Bab is told it.
  package static func told(_ given: AppConfiguration) -> AppConfiguration {
    var told = AppProtocol.bab.configuration(
      given.role, .sdk, peerID: given.peerID, displayName: given.displayName)
    (told.device, told.seed) = (given.device, given.seed)
    return told
  }

  @Sendable private static func action(_ free: FreeAction) -> AppAction? {
    func value(_ name: String) -> String { free.values.first { $0.name == name }?.value ?? "" }
    let action: BabAction? =
      switch free.what {
      case "host": .startHosting
      case "select scenario": .setLobbyScenario(value("scenario"))
      case "select difficulty": .setLobbyDifficulty(value("level"))
      case "start": .startLobbyGame
      case "end game": .endGame
      case "find": .joinHost
      case "leave": .leave
      case "skip": .skipLine
      case "complete":
        .completeLine(
          accuracyPermille: Int(value("accuracy")) ?? 0, errorCount: Int(value("errors")) ?? 0,
          durationMilliseconds: Int(value("duration")) ?? 0)
      default: nil
      }
    return action.map { AppAction($0) }
  }

  @Sendable private static func report(_ report: AppReport) -> FreeReport? {
    func free(_ what: String, _ values: (String, String)...) -> FreeReport {
      FreeReport(what, values.map { FreeValue($0.0, $0.1) })
    }
    return switch report.bab {
    case .identity(let role, let peerID, _): free("me", ("role", role.rawValue), ("id", peerID))
    case .phase(let phase): free("phase", ("phase", phase))
    case .linkState(let state): free("connection", ("state", state))
    case .lobby(let view):
      free(
        "lobby", ("scenario", view.scenarioID), ("difficulty", view.difficulty),
        ("players", view.players.joined(separator: " ")))
    case .turn(let player): free("turn", ("player", player ?? ""))
    case .screen(let line): free("screen", ("line", line.lineID), ("text", line.text ?? ""))
    case .committed(let place, let line, let text):
      free("committed", ("place", String(place)), ("line", line), ("text", text))
    case .lineGenerated(let line, let player, _): free("made", ("line", line), ("player", player))
    case .lineAccepted(let line, let player, let skipped, _):
      free("accepted", ("line", line), ("player", player), ("skipped", skipped ? "yes" : "no"))
    // Its own entry is the first.
    case .vectorClock(let entries): free("clock", ("own", String(entries.first?.count ?? 0)))
    default: nil
    }
  }
}
