package import Bench
package import RunReports
import SimKernel

/// What is made smaller, from coarse to fine.
package enum ShrinkLevel: String, Hashable, Sendable, CaseIterable {
  case limits, expectations, devices, steps, parts, radio, values, writing
}

/// One change that kept the reason.
package struct ShrinkChange: Hashable, Sendable {
  package var level: ShrinkLevel
  package var what: String
}

/// A part that cannot be left out.
package struct ShrinkNeed: Hashable, Sendable {
  /// Where it is: `devices.host.engine`.
  package var place: String
  /// The part for people.
  package var what: String
  /// What the run does without it.
  package var words: String
}

/// Where a value stops to fail.
package struct ShrinkBoundary: Hashable, Sendable {
  /// The place of the value: `radio.packet loss`.
  package var place: String
  /// The least value found with which the reason shows.
  package var fails: String
  /// The next lower one, with which it does not.
  package var passes: String
}

/// What shrinking came to.
package struct ShrinkResult: Sendable {
  package var start: ShrinkStart
  /// The smallest scenario found, without its seed.
  package var variant: Variant
  package var trial: Trial
  package var changes: [ShrinkChange]
  /// Parts that cannot be left out, with what happens without them.
  package var needs: [ShrinkNeed]
  package var boundaries: [ShrinkBoundary]
  package var executions: Int
  /// False: a limit was reached first.
  package var isSmallest: Bool

  /// The reason as the smallest scenario shows it.
  package var sighting: Sighting {
    trial.sightings.first { $0.reason == start.sighting.reason } ?? start.sighting
  }

  /// The scenario with its seed.
  package var tree: YAMLTree { variant.tree.seeded(variant.seed) }

  /// The file, with a comment that explains it.
  /// - Parameter repeatLine: the command that repeats the failing run.
  package func text(repeatLine: String) -> String {
    var remarks = ["The smallest scenario that babbench shrink found for this failure:", sighting.text]
    remarks = [remarks[0]] + Self.wrapped(sighting.text + ": " + sighting.detail)
    remarks += ["From: \(start.origin)", "Repeat: \(repeatLine)"]
    if let control = start.control { remarks.append("It passes with \(control.words).") }
    remarks += explanations.flatMap { Self.wrapped("Needed: " + $0) }
    return ScenarioText.text(of: tree, remarks: remarks)
  }

  /// Why the parts that are left are needed, a line each.
  package var explanations: [String] {
    let lines = boundaries.map { "\($0.place): fails at \($0.fails), passes at \($0.passes)" }
    var told: [String] = boundaries.map(\.place)
    var groups: [(what: String, words: String, isSeveral: Bool)] = []
    for need in needs {
      // A part is needed with what is in it; the innermost says most.
      let isTold = told.contains(need.place)
      let isOuter = needs.contains { $0.place.hasPrefix(need.place + ".") || $0.place.hasPrefix(need.place + " ") }
      if isTold || isOuter { continue }
      told.append(need.place)
      // Devices are often needed for the same reason, all of them.
      if let last = groups.indices.last, need.what.hasPrefix(Self.device), groups[last].what.hasPrefix(Self.device),
        groups[last].words == need.words
      {
        groups[last].what += ", " + need.what.dropFirst(Self.device.count)
        groups[last].isSeveral = true
      } else {
        groups.append((need.what, need.words, false))
      }
    }
    return lines + groups.map { "\($0.what): without \($0.isSeveral ? "any one" : "it"), the run \($0.words)" }
  }

  static let device = "device "

  private static func wrapped(_ text: String) -> [String] {
    var lines = [""]
    for word in text.split(whereSeparator: \.isWhitespace) {
      let last = lines[lines.count - 1]
      if !last.isEmpty, last.count + word.count >= ScenarioText.width - 2 {
        lines.append("  " + word)
      } else {
        lines[lines.count - 1] = last.isEmpty ? String(word) : last + " " + word
      }
    }
    return lines
  }
}

/// How large a scenario is, for comparisons.
package struct ShrinkSize: Hashable, Sendable {
  package var lines: Int
  package var devices: Int
  package var steps: Int
  package var expectations: Int
  package var nanoseconds: Int64

  init(_ tree: YAMLTree, _ trial: Trial) {
    lines = ScenarioText.lineCount(of: tree)
    devices = trial.devices
    steps = tree.entry("steps")?.items.count ?? 0
    expectations = tree.entry("expect")?.items.count ?? 0
    nanoseconds = trial.endInstant.nanoseconds
  }
}

extension ShrinkResult {
  package var sizeBefore: ShrinkSize { ShrinkSize(start.tree.seeded(start.seed), start.trial) }
  package var sizeAfter: ShrinkSize { ShrinkSize(tree, trial) }
}

extension YAMLTree {
  /// With the seed as its first value after the words for people.
  func seeded(_ seed: UInt64) -> YAMLTree {
    let words = ["name", "summary"]
    let all = entries.filter { $0.key != "seed" }.map { ($0.key, $0.value) }
    return YAMLTree(
      entries: all.filter { words.contains($0.0) } + [("seed", YAMLTree(text: String(seed)))]
        + all.filter { !words.contains($0.0) })
  }
}

extension Shrinker {
  /// The size of the smallest scenario so far.
  package var currentSize: ShrinkSize { ShrinkSize(current.tree, trial) }
}
