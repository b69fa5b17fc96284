import AppSeam
import BabSim
import Conformance
import SimKernel

/// SOLO, host and client: reading without a radio (BAB 5.10).
extension Catalog {
  static let soloHost = solo("HOST")
  static let soloClient = solo("CLIENT")

  private static func solo(_ role: String) -> [TestPurpose] {
    [
      TestPurpose(
        "BAB/\(role)/SOLO/BV-01-C", ["BAB 5.10.1"], "Solo mode uses no radio.",
        initial: "The app has been launched.",
        expects: ["no scan, advertising, connection or service, from the start of solo mode to its end"],
        needs: [.solo, .screen]
      ) { t in
        try begin(t)
        t.iut.user(.skipLine)
        try t.expect("lines are read: the user's is committed", clause: "BAB 5.10.4") { t.iut.history.count > 1 }
        t.iut.user(.endSolo(save: true))
        try t.never("the radio is used") { t.iut.effects.contains { isRadio($0.effect) } }
      },
      TestPurpose(
        "BAB/\(role)/SOLO/BV-02-C", ["BAB 5.10.2"],
        "The app's line comes first and is committed at once; the user's line follows.",
        initial: "The app has been launched.",
        expects: ["one committed line, which is not the one shown; it is the user's turn"], needs: [.solo, .screen]
      ) { t in
        try begin(t)
        try t.require("one line is committed", actual: "\(t.iut.history)", t.iut.history.count == 1)
        try t.require(
          "another line, with its text, is on the screen", actual: t.iut.screenLine?.lineID ?? "none",
          t.iut.screenLine.map { $0.text != nil && !t.iut.history.contains($0.lineID) } ?? false)
        try t.require("it is the user's turn", actual: t.iut.turn ?? "nobody's", t.iut.turn == t.iut.peerID)
      },
      TestPurpose(
        "BAB/\(role)/SOLO/BV-03-C", ["BAB 5.10.2"], "Lines of the app and of the user alternate.",
        initial: "Solo mode has been started.",
        expects: ["after the user's line it and the app's next line are committed, and the user has a new line"],
        needs: [.solo, .screen]
      ) { t in
        try t.preamble { try begin(t) }
        for round in 1...3 {
          let own = t.iut.screenLine
          if own == nil { throw t.blocked("the IUT shows the user's line", cause: t.absence) }
          t.iut.user(.speak(own?.text ?? ""))
          try t.expect("the user's line \(round) and the app's next one are committed", actual: { "\(t.iut.history)" })
          {
            t.iut.history.count == 2 * round + 1 && t.iut.history[2 * round - 1] == own?.lineID
          }
          try t.require(
            "the user has a new line", actual: t.iut.screenLine?.lineID ?? "none",
            t.iut.screenLine.map { !t.iut.history.contains($0.lineID) } ?? false)
        }
      },
      TestPurpose(
        "BAB/\(role)/SOLO/BV-04-C", ["BAB 5.10.3"], "A line is read when all its words have been spoken, one by one.",
        initial: "Solo mode has been started.",
        expects: ["the line is committed with its last word and not before"], needs: [.solo, .screen]
      ) { t in
        try t.preamble { try begin(t) }
        let (line, words) = try ownLine(t)
        for word in words.dropLast() { t.iut.user(.speak(word)) }
        try t.never("the line is committed before its last word") { t.iut.history.contains(line) }
        t.iut.user(.speak(words[words.count - 1]))
        try t.expect("the line is committed with its last word") { t.iut.history.contains(line) }
      },
      TestPurpose(
        "BAB/\(role)/SOLO/BI-01-C", ["BAB 5.10.3"], "Words in another order do not read a line.",
        initial: "Solo mode has been started.", expects: ["the line is not committed until the words come in order"],
        needs: [.solo, .screen]
      ) { t in
        try t.preamble { try begin(t) }
        let (line, words) = try ownLine(t)
        t.iut.user(.speak(words.reversed().joined(separator: " ")))
        try t.never("the line is committed") { t.iut.history.contains(line) }
        // At least one of the reversed words has matched; whatever is missing is in the line, twice over.
        t.iut.user(.speak(words.joined(separator: " ")))
        t.iut.user(.speak(words.joined(separator: " ")))
        try t.expect("the line is committed once the words came in order") { t.iut.history.contains(line) }
      },
    ] + soloReading(role)
  }

