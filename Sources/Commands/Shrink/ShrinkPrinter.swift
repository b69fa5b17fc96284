import Campaigns
import Judging
import RunReports
import Shrink
import SimKernel

/// Lays out what shrinking does for a person.
struct ShrinkPrinter {
  var paint: Paint

  /// What fails, before anything is tried.
  func opening(
    _ scenario: String, seed: UInt64, _ sightings: [Sighting], chosen: Int, kind: String = "scenario"
  ) -> String {
    var lines = ["\(kind) \(scenario)", "seed \(seed)"]
    for (index, sighting) in sightings.enumerated() {
      let mark = index == chosen ? paint("kept", .bold) : "left"
      let detail = index == chosen ? ": " + sighting.detail : ""
      lines.append("reason \(index + 1) \(mark): at \(sighting.instant) s, \(sighting.text)\(detail)")
    }
    return lines.joined(separator: "\n")
  }

  func progress(_ shrinker: Shrinker) -> String {
    let size = shrinker.currentSize
    return "\(shrinker.executions) runs: \(size.lines) lines, \(size.devices) devices, \(size.steps) steps"
  }

  func closing(_ result: ShrinkResult, repeatLine: String) -> String {
    var lines = [
      result.start.control.map { "control: it passes with \($0.words)" }
        ?? "no control: it fails for this reason with \(Control.everything.words) too"
    ]
    for level in ShrinkLevel.allCases {
      let changes = result.changes.filter { $0.level == level }
      if changes.isEmpty || level == .expectations { continue }
      lines.append("\(level.words): \(changes.map(\.what).joined(separator: ", "))")
    }
    lines += result.explanations.map { paint("needed", .bold) + " " + $0 }
    let (before, after) = (result.sizeBefore, result.sizeAfter)
    lines.append(
      "size: \(before.lines) → \(after.lines) lines, \(before.devices) → \(after.devices) devices,"
        + " \(before.steps) → \(after.steps) steps, \(before.expectations) → \(after.expectations) expectations,"
        + " \(SimDuration(nanoseconds: before.nanoseconds)) → \(SimDuration(nanoseconds: after.nanoseconds)) s")
    lines.append(
      "\(result.executions) runs; "
        + (result.isSmallest
          ? "nothing more can be left out" : paint("stopped before nothing more could be left out", .yellow)))
    lines.append("reason: \(result.sighting.text): \(result.sighting.detail)")
    lines.append("digest \(result.trial.digest.hexadecimal)")
    lines.append("repeat \(repeatLine)")
    return lines.joined(separator: "\n")
  }
}

extension ShrinkLevel {
  fileprivate var words: String {
    switch self {
    case .limits: "shorter limits"
    case .expectations: "expectations left out"
    case .devices: "devices left out"
    case .steps: "steps left out"
    case .parts: "settings left out"
    case .radio: "gentler radio"
    case .values: "simpler values"
    case .writing: "written shorter"
    }
  }
}
