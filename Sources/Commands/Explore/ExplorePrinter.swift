import BluetoothWire
import Campaigns
import Explore
import Judging
import SimKernel

/// Lays what drawn worlds came to out for a person at a terminal.
struct ExplorePrinter {
  let result: ExploreResult
  /// What was not judged, and why; nil: everything was.
  let missing: String?
  let paint: Paint

  private var tally: ExploreTally { result.tally }

  var text: String {
    var lines = [
      "worlds \(result.words.joined(separator: " ")), seeds \(result.firstSeed)..\(result.firstSeed + UInt64(result.seeds) - 1)"
        + (result.shard.map { ", shard \($0)" } ?? ""),
      counts,
    ]
    if tally.cutShort > 0 {
      lines.append("\(tally.cutShort) ended at a step that timed out, which is nobody's fault")
    }
    if tally.excused > 0 {
      lines.append("\(tally.excused) have a stack that is broken on purpose: only breakdowns count in them")
    }
    if tally.withModes > 0 { lines.append("\(tally.withModes) were played in other modes too") }
    if tally.withCaptures > 0 { lines.append("\(tally.withCaptures) had their captures judged too, six sets of each") }
    if let missing { lines.append(missing) }
    lines += result.unplaced.map { "no world has a device for \($0), so nothing of it was judged" }
    lines += tally.unseen.map { entry in
      "not judged by \(entry.oracle) in \(CountedNoun.text(entry.worlds, "world")); first, seed \(entry.seed): "
        + entry.reason
    }
    lines.append("simulated \(tally.simulatedMilliseconds / 1_000) s, \(tally.events) events")
    lines += causes
    lines.append("verdict " + paint(result.verdict, result.isPass ? .green : .red))
    lines.append("digest " + String(hexadecimal: tally.digest, digits: 16))
    lines.append("repeat " + result.repeatLine)
    return lines.joined(separator: "\n")
  }

  private var counts: String {
    var text = CountedNoun.text(tally.worlds, "world") + ": \(tally.passed) with nothing wrong"
    if tally.failed > 0 { text += ", \(tally.failed) with something wrong" }
    if tally.unjudged > 0 { text += ", \(tally.unjudged) in which nothing was judged" }
    return text
  }

  private var causes: [String] {
    if tally.causes.isEmpty { return ["no cause"] }
    var lines = ["", CountedNoun.text(tally.causes.count, "cause")]
    for (number, entry) in tally.causes.enumerated() {
      lines.append("\(number + 1). \(paint(entry.cause.text, .bold)): \(CountedNoun.text(entry.count, "world"))")
      lines.append("  first, seed \(entry.seed): \(entry.detail)")
      lines.append("  smallest, seed \(entry.smallest): \(result.printLine(entry.smallest))")
      if let file = result.files[number + 1] { lines.append("  smaller: \(file)") }
      if let check = result.checks[number + 1] { lines.append("  captures: \(check)") }
    }
    return lines + [""]
  }

  /// How many worlds used what.
  /// - Parameter all: what a scenario may have.
  func coverage(_ all: [String]) -> String {
    let found = tally.coverage
    var lines = ["", "worlds  used"]
    func add(_ name: String, _ worlds: Int) {
      let count = worlds == 0 ? "none" : String(worlds)
      lines.append(String(repeating: " ", count: max(0, 6 - count.count)) + count + "  " + name)
    }
    for name in all { add(name, found.worlds(name)) }
    let known = Set(all)
    for (name, worlds) in found.used where !known.contains(name) { add(name, worlds) }
    lines.append("\(result.unused.count) of \(all.count) are used by none")
    return lines.joined(separator: "\n")
  }
}
