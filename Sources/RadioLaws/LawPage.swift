/// The laws with what was measured, as one Markdown page: the same octets for the same reports.
package enum LawPage {
  /// - Parameter reports: of all laws; the pictures of `figureFile` are beside the page.
  package static func text(_ reports: [LawReport]) -> String {
    var lines = [
      "# Physics of the virtual radio", "",
      "Written by `babbench physics --write Docs`; `./check` writes it again and fails when a letter differs. Each law is",
      "declared once, in `Sources/RadioLaws`: what is expected is computed from its closed form, what is measured comes",
      "from a run of the virtual radio with fixed seeds. A test shows for each law a wrong world in which it does not hold.",
      "[Fidelity.md](Fidelity.md) says what is modelled and what is not.", "",
    ]
    for subject in RadioLaw.Subject.allCases {
      let part = reports.filter { $0.law.subject == subject }
      if subject == .network, !part.isEmpty {
        lines += [
          "", "## The virtual network", "",
          "What the network beside the radio does, by [virtual-network-laws.md](virtual-network-laws.md); declared, measured",
          "and tested as the laws above.", "",
        ]
      }
      if !part.isEmpty || subject == .radio { lines += summary(part) }
      for report in part { lines += section(report) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func summary(_ reports: [LawReport]) -> [String] {
    let held = reports.filter(\.holds).count
    var lines = [
      "\(reports.count) laws, \(held) hold; \(reports.reduce(0) { $0 + $1.points.count }) points.", "",
      "“Used” is the largest deviation of a law's points as a share of what is allowed.", "",
      "| law | what it says | points | used | verdict |", "|---|---|---:|---:|---|",
    ]
    for report in reports {
      let law = report.law
      lines.append(
        "| [\(law.name)](#\(law.name)) | \(law.claim) | \(report.points.count) | \(used(report)) | \(verdict(report.holds)) |"
      )
    }
    return lines
  }

  package static func figureFile(_ figure: LawFigure) -> String { "physics-\(figure.name).svg" }

  /// The word of a verdict.
  package static func verdict(_ holds: Bool) -> String { holds ? "holds" : "does not hold" }

  private static func used(_ report: LawReport) -> String {
    if report.problem != nil { return "" }
    let drawn = report.points.filter { !isExact($0) }
    guard !drawn.isEmpty else { return report.holds ? "exact" : "" }
    let most = drawn.map { abs($0.deviation) / $0.allowed }.max() ?? 0
    return RealNumbers.text(100 * most, decimals: 0) + " %"
  }

  private static func isExact(_ point: LawPoint) -> Bool { point.allowed <= abs(point.expected) * 1e-11 }

  private static func section(_ report: LawReport) -> [String] {
    let law = report.law
    let level = law.subject == .radio ? "##" : "###"
    var lines = [
      "", "\(level) \(law.name)", "", law.claim + ".", "", "- Source: \(law.source)", "- Closed form: `\(law.form)`",
      "- Tolerance: \(law.tolerance)", "- Verdict: \(verdict(report.holds))", "",
    ]
    if let problem = report.problem { return lines + ["It could not be measured: \(problem)."] }
    let rows = cells(report)
    lines.append("| " + rows[0].joined(separator: " | ") + " |")
    lines.append("|---|---:|---:|---:|---:|---:|---|")
    for row in rows.dropFirst() { lines.append("| " + row.joined(separator: " | ") + " |") }
    if let figure = report.figure { lines += ["", "![\(figure.title)](\(figureFile(figure)))"] }
    return lines
  }

  /// A table of a law's points, its header first: for the page and for terminals.
  package static func cells(_ report: LawReport) -> [[String]] {
    let law = report.law
    let fine = law.decimals + 1
    return [["point", "expected, \(law.unit)", "measured", "deviation", "allowed", "samples", "verdict"]]
      + report.points.map { point in
        [
          point.label, RealNumbers.text(point.expected, decimals: law.decimals),
          RealNumbers.text(point.measured, decimals: law.decimals),
          isExact(point) && point.holds ? "0" : RealNumbers.text(point.deviation, decimals: fine),
          isExact(point) ? "0" : RealNumbers.text(point.allowed, decimals: fine), point.samples.map(String.init) ?? "",
          verdict(point.holds),
        ]
      }
  }
}