  private static func soloReading(_ role: String) -> [TestPurpose] {
    [
      TestPurpose(
        "BAB/\(role)/SOLO/BI-02-C", ["BAB 5.10.3", "BAB 6.11"], "A spoken word that does not match is an error.",
        initial: "Solo mode has been started.",
        expects: ["the summary's accuracy is that of one error in the line's words"],
        needs: [.solo, .screen, .summary]
      ) { t in
        try t.preamble { try begin(t) }
        let (line, words) = try ownLine(t)
        t.iut.user(.speak("xyzzy"))
        t.iut.user(.speak(words.joined(separator: " ")))
        try t.expect("the line is committed") { t.iut.history.contains(line) }
        t.iut.user(.endSolo(save: true))
        let accuracy = (words.count - 1) * 1_000 / words.count
        try t.expect(
          "the summary's accuracy is \(accuracy) thousandths",
          actual: { t.iut.summary.map { "it is \($0.accuracyPermille)" } ?? "no summary" }
        ) { t.iut.summary?.accuracyPermille == accuracy }
      },
      TestPurpose(
        "BAB/\(role)/SOLO/BV-05-C", ["BAB 6.11", "BAB 5.10.3"], "Spoken words are compared in lower case.",
        initial: "Solo mode has been started.", expects: ["the line is committed without an error"],
        needs: [.solo, .screen, .summary]
      ) { t in
        try t.preamble { try begin(t) }
        let (line, words) = try ownLine(t)
        t.iut.user(.speak(words.map(shouted).joined(separator: " ")))
        try t.expect("the line is committed") { t.iut.history.contains(line) }
        t.iut.user(.endSolo(save: true))
        try t.expect("the summary's accuracy is 1000 thousandths") { t.iut.summary?.accuracyPermille == 1_000 }
      },
      TestPurpose(
        "BAB/\(role)/SOLO/BV-06-C", ["BAB 5.10.4"], "A skip goes on to the next lines.",
        initial: "Solo mode has been started.", expects: ["the app's next line is committed; the user has a new line"],
        needs: [.solo, .screen]
      ) { t in
        try t.preamble { try begin(t) }
        let (line, _) = try ownLine(t)
        let before = t.iut.history.count
        t.iut.user(.skipLine)
        try t.expect("the user has a new line") {
          t.iut.screenLine.map { $0.lineID != line && $0.text != nil } ?? false
        }
        try t.require(
          "the app's next line is committed", actual: "\(t.iut.history)", t.iut.history.count > before)
      },
      TestPurpose(
        "BAB/\(role)/SOLO/BV-07-C", ["BAB 5.10.5"], "Ending with saving shows the summary.",
        initial: "Solo mode has been started, and one line read.", expects: ["a summary of the lines and the user"],
        needs: [.solo, .screen, .summary]
      ) { t in
        try t.preamble { try readOne(t) }
        t.iut.user(.endSolo(save: true))
        try t.expect("a summary is shown that ranks the user") {
          t.iut.summary?.rankings.map(\.player) == [t.iut.peerID]
        }
      },
      TestPurpose(
        "BAB/\(role)/SOLO/BV-08-C", ["BAB 5.10.5"], "Ending without saving shows nothing.",
        initial: "Solo mode has been started, and one line read.", expects: ["no summary"],
        needs: [.solo, .screen, .summary]
      ) { t in
        try t.preamble { try readOne(t) }
        t.iut.user(.endSolo(save: false))
        try t.never("a summary is shown") { t.iut.summary != nil }
        try readOne(t)
        t.iut.user(.endSolo(save: true))
        try t.expect("a summary is shown of what was saved") { t.iut.summary != nil }
      },
      TestPurpose(
        "BAB/\(role)/SOLO/BV-09-C", ["BAB 6.1", "BAB 6.2"], "A line read alone earns nothing for company.",
        initial: "Solo mode has been started.",
        expects: ["a first perfect line: 55 points by `guide`, 20 by `sdk`"],
        needs: [.solo, .screen, .scoring, .summary]
      ) { t in
        try t.preamble { try readOne(t) }
        t.iut.user(.endSolo(save: true))
        let points = t.dialect.scoring == .guide ? 55 : 20
        try t.expect(
          "the summary gives the user \(points) points",
          actual: { t.iut.summary.map { "\($0.rankings.map(\.score))" } ?? "no summary" }
        ) { t.iut.summary?.rankings.map(\.score) == [points] }
      },
    ]
  }

  private static func begin(_ t: BabBed) throws {
    t.iut.user(.startSolo)
    try t.pause(.milliseconds(500))
  }

  private static func readOne(_ t: BabBed) throws {
    try begin(t)
    let (line, words) = try ownLine(t)
    t.iut.user(.speak(words.joined(separator: " ")))
    try t.expect("the line is committed") { t.iut.history.contains(line) }
  }

  /// The user's line as the screen shows it: its id and words.
  private static func ownLine(_ t: BabBed) throws -> (id: String, words: [String]) {
    guard let line = t.iut.screenLine, let text = line.text else { throw t.inconclusive("no line is on the screen") }
    let words = text.split(separator: " ").map(String.init)
    guard words.count > 1 else { throw t.inconclusive("the line has too few words: \(text)") }
    return (line.lineID, words)
  }

  /// In capitals, as far as each letter has one that leads back to it.
  private static func shouted(_ word: String) -> String {
    word.uppercased().lowercased() == word.lowercased() ? word.uppercased() : word
  }

  private static func isRadio(_ effect: AppEffect) -> Bool {
    switch effect {
    case .publish, .advertise, .scan, .connect: true
    default: false
    }
  }
}
