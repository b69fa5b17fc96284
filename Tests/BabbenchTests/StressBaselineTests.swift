import AppSeam
import ArgumentParser
import BabSim
import Bench
import Conformance
import Expectations
import SimKernel
import Testing

@testable import Commands

@Suite("babbench stress --baseline", .shippedEdition)
struct StressBaselineTests {
  /// Two that keep each other company over a bad link.
  private static let waiting = """
    radio: { packet loss: 20% }
    devices:
      host: {}
      client: {}
    game: { heartbeat: 400ms }
    steps:
      - host: start hosting
      - client: join
      - when: client in lobby
        within: 30s
        host: { set scenario: coffee-shop }
      - after: 10s
        host: { set difficulty: hard }
    expect:
      - that: client in lobby
        within: 30s
    """

  /// An engine that waits longer from heartbeat to heartbeat, in permille.
  private final class Slower: AppEngine {
    private let engine: any AppEngine
    private let permille: Int64
    /// `EngineTimer.heartbeat`.
    private static let heartbeat = TimerID(1)

    init(_ engine: any AppEngine, permille: Int64) {
      self.engine = engine
      self.permille = permille
    }

    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
      engine.handle(input, at: now).map { effect in
        guard case .setTimer(let timer, let instant) = effect, timer == Self.heartbeat else {
          return effect
        }
        return .setTimer(timer, at: now + .nanoseconds((instant - now).nanoseconds * permille / 1_000))
      }
    }
  }

  private static func bench(permille: Int64) -> Bench {
    Bench(
      load: Bench.real.load,
      run: { scenario, options, readers in
        let engines = protocols.engines
        return try World.run(
          scenario, options: options, readers: readers,
          engines: { Slower(try engines($0, $1), permille: permille) }, progress: { _ in })
      })
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.waiting, to: "waiting.yaml")
  }

  private func stress(_ arguments: [String], permille: Int64) throws -> (code: Int32, told: String) {
    var told: [String] = []
    let streams = OutputStreams(tell: { told.append($0) }, complain: { told.append($0) })
    let words = [folder.path + "/waiting.yaml"] + arguments
    let code = try StressCommand.parse(words).execute(on: Self.bench(permille: permille), for: streams)
    return (code, told.joined(separator: "\n"))
  }

  private func changes(seeds: Int, permille: Int64) throws -> (code: Int32, told: String) {
    let range = ["--seeds", "1..\(seeds)"]
    let old = folder.path + "/old"
    _ = try stress(range + ["--out", old], permille: 1_000)
    return try stress(range + ["--out", folder.path + "/new", "--baseline", old], permille: permille)
  }

  @Test("An equal build has no change")
  func isEqual() throws {
    let said = try changes(seeds: 60, permille: 1_000)
    expect(said.code == 0 && said.told.contains("0 went differently, no change beyond chance"), "\(said.told)")
  }

  @Test("A timer that is five percent longer is found")
  func slower() throws {
    let said = try changes(seeds: 60, permille: 1_050)
    expect(said.code == 1 && said.told.contains("worse mean goodput: worse in"), "\(said.told)")
  }

  @Test("A timer that is five percent shorter is better, and no fault")
  func faster() throws {
    let said = try changes(seeds: 60, permille: 950)
    expect(
      said.code == 0 && said.told.contains("better mean goodput: worse in 0 worlds, better in 60"), "\(said.told)")
    expect(said.told.contains("median of the differences +0."), "\(said.told)")
  }

  @Test("A baseline of other worlds is refused before anything is played")
  func others() throws {
    let old = folder.path + "/old"
    _ = try stress(["--seeds", "1..3", "--out", old], permille: 1_000)
    let other = try stress(["--seeds", "1..4", "--out", folder.path + "/x", "--baseline", old], permille: 1_000)
    expect(other.code == 64 && other.told.contains("the baseline has other worlds"), "\(other.told)")
  }
}
