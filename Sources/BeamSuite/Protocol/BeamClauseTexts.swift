public import Conformance

/// All clauses of Docs/Protocol/beamscribe.md, for a binary that stands far from the document.
///
/// Written from the document by `BABBENCH_WRITE=1 swift test --filter BeamClauseTests`; that test fails when it is out of
/// date.
public enum BeamClauseTexts {
  /// By number.
  public static let all: [ClauseText] = rows.map { row in
    let halves = row.split(separator: "] ", maxSplits: 1)
    let words = halves[0].split(separator: " [", maxSplits: 1)
    return ClauseText(
      id: String(words[0]), text: String(halves[1]), document: "Protocol/beamscribe.md",
      origin: ClauseOrigin(words[1]))
  }

  private static let rows: [String] = [
  ]
}
