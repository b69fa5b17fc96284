import Judging
package import SimKernel

/// What is claimed of worlds: `p99 turn < 500 ms in 99% of worlds`, or `pass in 99.9% of worlds`.
package struct Claim: Hashable, Sendable {
  package enum Statistic: String, Hashable, Sendable, CaseIterable {
    case least, median, p90, p99, greatest
  }

  package enum Comparison: String, Hashable, Sendable, CaseIterable {
    case less = "<"
    case atMost = "<="
    case more = ">"
    case atLeast = ">="

    func holds(_ value: Int64, _ bound: Int64) -> Bool {
      switch self {
      case .less: value < bound
      case .atMost: value <= bound
      case .more: value > bound
      case .atLeast: value >= bound
      }
    }

    var isUpperLimit: Bool { self == .less || self == .atMost }
  }

  package enum Subject: Hashable, Sendable {
    /// The world's verdict is pass.
    case pass
    /// `place` is the measure's among those of the campaign.
    case measure(RunMeasure, place: Int, Statistic, Comparison, bound: Int64)
  }

  /// As it was written.
  package var text: String
  package var subject: Subject
  /// So many of a million worlds; nil: all that were played, and nothing is said of others.
  package var share: Int?

  /// Whether it holds in a world; nil where nobody can know, because nothing of the kind was measured.
  ///
  /// A thing that has to happen and did not has taken too long.
  package func holds(in world: WorldResult) -> Bool? {
    switch subject {
    case .pass: return world.verdict == .pass
    case .measure(let measure, let place, let statistic, let comparison, let bound):
      guard let figures = world.figures[place] else { return measure.hasToHappen ? !comparison.isUpperLimit : nil }
      return comparison.holds(figures[statistic], bound)
    }
  }
}

extension Claim {
  /// What was measured in a world, for people.
  package func detail(in world: WorldResult) -> String {
    switch subject {
    case .pass: return "the world's verdict is \(world.verdict.name)"
    case .measure(let measure, let place, let statistic, _, _):
      guard let figures = world.figures[place] else {
        return measure.hasToHappen ? "it did not happen" : "nothing of the kind was measured"
      }
      return "\(statistic.rawValue) of \(CountedNoun.text(figures.count, "sample")):"
        + " \(MeasureText.text(figures[statistic], measure.unit))"
    }
  }

  /// The sample of a world that is farthest on the wrong side of the limit, or nearest to it; nil: there is none.
  package func worst(in world: WorldResult) -> RunMeasures.Sighting? {
    guard case .measure(_, let place, _, let comparison, _) = subject else { return nil }
    let extremes = world.samples?.extremes[place]
    return comparison.isUpperLimit ? extremes?.greatest : extremes?.least
  }

  /// When what a sample measures began; nil: it is no time, or the end of the run shows it.
  package func beginning(of sighting: RunMeasures.Sighting) -> SimInstant? {
    guard case .measure(let measure, _, _, _, _) = subject, measure.unit == .time, sighting.record != nil else {
      return nil
    }
    return sighting.instant - SimDuration.nanoseconds(sighting.sample.value)
  }
}

extension RunMeasures.Figures {
  package subscript(statistic: Claim.Statistic) -> Int64 {
    switch statistic {
    case .least: least
    case .median: median
    case .p90: p90
    case .p99: p99
    case .greatest: greatest
    }
  }
}
