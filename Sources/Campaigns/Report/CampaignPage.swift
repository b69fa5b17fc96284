package import CaptureCheck
import Judging
import Mustache

/// `index.html` of a campaign: one file that needs no network and no other file.
package enum CampaignPage {
  /// - Parameter version: of babbench.
  /// - Throws: what the template package throws when a template is wrong; ours are tested.
  package static func octets(_ report: CampaignReport, version: String) throws -> [UInt8] {
    PageText.register()
    let template = try MustacheTemplate(string: text)
    return Array(template.render(page(report, version)).utf8)
  }

  private static func page(_ report: CampaignReport, _ version: String) -> [String: Any] {
    var page: [String: Any] = [
      "version": version, "style": PageStyle.text + StatsPlot.style + own, "command": report.command,
      "subject": report.subject, "verdict": report.verdict.name, "repeat": report.repeatLine, "unit": report.unit,
      "manual": report.manual, "inputTitle": report.inputTitle,
      "sum": sum(report), "plot": plot(report).svg(), "findings": report.findings.map { row($0, report.unit) },
      "facts": (report.facts + [(report.unit, String(report.executions))]).map {
        ["name": $0.name, "value": $0.value]
      },
      "wall": "\(seconds(report.wallMilliseconds)) s of wall-clock time, \(report.rate) \(report.unit)/s",
    ]
    if let digest = report.digest { page["digest"] = digest }
    if report.findings.isEmpty { page["clean"] = true } else { page["hasFindings"] = true }
    if report.parts.count > 1 {
      page["parts"] = [
        "names": report.curve.names, "unit": report.partUnit,
        "rows": report.parts.map { part -> [String: Any] in
          var row: [String: Any] = [
            "name": part.name, "executions": part.executions, "values": part.values.map(String.init),
          ]
          if let outcome = part.outcome { row["outcome"] = outcome.verdict.name }
          return row
        },
      ]
    }
    return page
  }

  private static func sum(_ report: CampaignReport) -> String {
    let last = report.curve.points.last?.values ?? report.curve.names.map { _ in 0 }
    return (["\(report.executions) \(report.unit)"] + zip(report.curve.names, last).map { "\($1) \($0)" })
      .joined(separator: " · ")
  }

  private static func seconds(_ milliseconds: Int) -> String {
    let fraction = String(milliseconds % 1_000)
    return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }

  private static func row(_ finding: CampaignReport.Finding, _ unit: String) -> [String: Any] {
    [
      "cause": finding.cause, "verdict": finding.verdict.name, "text": finding.text,
      "times": finding.times.map(String.init) ?? "–",
      "first": finding.first.map(String.init) ?? "given", "input": finding.input, "repeat": finding.repeatLine,
      "files": finding.files.map { file in
        ["name": file, "reference": PageText.reference(finding.folder + "/" + file)]
      },
    ]
  }

  /// What grew, as steps; circles where a cause was seen for the first time.
  package static func plot(_ report: CampaignReport) -> StatsPlot {
    let curve = report.curve
    let end = Int64(max(report.executions, curve.points.last?.at ?? 0, 1))
    let most = Int64(curve.points.flatMap(\.values).max() ?? 1)
    let series = curve.names.indices.map { index in
      var points = [(x: Int64(0), y: Int64(0))] + curve.points.map { (x: Int64($0.at), y: Int64($0.values[index])) }
      points.append((end, points[points.count - 1].y))
      return StatsPlot.Series(
        name: curve.names[index], form: .steps, points: points,
        marks: index == 0 ? firsts(report, points) : [])
    }
    return StatsPlot(
      id: "coverage", title: "What was reached",
      note: report.findings.isEmpty ? "" : "circles: a cause is seen for the first time",
      x: .linear(report.unit, upTo: end) { String($0) }, y: .linear("number so far", upTo: most) { String($0) },
      series: series)
  }

  private static func firsts(
    _ report: CampaignReport, _ points: [(x: Int64, y: Int64)]
  ) -> [(x: Int64, y: Int64)] {
    report.findings.compactMap(\.first).map { first in
      (Int64(first), points.last { $0.x <= Int64(first) }?.y ?? 0)
    }
  }

  private static let own = """
    .plot{border:1px solid var(--line);border-radius:6px;width:100%;max-width:760px}
    .causes td{padding-right:14px}.causes .cause{min-width:14rem}.causes .n{text-align:right;white-space:nowrap}
    .causes th.n{text-align:right}.causes th{color:var(--soft);font-weight:500;font-size:.85rem}
    .causes td>code{display:block;font-size:.8rem;max-height:9rem;overflow:auto;min-width:16rem}
    .causes .again{color:var(--soft)}.sum{color:var(--soft);font-variant-numeric:tabular-nums}
    @media print{.causes td>code{max-height:none}.plot{break-inside:avoid}}

    """

  private static let text = PageHead.template(title: "{{verdict}}: {{command}} {{subject}}") + body

  private static let body = """
    <header class="top {{verdict}}"><h1><span class="badge {{verdict}}">{{verdict}}</span> {{subject}}</h1>
    <p class="sub">{{command}} · {{sum}}</p>
    <div class="repeat"><code>{{repeat}}</code></div></header>
    <main><section><h2>Findings</h2>{{#clean}}<p>None.</p>{{/clean}}
    {{#hasFindings}}<div class="wide"><table class="causes"><tr><th class="cause">cause<th class="n">seen<th class="n">\
    first<th>{{inputTitle}}, and the line that repeats it</tr>
    {{#findings}}<tr><td class="cause"><span class="badge {{verdict}}">{{verdict}}</span> <b>{{cause}}</b>\
    <br>{{text}}<br>{{#files}}<a href="{{reference}}">{{name}}</a> \
    {{/files}}<td class="n">{{times}}<td class="n">{{first}}<td>{{#input}}<code>{{.}}</code>{{/input}}\
    <code class="again">{{repeat}}</code></tr>
    {{/findings}}</table></div>{{/hasFindings}}</section>
    <section><h2>What was played</h2><dl>{{#facts}}<dt>{{name}}<dd>{{value}}{{/facts}}\
    {{#digest}}<dt>digest<dd><code>{{.}}</code>{{/digest}}</dl></section>
    <section><h2>Coverage</h2>{{{plot}}}</section>
    {{#parts}}<section><h2>Each of them</h2><div class="wide"><table class="causes"><tr><th>name\
    <th class="n">{{unit}}{{#names}}<th class="n">{{.}}{{/names}}</tr>
    {{#rows}}<tr><td>{{#outcome}}<span class="badge {{.}}">{{.}}</span> {{/outcome}}{{name}}\
    <td class="n">{{executions}}{{#values}}<td class="n">{{.}}{{/values}}</tr>
    {{/rows}}</table></div></section>{{/parts}}</main>
    <footer>{{wall}}. Written by babbench {{version}}. One file, no network. {{manual}} says what a finding is.\
    </footer></body></html>

    """
}
