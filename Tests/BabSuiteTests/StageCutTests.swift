import BabSuite
import Conformance
import Expectations
import Judging
import SimKernel
import Testing

@Suite("Cases that are played without something")
struct StageCutTests {
  @Test("What is left out is written as it is read")
  func words() {
    var cut = StageCut()
    expect(cut.isNothing && cut.words.isEmpty)
    let words = [
      "peers=2", "radio=ideal", "network=ideal", "phones=ideal", "names=plain", "game=plain", "without=3,5-7,9-10",
    ]
    let areRead = words.reversed().map { cut.add(word: $0) }
    expect(!areRead.contains(false))
    expect(cut.words == words && cut.without == [3, 5, 6, 7, 9, 10])
    // A second list adds to the first.
    let isRead = cut.add(word: "without=4")
    expect(isRead && cut.words.last == "without=3-7,9-10")
  }

  static let noWords = [
    "", "peers", "peers=", "peers=0", "peers=x", "radio=plain", "radio=", "game=ideal", "else=1", "without=",
    "without=0", "without=2-1", "without=1,", "without=1-2-3", "without=-1", "without=1-", "without=1-100001",
    "without=99999999999999999999",
  ]

  @Test("What is no such word is refused, and changes nothing", arguments: noWords)
  func refused(word: String) {
    var cut = StageCut()
    let isRead = cut.add(word: word)
    expect(!isRead && cut.isNothing)
  }

  /// Procedures count on what they arranged; less of it must end a case, and never the process.
  @Test("No case of the catalogue traps or breaks the bench, whatever it is played without")
  func anything() {
    let app = AppProtocol.bab
    for (number, purpose) in Part.of(app.purposes, 12).enumerated() {
      let id = CaseID(purpose: purpose.id, dialect: app.dialect(for: purpose), seed: purpose.seeds[0])
      var cuts = [StageCut(), StageCut(), StageCut()]
      cuts[0].peers = 1
      cuts[1].plain = Set(StageCut.Part.allCases)
      // Others for each purpose, and the same in each run.
      var draws = RandomStream(seed: UInt64(number), component: purpose.id, purpose: "cut")
      cuts[2].without = Set((1...40).filter { _ in draws.below(3) == 0 })
      for cut in cuts {
        var smaller = id
        smaller.cut = cut
        let result = CaseRunner.run(purpose, smaller, on: .reference(purpose.role, of: app))
        let isPlayed = result.verdict != .error || result.finding?.actual == "no check"
        expect(isPlayed, "\(purpose.id) \(cut.words): \(result.finding?.actual ?? "")")
      }
    }
  }
}
