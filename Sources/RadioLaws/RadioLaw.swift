/// A statement about the radio, or the network beside it, that can be computed without it: a closed form or published
/// figures, and a run of the virtual radio or network that is held against them.
package struct RadioLaw: Sendable {
  /// What a law is about; parts of the page, in their order.
  package enum Subject: CaseIterable, Sendable {
    case radio, network
  }

  /// By which it is selected; words of lower case with hyphens.
  package var name: String
  package var subject = Subject.radio
  /// What it says, in one sentence without its full stop.
  package var claim: String
  /// Clause, paper or standard.
  package var source: String
  /// The closed form in plain text.
  package var form: String
  /// How far a measurement may be off, and why.
  package var tolerance: String
  /// The unit of what is expected and measured.
  package var unit: String
  /// How many decimals are shown; every comparison is of the numbers themselves.
  package var decimals: Int
  /// A wrong world in which the law does not hold: proof that it can fail.
  package var counterexample: Distortion
  /// Runs the radio or network in a world that is distorted in a given way, or in none.
  package var measure: @Sendable (Distortion) throws -> Outcome

  /// What a law comes to.
  package struct Outcome: Sendable {
    package var points: [LawPoint]
    package var figure: LawFigure?

    init(_ points: [LawPoint], figure: LawFigure? = nil) {
      self.points = points
      self.figure = figure
    }
  }

  /// Measures, and says what came of it. A law without points, or one that could not be measured, does not hold.
  package func report(_ distortion: Distortion = .none) -> LawReport {
    do {
      let outcome = try measure(distortion)
      return LawReport(
        law: self, points: outcome.points, figure: outcome.figure,
        problem: outcome.points.isEmpty ? "nothing was measured" : nil)
    } catch {
      return LawReport(law: self, points: [], figure: nil, problem: "\(error)")
    }
  }
}

/// Why a law could not be measured.
struct Unmeasurable: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// A law with what was measured.
package struct LawReport: Sendable {
  package var law: RadioLaw
  package var points: [LawPoint]
  package var figure: LawFigure?
  /// Why there is nothing to compare.
  package var problem: String?

  package var holds: Bool { problem == nil && points.allSatisfy(\.holds) }
}

/// One expected value and the measured one.
package struct LawPoint: Sendable {
  package var label: String
  package var expected: Double
  package var measured: Double
  /// Largest difference of the two with which the law holds.
  package var allowed: Double
  /// What the measured value is a mean or a share of; nil: of nothing.
  package var samples: Int?

  package var deviation: Double { measured - expected }
  package var holds: Bool { abs(deviation) <= allowed }

  /// Standard errors that a sample may be off. A point is farther off by chance in one of 16 000 cases, so a page of
  /// two hundred points in about one of eighty; the same seeds always give the same page.
  package static let standardErrors = 4.0
  static let standardErrorsText = "4 standard errors of that many samples"

  /// Nothing is drawn, and no clock is read: both are the same number. The rest is for rounding on this page.
  static func exact(_ label: String, _ expected: Double, _ measured: Double) -> LawPoint {
    LawPoint(label: label, expected: expected, measured: measured, allowed: abs(expected) * 1e-12)
  }

  static func within(_ allowed: Double, _ label: String, _ expected: Double, _ measured: Double) -> LawPoint {
    LawPoint(label: label, expected: expected, measured: measured, allowed: allowed)
  }

  /// A share of independent trials in percent, within the standard errors of a binomial distribution.
  /// - Parameters:
  ///   - probability: what is expected, 0 … 1.
  ///   - correlated: how many trials decide as one.
  static func share(_ label: String, _ probability: Double, hits: Int, of trials: Int, correlated: Double = 1)
    -> LawPoint
  {
    let count = max(Double(trials), 1)
    let error = (correlated * probability * (1 - probability) / count).squareRoot()
    return LawPoint(
      label: label, expected: 100 * probability, measured: 100 * Double(hits) / count,
      allowed: 100 * standardErrors * error, samples: trials)
  }

  /// A mean of samples, within the standard errors that their spread gives.
  static func mean(_ label: String, _ expected: Double, _ samples: Samples) -> LawPoint {
    LawPoint(
      label: label, expected: expected, measured: samples.mean, allowed: standardErrors * samples.standardError,
      samples: samples.count)
  }
}

/// Independent numbers: their mean and how well it is known.
struct Samples: Sendable {
  private(set) var count = 0
  private var sum = 0.0
  private var squares = 0.0

  mutating func add(_ value: Double) {
    count += 1
    sum += value
    squares += value * value
  }

  var mean: Double { sum / max(Double(count), 1) }

  var standardError: Double {
    let count = max(Double(count), 2)
    let variance = (squares - sum * sum / count) / (count - 1)
    return (max(variance, 0) / count).squareRoot()
  }
}

/// A curve that is expected, and what was measured of it.
package struct LawFigure: Sendable {
  package struct Axis: Sendable {
    package var title: String
    package var isLogarithmic = false
    /// Values with the words for them; the first and the last one are the ends.
    package var ticks: [(value: Double, label: String)]
  }

  package struct Curve: Sendable {
    package var name: String
    package var expected: [(x: Double, y: Double)]
    package var measured: [(x: Double, y: Double)]
  }

  /// The name of its file, without the ending.
  package var name: String
  package var title: String
  package var x: Axis
  package var y: Axis
  package var curves: [Curve]
}
