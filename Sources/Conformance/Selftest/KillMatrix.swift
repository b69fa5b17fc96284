public import AppSeam
public import Judging

/// Which purposes fail which mutants, and whether the reference passes.
public struct KillMatrix: Sendable {
  /// One row per purpose.
  public struct Row: Sendable {
    public var purpose: TestPurpose
    /// Runs of the reference that did not pass, in the order of the plan.
    public var referenceFailures: [CaseResult]
    public var referenceRuns: Int
    /// Names of the mutants it fails, in their order.
    public var kills: [String]
    /// Mutants it could say nothing about, because the initial condition was not reached.
    public var inconclusive: [String]
    /// Mutants it lets pass.
    public var spared: [String]
  }

  public private(set) var rows: [Row]
  public let mutants: [Mutant]
  /// Mutants that their oracle fails in a room, by name.
  public private(set) var failedByOracles: [String] = []

  /// A matrix without a run.
  /// - Parameter mutants: those of other roles than the purposes' are left out.
  public init(purposes: [TestPurpose], mutants: [Mutant]) {
    self.mutants = mutants.filter { mutant in purposes.contains { $0.role == mutant.role } }
    rows = purposes.map {
      Row(purpose: $0, referenceFailures: [], referenceRuns: 0, kills: [], inconclusive: [], spared: [])
    }
  }

  /// Books what runs came to, in any order; every list is in the order of the booking.
  public mutating func book(_ outcomes: [Selftest.Outcome]) {
    let places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($0.element.purpose.id, $0.offset) })
    for outcome in outcomes {
      guard let place = places[outcome.purpose] else { continue }
      if outcome.engine == AppProtocol.reference {
        rows[place].referenceRuns += 1
        if let failure = outcome.failure { rows[place].referenceFailures.append(failure) }
      } else {
        switch outcome.verdict {
        case .fail: rows[place].kills.append(outcome.engine)
        case .pass: rows[place].spared.append(outcome.engine)
        case .none, .inconclusive, .error: rows[place].inconclusive.append(outcome.engine)
        }
      }
    }
  }

  /// Books mutants that their oracle has failed in a room.
  public mutating func book(failedByOracles names: [String]) { failedByOracles += names }

  /// Purposes that fail no mutant: nobody has seen them fail. Those that the reference does not pass are told as that.
  public var toothless: [String] { rows.filter { $0.referenceFailures.isEmpty && $0.kills.isEmpty }.map(\.purpose.id) }

  /// Mutants that neither a purpose fails that the reference passes nor, in a room, an oracle.
  public var survivors: [Mutant] {
    mutants.filter { mutant in
      !failedByOracles.contains(mutant.name)
        && !rows.contains {
          $0.purpose.role == mutant.role && $0.referenceFailures.isEmpty && $0.kills.contains(mutant.name)
        }
    }
  }

  /// The purposes that fail a mutant, those for its clause first.
  public func killers(of mutant: Mutant) -> [String] {
    let killers = rows.filter { $0.purpose.role == mutant.role && $0.kills.contains(mutant.name) }.map(\.purpose)
    let fitting = killers.filter { $0.clauses.contains(mutant.clause) }
    return fitting.map(\.id) + killers.filter { !$0.clauses.contains(mutant.clause) }.map(\.id)
  }

  public var referenceFailures: [CaseResult] { rows.flatMap(\.referenceFailures) }

  /// Pass when the reference passes everywhere, every purpose has a kill and every mutant is killed.
  public var verdict: Verdict {
    if rows.isEmpty { return .none }
    if let heaviest = referenceFailures.map(\.verdict).max() { return max(heaviest, .fail) }
    return toothless.isEmpty && survivors.isEmpty ? .pass : .fail
  }

  // MARK: Pictures

  /// One line per purpose, one column per mutant of the role: `x` fails it, `?` could not say, `.` lets it pass, blank:
  /// not tried.
  public func picture(role: AppRole) -> [String] {
    let columns = mutants.filter { $0.role == role }.map(\.name)
    let mine = rows.filter { $0.purpose.role == role }
    let width = mine.map(\.purpose.id.count).max() ?? 0
    var lines = ruler(columns.count, indent: width)
    for row in mine {
      let cells = columns.map { name in
        if row.kills.contains(name) { return "x" }
        if row.inconclusive.contains(name) { return "?" }
        return row.spared.contains(name) ? "." : " "
      }
      let gap = String(repeating: " ", count: width - row.purpose.id.count)
      lines.append(row.purpose.id + gap + "  " + cells.joined())
    }
    return lines
  }

  /// Column numbers, tens above ones, from 1.
  private func ruler(_ count: Int, indent: Int) -> [String] {
    guard count > 0 else { return [] }
    let blank = String(repeating: " ", count: indent + 2)
    let tens = (1...count).map { $0 % 10 == 0 ? String($0 / 10 % 10) : " " }.joined()
    let ones = (1...count).map { String($0 % 10) }.joined()
    return count < 10 ? [blank + ones] : [blank + tens, blank + ones]
  }
}
