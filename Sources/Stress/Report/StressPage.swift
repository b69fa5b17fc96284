import CaptureCheck
import Judging
import Mustache

/// `index.html` of a stress campaign: one file that needs no network and no other file.
package enum StressPage {
  /// Causes, changes, and measures whose worst worlds are listed.
  private static let limit = 50

  /// - Parameter version: of babbench.
  /// - Throws: what the template package throws when a template is wrong; ours are tested.
  package static func octets(_ report: StressReport, version: String) throws -> [UInt8] {
    PageText.register()
    let template = try MustacheTemplate(string: text)
    return Array(template.render(page(report, version)).utf8)
  }

  private static func page(_ report: StressReport, _ version: String) -> [String: Any] {
    var page: [String: Any] = [
      "version": version, "style": PageStyle.text + StatsPlot.style + own, "scenario": report.plan.scenario,
      "verdict": report.verdict.name, "repeat": report.repeatLine, "sum": sum(report), "claims": claims(report),
      "measures": measures(report), "plots": StressPlots.all(report).map { $0.svg() }, "maps": maps(report),
      "facts": facts(report),
      "wall": "\(StatsText.decimal(UInt64(max(0, report.wallMilliseconds)), places: 3)) s of wall-clock time"
        + (report.wallMilliseconds > 0 ? ", \(report.tally.worlds * 1_000 / report.wallMilliseconds) worlds/s" : ""),
    ]
    if report.causes.isEmpty { page["clean"] = true } else { page["causes"] = ["rows": causes(report)] }
    if let limit = report.limitLine { page["limit"] = limit }
    if let comparison = report.comparison { page["changes"] = changes(report, comparison) }
    if report.plan.grid.cells.count > 1 { page["cells"] = cells(report) }
    return page
  }

  private static func sum(_ report: StressReport) -> String {
    var parts = ["\(report.tally.worlds) worlds"]
    for verdict in Verdict.allCases where report.tally.count(verdict) > 0 {
      parts.append("\(report.tally.count(verdict)) \(verdict.name)")
    }
    if report.skipped > 0 { parts.append("\(report.skipped) not needed") }
    if report.missing > 0 { parts.append("\(report.missing) missing") }
    return parts.joined(separator: " · ")
  }

  private static func claims(_ report: StressReport) -> [[String: String]] {
    report.claims.map { cell, claim, result in
      [
        "text": report.name(of: claim, in: cell), "verdict": result.verdict.name,
        "detail": StressReport.detail(result),
      ]
    }
  }

  private static func causes(_ report: StressReport) -> [[String: Any]] {
    report.causes.prefix(limit).map { text, cause in
      var row: [String: Any] = [
        "count": cause.count, "text": text, "detail": cause.detail, "world": report.name(ofWorld: cause.example),
        "repeat": report.worldLine(cause.example), "verdict": cause.verdict,
      ]
      if let reason = report.reasons[cause.example] { row["reason"] = reason }
      if let folder = report.kept[cause.example] { row["folder"] = PageText.reference(folder + "/") }
      return row
    }
  }

  private static func measures(_ report: StressReport) -> [[String: Any]] {
    report.plan.measures.indices.compactMap { place in
      let (measure, all) = (report.plan.measures[place], report.samples(place))
      guard all.count > 0 else { return nil }
      let figures = [500, 900, 990, 999].map { MeasureText.quantile($0, of: all, measure.unit) }
      return [
        "name": measure.name, "title": measure.title, "definition": measure.definition, "count": Int(all.count),
        "figures": figures,
        "worst": report.tally.worst[place].prefix(1).map { worst -> [String: Any] in
          var row: [String: Any] = [
            "value": MeasureText.text(worst.value, measure.unit), "world": report.name(ofWorld: worst.world),
            "repeat": report.worldLine(worst.world),
          ]
          if let folder = report.kept[worst.world] { row["folder"] = PageText.reference(folder + "/") }
          return row
        },
      ]
    }
  }

  private static func cells(_ report: StressReport) -> [String: Any] {
    let places = report.headline
    return [
      "names": report.plan.grid.keys, "measures": places.map { "p99 " + report.plan.measures[$0].name },
      "rows": report.tally.cells.enumerated().map { index, cell in
        [
          "values": report.plan.grid.cells[index].values, "worlds": cell.worlds,
          "pass": MeasureText.text(cell.passShare, .share),
          "figures": places.map {
            MeasureText.quantile(990, of: cell.measures[$0].samples, report.plan.measures[$0].unit)
          },
        ] as [String: Any]
      },
    ]
  }

  private static func maps(_ report: StressReport) -> [[String: Any]] {
    HeatMap.all(report).map { map in
      [
        "title": map.title, "down": map.keys[0], "across": map.keys[1], "columns": map.columns,
        "span": map.columns.count,
        "rows": map.rows.map { row in
          [
            "name": row.name,
            "cells": row.cells.map { ["text": $0.text, "level": String($0.level), "name": $0.name] },
          ] as [String: Any]
        },
      ]
    }
  }

  private static func changes(_ report: StressReport, _ comparison: Comparison) -> [String: Any] {
    let lines = report.changeLines
    var changes: [String: Any] = [
      "baseline": report.baseline,
      "sum": "\(comparison.worlds) worlds compared, \(comparison.different) of them went differently",
      "rows": lines.prefix(limit).map {
        ["verdict": $0.isWorse ? "fail" : "pass", "word": $0.isWorse ? "worse" : "better", "text": $0.text]
      },
    ]
    if lines.isEmpty { changes["none"] = true }
    return changes
  }

  private static func facts(_ report: StressReport) -> [[String: String]] {
    let grid = report.plan.grid
    var facts = [("scenario", report.plan.scenario)]
    if !report.plan.settings.isEmpty { facts.append(("settings", report.plan.settings.joined(separator: ", "))) }
    facts.append(("seeds", "\(grid.firstSeed) to \(grid.firstSeed + UInt64(grid.seedCount) - 1) in each cell"))
    facts.append(("cells", String(grid.cells.count)))
    if report.plan.shard != .all { facts.append(("shard", report.plan.shard.description)) }
    facts.append(("queue events", String(report.tally.queueEvents)))
    facts.append(("digest", report.tally.digestText))
    return facts.map { ["name": $0.0, "value": $0.1] }
  }

  private static let own = """
    .plot{border:1px solid var(--line);border-radius:6px;width:100%;max-width:760px;margin:6px 0}
    .rows td,.rows th{padding-right:14px}.rows .n{text-align:right;white-space:nowrap;\
    font-variant-numeric:tabular-nums}.rows th{color:var(--soft);font-weight:500;font-size:.85rem}
    .rows code.again{display:block;color:var(--soft);font-size:.8rem;min-width:16rem}
    .rows .what{min-width:11rem}.rows .badge{background:var(--b);color:var(--c)}
    .note{color:var(--soft);font-size:.88rem}
    .map{width:auto;margin:4px 0 14px}.map td,.map th{border:1px solid var(--line);padding:4px 9px;text-align:right;
    font-variant-numeric:tabular-nums}.map th{color:var(--soft);font-weight:500;font-size:.85rem}
    .map td{background:color-mix(in srgb,var(--badbg) calc(var(--v)*1%),var(--goodbg))}
    details.def{margin:2px 0}details.def summary{padding:0;color:var(--soft);font-size:.85rem}
    @media print{.plot,.map{break-inside:avoid}}

    """

  private static let text = PageHead.template(title: "{{verdict}}: babbench stress {{scenario}}") + body

  private static let body = """
    <header class="top {{verdict}}"><h1><span class="badge {{verdict}}">{{verdict}}</span> {{scenario}}</h1>
    <p class="sub">babbench stress · {{sum}}</p>
    <div class="repeat"><code>{{repeat}}</code></div></header>
    <main>{{#limit}}<section><h2>Limit</h2><p>{{.}}</p></section>{{/limit}}
    <section><h2>Claims</h2><div class="wide"><table class="rows">
    {{#claims}}<tr class="{{verdict}}"><td><span class="badge">{{verdict}}</span><td><b>{{text}}</b><td>{{detail}}</tr>
    {{/claims}}</table></div></section>
    <section><h2>What went wrong first</h2>{{#clean}}<p>Nothing.</p>{{/clean}}
    {{#causes}}<div class="wide"><table class="rows"><tr><th class="n">worlds<th>cause<th>the smallest of them</tr>
    {{#rows}}<tr class="{{verdict}}"><td class="n">{{count}}<td><b>{{text}}</b>{{#reason}}<br>{{.}}{{/reason}}\
    <td>{{world}}: {{detail}}\
    {{#folder}} <a href="{{.}}">files</a>{{/folder}}<code class="again">{{repeat}}</code></tr>
    {{/rows}}</table></div>{{/causes}}</section>
    {{#changes}}<section><h2>Compared with {{baseline}}</h2><p class="note">{{sum}}</p>\
    {{#none}}<p>No change beyond chance.</p>{{/none}}
    <div class="wide"><table class="rows">{{#rows}}<tr class="{{verdict}}"><td><span class="badge">{{word}}</span>\
    <td>{{text}}</tr>
    {{/rows}}</table></div></section>{{/changes}}
    <section><h2>Measures</h2><div class="wide"><table class="rows"><tr><th class="what">measure\
    <th class="n">samples<th class="n">\
    p50<th class="n">p90<th class="n">p99<th class="n">p99.9<th class="n">worst<th>in world</tr>
    {{#measures}}<tr><td>{{title}}<details class="def"><summary>{{name}}</summary>{{definition}}</details>\
    <td class="n">{{count}}{{#figures}}<td class="n">{{.}}{{/figures}}{{#worst}}<td class="n">{{value}}<td>{{world}}\
    {{#folder}} <a href="{{.}}">files</a>{{/folder}}<details class="def"><summary>again</summary>\
    <code class="again">{{repeat}}</code></details>{{/worst}}</tr>
    {{/measures}}</table></div></section>
    {{#cells}}<section><h2>Cells</h2><div class="wide"><table class="rows"><tr>{{#names}}<th>{{.}}{{/names}}\
    <th class="n">worlds<th class="n">pass{{#measures}}<th class="n">{{.}}{{/measures}}</tr>
    {{#rows}}<tr>{{#values}}<td>{{.}}{{/values}}<td class="n">{{worlds}}<td class="n">{{pass}}\
    {{#figures}}<td class="n">{{.}}{{/figures}}</tr>
    {{/rows}}</table></div></section>{{/cells}}
    {{#maps}}<section><h2>{{title}}</h2><div class="wide"><table class="map"><tr><th><th colspan="{{span}}">{{across}}\
    </tr><tr><th>{{down}}{{#columns}}<th>{{.}}{{/columns}}</tr>
    {{#rows}}<tr><th>{{name}}{{#cells}}<td style="--v:{{level}}" title="{{name}}">{{text}}{{/cells}}</tr>
    {{/rows}}</table></div></section>{{/maps}}
    <section><h2>Distributions</h2>{{#plots}}{{{.}}}{{/plots}}</section>
    <section><h2>What was played</h2><dl>{{#facts}}<dt>{{name}}<dd>{{value}}{{/facts}}</dl></section></main>
    <footer>{{wall}}. Written by babbench {{version}}. One file, no network. Docs/stress.md says what all of this is.\
    </footer></body></html>

    """
}
