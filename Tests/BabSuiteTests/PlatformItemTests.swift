import AppSeam
import BabSim
import Bench
import Expectations
import Judging
import SimKernel
import Testing

@testable import BabSuite
@testable import Conformance

/// A correct engine on a platform that cannot do what most can: it passes when its ICS says so, and fails otherwise.
@Suite("What a platform cannot do is no failure of the app")
struct PlatformItemTests {
  /// An item of the ICS, and the reference on a platform, or in an app, that it is for.
  struct Lack: Sendable, CustomTestStringConvertible {
    var item: ICS.Item
    var role: AppRole
    var make: @Sendable (AppConfiguration) -> any AppEngine
    /// Purposes that fail the engine when its ICS says nothing, without `BAB/` and `-C`.
    var judges: [String]

    var testDescription: String { "\(item.name), \(role.rawValue)" }

    /// A statement that says what the platform is like.
    var statement: ICS {
      let words = ["all", item.standing == .assumed ? "no-" + item.name : item.name]
      return AppProtocol.bab.statement(of: words)
    }
  }

  static let lacks: [Lack] = [
    Lack(
      item: .endsLinks, role: .host, make: seam { _, effect in if case .disconnect = effect { [] } else { [effect] } },
      judges: ["HOST/AUTH/BI-04", "HOST/LOBBY/BI-05", "HOST/LOBBY/BI-08", "HOST/LINK/BV-07", "HOST/START/BI-09"]),
    Lack(
      item: .readvertises, role: .host,
      make: seam { engine, effect in
        if case .stopAdvertising = effect { engine.count = 0 }
        if case .publish = effect { engine.count = 0 }
        guard case .advertise = effect else { return [effect] }
        engine.count += 1
        return engine.count == 1 ? [effect] : []
      }, judges: ["HOST/ADV/BV-07"]),
    Lack(item: .ownPeerID, role: .host, make: told { $0.peerID = id }, judges: ["HOST/ADV/BV-01", "HOST/LOBBY/BV-05"]),
    Lack(
      item: .ownPeerID, role: .client, make: told { $0.peerID = id },
      judges: ["CLIENT/AUTH/BV-01", "CLIENT/LOBBY/BV-01"]),
    Lack(item: .ownScenarios, role: .host, make: told(ownGame), judges: ["HOST/TURN/BV-01", "HOST/SCORE/BV-26"]),
    Lack(item: .ownScenarios, role: .client, make: told(ownGame), judges: ["CLIENT/TURN/BV-01"]),
  ]

  @Test("It passes what applies when its ICS says so", arguments: lacks)
  func passes(lack: Lack) {
    let results = Self.results(lack, lack.statement)
    let judged = results.filter { $0.notApplicable == nil }
    for result in judged {
      equal(
        result.verdict, .pass, "\(result.id.purpose): \(result.finding.map { "\($0.expected): \($0.actual)" } ?? "")")
    }
    expect(judged.count > results.count * 2 / 3)
  }

  @Test("It fails those that judge it when its ICS says nothing", arguments: lacks)
  func fails(lack: Lack) {
    for result in Self.results(lack, AppProtocol.bab.everything, of: lack.judges.map { "BAB/\($0)-C" }) {
      expect(result.verdict == .fail || result.isBlocked, "\(result.id.purpose): \(result.verdict)")
    }
  }

  private static let id = "5F0C1D2E-3B4A-4C5D-8E6F-7A8B9C0D1E2F"

  private static let ownGame: @Sendable (inout BabConfiguration) -> Void = {
    $0.scenarios = GameScenario.presets
    $0.lineScript = LineScript(
      (1...9).map { LineTemplate(native: "Sala \($0), por favor", translated: "Room \($0), please") })
  }

  private static func told(
    _ adjust: @escaping @Sendable (inout BabConfiguration) -> Void
  ) -> @Sendable (AppConfiguration) -> any AppEngine {
    { app in
      var configuration = BabConfiguration(app)
      adjust(&configuration)
      return BabEngines.reference(app.role, configuration)
    }
  }

  private static func seam(_ asking: @escaping SeamMutant.Asking) -> @Sendable (AppConfiguration) -> any AppEngine {
    nonisolated(unsafe) let asking = asking
    return { app in
      SeamMutant(
        wrapping: BabEngines.reference(app), configuration: BabConfiguration(app), hearing: { [$1] }, asking: asking)
    }
  }

  /// - Parameter ids: of purposes; none: a part of them, another part for each item.
  private static func results(_ lack: Lack, _ ics: ICS, of ids: [String] = []) -> [CaseResult] {
    let implementation = ImplementationUnderTest(
      of: .bab, name: "elsewhere", role: lack.role, ics: ics, makeEngine: lack.make)
    let all = Catalog.all(role: lack.role)
    let number = lacks.firstIndex { $0.item == lack.item } ?? 0
    let purposes = ids.isEmpty ? Part.of(all, 6, number: number) : all.filter { ids.contains($0.id) }
    return purposes.map { purpose in
      let id = CaseID(purpose: purpose.id, dialect: AppProtocol.bab.dialect(for: purpose), seed: purpose.seeds[0])
      return CaseRunner.run(purpose, id, on: implementation)
    }
  }
}
