import Judging
import SimKernel

/// The links of a check as SVG: a row per link, time to the right; when it was up, how much ATT it carried, and where
/// findings are.
///
/// Colours come from the page's style, so that the picture is right on dark and on light paper.
struct CheckTimeline {
  /// Rows at most; those with findings come first then.
  private static let rowLimit = 120
  private static let gutter = 250
  private static let plot = 850
  private static let row = 26

  private let report: CheckReport
  private let names: CheckNames
  private let end: Int64
  private var svg = ""
  private var y = 24

  static func svg(_ report: CheckReport, _ names: CheckNames) -> String {
    var picture = CheckTimeline(report: report, names: names, end: max(1, report.end.nanoseconds))
    return picture.draw()
  }

  private func x(_ instant: SimInstant) -> Int {
    Self.gutter + Int(min(max(0, instant.nanoseconds), end).scaled(by: Int64(Self.plot), over: end))
  }

  private mutating func draw() -> String {
    let oracles = report.judgement?.oracles ?? []
    if oracles.contains(where: { !$0.findings.isEmpty }) {
      label(report.protocolName ?? "", "findings of the protocol's oracles")
      for result in oracles { for finding in result.findings { mark(finding) } }
      y += Self.row
    }
    let findings = report.rules.flatMap(\.findings)
    var shown = report.links.filter { $0.attPDUs > 0 || report.links.count <= Self.rowLimit }
    if shown.count > Self.rowLimit {
      let bad = shown.filter { link in findings.contains { $0.device == link.index } }
      let good = shown.filter { link in !findings.contains { $0.device == link.index } }
      shown = Array((bad + good).prefix(Self.rowLimit)).sorted { $0.index < $1.index }
    }
    for link in shown { draw(link, findings.filter { $0.device == link.index }) }
    if shown.count < report.links.count {
      svg += text(
        "\(report.links.count - shown.count) links without ATT, or beyond the first, are not drawn", x: 0, y: y + 14,
        "soft")
      y += Self.row
    }
    if report.links.isEmpty {
      svg += text("no connection in these captures", x: Self.gutter, y: y + 14, "soft")
      y += Self.row
    }
    let width = Self.gutter + Self.plot + 40
    return #"<svg class="tl" role="img" aria-label="links over time" "#
      + #"viewBox="0 0 \#(width) \#(y + 6)">"# + axis() + svg + "</svg>"
  }

  private mutating func draw(_ link: CheckReport.Link, _ findings: [Finding]) {
    let ends = "\(link.central) → \(link.peripheral)"
    let device = link.peerName.map(ConsoleTable.oneLine) ?? link.peer
    label("link \(link.index) \(device)", "\(names.file(link.file)), \(ends), \(link.attPDUs) ATT PDUs")
    let from = x(link.openedAt)
    let to = max(from + 1, x(link.closedAt ?? report.end))
    let style = link.isEncrypted ? "up enc" : "up"
    svg += #"<rect class="\#(style)" x="\#(from)" y="\#(y)" width="\#(to - from)" height="18" rx="2">"#
    svg += "<title>\(PageText.escaped("link \(link.index): \(ends), \(link.openedAt.microseconds) s to "))"
    svg += "\(link.closedAt?.microseconds ?? "the end") s</title></rect>"
    let most = link.density.max() ?? 0
    var path = ""
    for (column, count) in link.density.enumerated() where count > 0 {
      let x = x(SimInstant.zero + report.step * Int64(column) + report.step / 2)
      path += "M\(x) \(y + 17)v-\(max(1, count * 15 / most))"
    }
    let width = max(1, Int(min(report.step.nanoseconds, end).scaled(by: Int64(Self.plot), over: end)))
    if !path.isEmpty { svg += #"<path class="att" stroke-width="\#(min(width, 8))" d="\#(path)"/>"# }
    if !link.isFromStart { svg += #"<path class="open" d="M\#(from) \#(y - 1)v20"/>"# }
    for finding in findings { mark(finding) }
    y += Self.row
  }

  private mutating func mark(_ finding: Finding) {
    let x = x(finding.instant)
    svg += #"<path class="\#(finding.verdict.name)" d="M\#(x) \#(y + 8)l-5-9h10z"><title>"#
    svg += PageText.escaped(names.line(finding, "")) + "</title></path>"
  }

  private mutating func label(_ words: String, _ title: String) {
    let room = 38
    let shown = words.count > room ? words.prefix(room - 1) + "…" : words[...]
    svg += text(String(shown), x: 0, y: y + 13, "", title: "\(words): \(title)")
  }

  private func text(_ words: String, x: Int, y: Int, _ style: String, title: String = "") -> String {
    let title = title.isEmpty ? "" : "<title>\(PageText.escaped(title))</title>"
    return #"<text class="\#(style)" x="\#(x)" y="\#(y)">\#(title)\#(PageText.escaped(words))</text>"#
  }

  /// Grid lines at round times, ten at most.
  private func axis() -> String {
    var step: Int64 = 1_000
    var factor = 0
    while end / step > 10, step < Int64.max / 20 {
      step = factor % 3 == 1 ? step / 2 * 5 : step * 2
      factor += 1
    }
    var axis = ""
    var time: Int64 = 0
    while time <= end {
      let x = x(SimInstant(nanoseconds: time))
      axis += #"<path class="grid" d="M\#(x) 18V\#(y)"/>"#
      axis += text(Self.seconds(time), x: x + 2, y: 14, "soft")
      time += step
    }
    return axis
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    var text = SimDuration(nanoseconds: nanoseconds).microseconds
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text + " s"
  }
}
