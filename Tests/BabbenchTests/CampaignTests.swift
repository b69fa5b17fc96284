import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Synchronization
import Testing

@testable import Campaigns
@testable import Commands

@Suite("Campaigns: trials, how much of them was judged, and their folder")
struct CampaignTests {
  @Test("Trials are taken in order, whatever their threads do", arguments: [1, 2, 7])
  func order(jobs: Int) throws {
    var numbers: [Int] = []
    let players = Atomic<Int>(0)
    let end = try Trials("pieces", jobs: jobs).play(3..<200) {
      players.add(1, ordering: .relaxed)
      return { number in
        if number % 17 == 0 { usleep(2_000) }
        return number * 2
      }
    } take: { number, double in
      equal(double, number * 2)
      numbers.append(number)
    }
    equal(end, 200)
    equal(numbers, Array(3..<200))
    equal(players.load(ordering: .relaxed), jobs)
  }

  @Test("A clock that is stopped lets no further trial begin, and those that have begun are taken")
  func stop() throws {
    let trials = Trials("pieces", jobs: 2)
    var taken = 0
    let outcomes = try trials.outcomes(
      1_000,
      makePlayer: {
        { number in
          if number == 20 { trials.clock.stop() }
          return number
        }
      },
      taken: { _, _ in taken += 1 })
    equal(outcomes, Array(0..<outcomes.count))
    expect((21...23).contains(outcomes.count))
    equal(taken, outcomes.count)
    try expect(trials.outcomes(5, makePlayer: { { $0 } }).isEmpty)
  }

  @Test("What taking an outcome throws ends the trials, and comes out")
  func failure() {
    var taken = 0
    #expect(throws: BenchFailure.self) {
      try Trials("pieces", jobs: 3).outcomes(
        100, makePlayer: { { $0 } },
        taken: { number, _ in
          if number == 5 { throw BenchFailure("full") }
          taken += 1
        })
    }
    equal(taken, 5)
  }

  @Test(
    "A pass is one of all that was asked for",
    arguments: [
      (asked: 10, judged: 10, Verdict.pass, Verdict.pass, Int32(0)),
      (10, 9, .pass, .inconclusive, 2), (10, 0, .pass, .none, 2), (0, 0, .pass, .none, 2), (10, 9, .fail, .fail, 1),
      (10, 0, .error, .error, 3),
    ])
  func ending(asked: Int, judged: Int, own: Verdict, verdict: Verdict, code: Int32) {
    let ending = CampaignEnding(unit: "worlds", asked: asked, judged: judged, reason: nil)
    equal(ending.verdict(own), verdict)
    equal(ending.exitCode(own), code)
    equal((ending.text == nil), (asked == judged))
  }

  @Test("What is missing is named with its cause")
  func missing() throws {
    let clock = CampaignClock(budget: .nanoseconds(1))
    expect(clock.mustStop)
    let ending = clock.ending("worlds", asked: 40, judged: 12)
    equal(ending.text, "28 of 40 worlds are missing: the time was up")
    expect(clock.ending("worlds", asked: nil, judged: 12).text == nil)
    let interrupted = CampaignEnding(unit: "worlds", asked: 12, judged: 12, reason: .interrupted)
    equal(interrupted.exitCode(.pass), 130)
  }

  @Test("A campaign goes on where its state says, and comes to the same")
  func resumption() throws {
    let folder = try TemporaryFolder()
    func play(to end: Int, resumes: Bool) throws -> CampaignProgress<[Int]> {
      let campaign = try CampaignFolder(folder.path, plan: ["babbench", "test"], resumes: resumes)
      var progress = try CampaignProgress(reading: campaign.state) ?? CampaignProgress<[Int]>([])
      try Trials("pieces", jobs: 2).play(
        &progress, to: end, state: campaign.state, shown: { _, _ in }, makePlayer: { { $0 * $0 } },
        take: { tally, _, square in tally.append(square) })
      try campaign.state?.write(progress)
      return progress
    }
    _ = try play(to: 7, resumes: false)
    try equal(play(to: 20, resumes: true).tally, (0..<20).map { $0 * $0 })
    try equal(play(to: 3, resumes: false).tally, [0, 1, 4])
  }

  @Test("A new campaign takes away what an earlier one has listed, and nothing else")
  func usedFolder() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out"
    func write(_ text: String, to path: String) throws { try FileSink.write(Array(text.utf8), to: path) }
    let first = try CampaignFolder(path)
    try write("1", to: first.output.path(of: "result.json"))
    let causes = try first.output.folder("causes")
    for name in ["1.yaml", "2.yaml"] { try write("cause", to: causes.path(of: name)) }
    try write("packets", to: causes.folder("captures").handedOver + "/any.btsnoop")
    try write("mine", to: path + "/causes/notes.txt")
    try first.end(CampaignEnding(unit: "worlds", asked: 1, judged: 1, reason: nil))
    func files() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: path).sorted() }
    let all = try files()
    expect(all.contains("causes/captures/any.btsnoop"))

    _ = try CampaignFolder(path, resumes: true)
    try equal(files(), all)
    _ = try CampaignFolder(path, inputs: [path + "/causes/2.yaml"])
    try equal(files(), ["causes", "causes/2.yaml", "causes/notes.txt"])
  }

  @Test(
    "A slip on the command line takes nothing away",
    arguments: [
      "fuzz run no-such-world --when x --from host --shards 2", "fuzz parser att --seeds no-such-folder",
      "stress no-such-world", "explore --like no-such-world", "conform --iut no-such-engine", "selftest --select NONE",
    ])
  func slip(words: String) throws {
    let folder = try TemporaryFolder()
    let first = try CampaignFolder(folder.path)
    try FileSink.write([0x31], to: first.output.path(of: "result.json"))
    try first.end(CampaignEnding(unit: "worlds", asked: 1, judged: 1, reason: nil))
    let slip = try Executable.run(words.split(separator: " ").map(String.init) + ["--out", folder.path])
    expect(slip.status == 64 || slip.status == 3, "\(slip.errors)")
    try equal(folder.read("result.json"), "1")
  }
}
