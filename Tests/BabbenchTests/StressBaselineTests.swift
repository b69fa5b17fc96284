import AppSeam
import ArgumentParser
import BabSim
import Bench
import Conformance
import Foundation
import SimKernel
import Testing

@testable import Commands

private enum Proofs {
  static let areWanted = ProcessInfo.processInfo.environment["BABBENCH_PROOFS"] != nil
}

@Suite("babbench stress --baseline", .shippedEdition)
struct StressBaselineTests {
  /// Four clients that get in each other's way when they connect, and try again after a while.
  private static let rush = """
    devices:
      host: {}
      client: { count: 4 }
    steps:
      - host: start hosting
      - all clients: join
    expect:
      - that: all clients in lobby
        within: 30s
    """

  /// An engine that waits longer before it tries again, in permille.
  private final class Slower: AppEngine {
    private let engine: any AppEngine
    private let permille: Int64
    /// `EngineTimer.retry`.
    private static let retry = TimerID(7)

    init(_ engine: any AppEngine, permille: Int64) {
      self.engine = engine
      self.permille = permille
    }

    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
      engine.handle(input, at: now).map { effect in
        guard case .setTimer(let timer, let instant) = effect, timer == Self.retry else {
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
    try folder.write(Self.rush, to: "rush.yaml")
  }

  private func stress(_ arguments: [String], permille: Int64) throws -> (code: Int32, told: String) {
    var told: [String] = []
    let audience = Audience(tell: { told.append($0) }, complain: { told.append($0) })
    let words = [folder.path + "/rush.yaml"] + arguments
    let code = try StressCommand.parse(words).execute(on: Self.bench(permille: permille), for: audience)
    return (code, told.joined(separator: "\n"))
  }

  @Test("A timer that is half as long again is found; an equal build has no change, and a faster one is better")
  func timer() throws {
    let seeds = ["--seeds", "1..60"]
    let old = folder.path + "/old"
    _ = try stress(seeds + ["--out", old], permille: 1_000)
    let equal = try stress(seeds + ["--out", folder.path + "/equal", "--baseline", old], permille: 1_000)
    #expect(equal.code == 0 && equal.told.contains("0 went differently, no change beyond chance"), "\(equal.told)")
    let slow = try stress(seeds + ["--out", folder.path + "/slow", "--baseline", old], permille: 1_500)
    #expect(slow.code == 1 && slow.told.contains("worse mean seat: worse in"), "\(slow.told)")
    let fast = try stress(seeds + ["--out", folder.path + "/fast", "--baseline", old], permille: 500)
    #expect(fast.code == 0 && fast.told.contains("better mean seat: worse in"), "\(fast.told)")
  }

  @Test("A timer that is five percent longer is found with 2 000 seeds", .enabled(if: Proofs.areWanted, "BABBENCH_PROOFS=1"))
  func smallChange() throws {
    let seeds = ["--seeds", "1..2000"]
    let old = folder.path + "/old"
    _ = try stress(seeds + ["--out", old], permille: 1_000)
    let slow = try stress(seeds + ["--out", folder.path + "/slow", "--baseline", old], permille: 1_050)
    #expect(slow.code == 1 && slow.told.contains("worse mean seat: worse in"), "\(slow.told)")
    print(slow.told.split(separator: "\n").filter { $0.hasPrefix("worse") }.joined(separator: "\n"))
  }

  @Test("A baseline of other worlds is refused before anything is played")
  func others() throws {
    let old = folder.path + "/old"
    _ = try stress(["--seeds", "1..3", "--out", old], permille: 1_000)
    let other = try stress(["--seeds", "1..4", "--out", folder.path + "/x", "--baseline", old], permille: 1_000)
    #expect(other.code == 64 && other.told.contains("the baseline has other worlds"), "\(other.told)")
  }
}
