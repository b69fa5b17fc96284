import BluetoothWire
import Explore
import Judging
import SimKernel

/// Lays what drawn worlds came to out for a person at a terminal.
struct ExplorePrinter {
  let seeds: SeedRange
  let options: ExploreOptions
  let ending: ExploreRun.Ending
  let paint: Paint

  private var tally: ExploreTally { ending.tally }

  /// Of the worlds that were asked for.
  var verdict: Verdict { ending.missing > 0 && tally.verdict == .pass ? .inconclusive : tally.verdict }

  var text: String {
    var lines = ["\(options.kind.rawValue) worlds, seeds \(seeds.defaultValueDescription)", counts]
    if tally.cutShort > 0 {
      lines.append("\(tally.cutShort) ended at a step that waited for what did not come, which is nobody's fault")
    }
    if tally.excused > 0 {
      lines.append("\(tally.excused) have a stack that is broken on purpose: only breakdowns count in them")
    }
    if ending.missing > 0 { lines.append("\(ending.missing) of \(seeds.count) worlds are missing") }
    lines.append("simulated \(tally.simulatedMilliseconds / 1_000) s, \(tally.events) events")
    lines += causes
    lines.append("verdict " + RunPrinter(paint: paint).word(verdict))
    lines.append("digest " + String(hexadecimal: tally.digest, digits: 16))
    lines.append(
      "repeat " + Shell.line(["babbench", "explore"] + options.words + ["--seeds", seeds.defaultValueDescription]))
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
      let line = ["babbench", "explore"] + options.words
      lines.append("  smallest: " + Shell.line(line + ["--print", String(entry.smallest)]))
    }
    return lines + [""]
  }
}
