import Bench
import Judging
import Mustache

/// `index.html` of a campaign of faults: one file that needs no network and no other file.
package enum EveryFaultPage {
  /// - Parameter version: of babbench.
  /// - Throws: what the template package throws when a template is wrong; ours are tested.
  package static func octets(_ report: EveryFaultReport, version: String) throws -> [UInt8] {
    PageText.register()
    let template = try MustacheTemplate(string: text)
    return Array(template.render(page(report, version)).utf8)
  }

  private static func page(_ report: EveryFaultReport, _ version: String) -> [String: Any] {
    let matrix = FaultMatrix(report)
    var page: [String: Any] = [
      "version": version, "style": PageStyle.text + FaultMatrix.style + own, "scenario": report.plan.scenario.name,
      "verdict": report.verdict.name, "sentence": report.sentence, "repeat": report.repeatLine,
      "facts": report.facts.map { ["name": $0.name, "value": $0.value] }, "causes": report.causes.map(row),
      "wall": "\(report.wallMilliseconds / 1_000) s of wall-clock time, \(report.rate)",
    ]
    if report.causes.isEmpty { page["clean"] = true } else { page["hasCauses"] = true }
    if !matrix.isEmpty { page["matrix"] = matrix.html }
    return page
  }

  private static func row(_ cause: EveryFaultReport.Cause) -> [String: Any] {
    var row: [String: Any] = [
      "cause": cause.discovery.cause.text, "text": cause.discovery.text, "count": cause.discovery.count,
      "done": cause.done, "repeat": cause.repeatLine,
      "faults": cause.discovery.kinds.map(\.short).joined(separator: ", "),
    ]
    if let file = cause.file { row["file"] = ["name": file, "reference": PageText.reference(file)] }
    return row
  }

  private static let own = """
    .causes td{padding-right:14px}.causes .n{text-align:right;white-space:nowrap}
    .causes th{color:var(--soft);font-weight:500;font-size:.85rem}.causes .cause{min-width:14rem}
    .causes td>code{display:block;font-size:.8rem;min-width:15rem}.sum{font-size:1.1rem;margin:.6rem 0}

    """

  private static let text = PageHead.template(title: "{{verdict}}: every fault in {{scenario}}") + body

  private static let body = """
    <header class="top {{verdict}}"><h1><span class="badge {{verdict}}">{{verdict}}</span> {{scenario}}: \
    every fault at every place</h1><p class="sum">{{sentence}}</p>
    <div class="repeat"><code>{{repeat}}</code></div></header>
    <main><section><h2>Causes</h2>{{#clean}}<p>None.</p>{{/clean}}
    {{#hasCauses}}<div class="wide"><table class="causes"><tr><th class="cause">cause, in the first world\
    <th class="n">worlds<th>what was done in that world, and the line that repeats it</tr>
    {{#causes}}<tr><td class="cause"><b>{{cause}}</b><br>{{text}}<br>{{faults}}{{#file}}<br><a href="{{reference}}">\
    {{name}}</a>{{/file}}<td class="n">{{count}}<td>{{#done}}<div>{{.}}</div>{{/done}}<code>{{repeat}}</code></tr>
    {{/causes}}</table></div>{{/hasCauses}}</section>
    {{#matrix}}<section><h2>Worlds with one fault, by place and fault</h2>
    <p>A row is what happens at a place, a column who has which fault there; a number counts the worlds that failed. \
    Several things may happen at one place, so a world may be in several rows.</p>{{{matrix}}}</section>{{/matrix}}
    <section><h2>What was played</h2><dl>{{#facts}}<dt>{{name}}<dd>{{value}}{{/facts}}</dl></section></main>
    <footer>{{wall}}. Written by babbench {{version}}. One file, no network. Docs/explore-every-fault.md says more.\
    </footer></body></html>

    """
}
