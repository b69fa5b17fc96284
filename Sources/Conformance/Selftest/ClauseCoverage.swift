/// Which clauses of a protocol are judged by which test purposes, and broken by which mutants.
public struct ClauseCoverage: Sendable {
  public struct Row: Sendable {
    public var clause: ClauseText
    public var purposes: [String]
    public var mutants: [String]
    /// Why nothing can judge it from outside; nil when something should.
    public var exemption: String?

    /// A requirement without a purpose or a mutant, and without a reason.
    public var isOpen: Bool {
      clause.isRequirement && exemption == nil && (purposes.isEmpty || mutants.isEmpty)
    }
  }

  public var rows: [Row]

  public init(of app: AppProtocol) {
    rows = app.clauses.map { clause in
      Row(
        clause: clause, purposes: app.purposes.filter { $0.clauses.contains(clause.id) }.map(\.id),
        mutants: app.mutants.filter { $0.clause == clause.id }.map(\.name),
        exemption: app.exemptions.first { $0.clause == clause.id }?.reason)
    }
  }

  /// Requirements that nothing judges or nothing breaks, and nobody says why.
  public var open: [Row] { rows.filter(\.isOpen) }

  /// `Docs/clause-coverage.md`.
  public var document: String {
    let requirements = rows.filter(\.clause.isRequirement)
    let exempt = requirements.filter { $0.exemption != nil }
    var documents: [String] = []
    for row in rows where !documents.contains(row.clause.document) { documents.append(row.clause.document) }
    let links = documents.map { "[\($0.split(separator: "/").last ?? "")](\($0))" }
    var lines = [
      "# Clause coverage", "",
      "Written by `babbench selftest --write`; a test fails when it is out of date. The clauses are those of",
      links.joined(separator: " and ") + ". \(requirements.count) of \(rows.count) are requirements (MUST);",
      "\(requirements.count - exempt.count) of these are judged by a test purpose and broken by a mutant;"
        + " \(exempt.count) cannot be, for the reason given.", "",
      "| clause | MUST | test purposes | mutants |", "|---|---|---|---|",
    ]
    for row in rows where row.clause.isRequirement || !row.purposes.isEmpty || !row.mutants.isEmpty {
      lines.append(
        "| \(row.clause.id) | \(row.clause.isRequirement ? "MUST" : "") | \(cell(row.purposes, row.exemption)) |"
          + " \(row.mutants.map { "`\($0)`" }.joined(separator: ", ")) |")
    }
    return (lines + [""]).joined(separator: "\n")
  }

  private func cell(_ purposes: [String], _ exemption: String?) -> String {
    let listed = purposes.map { "`\($0)`" }.joined(separator: ", ")
    guard let exemption else { return listed }
    return listed.isEmpty ? "*\(exemption)*" : "\(listed); *\(exemption)*"
  }
}
