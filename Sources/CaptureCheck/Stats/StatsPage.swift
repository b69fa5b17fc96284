import Judging
import Mustache

/// `babbench stats --html`: tables and plots in one file that needs no network and no other file.
public enum StatsPage {
  /// - Throws: what the template package throws when a template is wrong; ours are tested.
  public static func octets(_ report: StatsReport, version: String) throws -> [UInt8] {
    PageText.register()
    let template = try MustacheTemplate(string: text)
    let tables = StatsTable.tables(report).map { table -> [String: Any] in
      let cells = { (row: [String]) -> [[String: Any]] in
        row.indices.map { ["text": row[$0], "side": table.rightAligned.contains($0) ? "r" : "l"] }
      }
      return [
        "title": table.title, "head": cells(table.rows[0]),
        "rows": table.rows.dropFirst().map { ["cells": cells($0)] as [String: Any] },
        "more": table.furtherRows > 0 ? "and \(table.furtherRows) more; --json has them" : "",
      ]
    }
    let page: [String: Any] = [
      "version": version, "style": PageStyle.text + StatsPlot.style + own, "tables": tables,
      "captures": StatsTable.captures(report), "plots": StatsFigures.plots(report).map { $0.svg() },
      "names": report.captures.map { $0.path.split(separator: "/").last.map(String.init) ?? $0.path }
        .joined(separator: ", "),
    ]
    return Array(template.render(page).utf8)
  }

  /// The plots as files: `latency-cdf.svg` and so on.
  public static func plots(_ report: StatsReport) -> [(name: String, octets: [UInt8])] {
    StatsFigures.plots(report).map { ($0.id + ".svg", $0.file) }
  }

  private static let own = """
    .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,34rem),1fr));gap:18px}
    .figures .plot{border:1px solid var(--line);border-radius:6px;width:100%}
    .stats td,.stats th{white-space:nowrap;padding-right:14px}.stats .r{text-align:right}
    .stats th{color:var(--soft);font-weight:500;font-size:.85rem}

    """

  private static let text = PageHead.template(title: "Statistics of {{names}}") + body

  private static let body = """
    <header class="top"><h1>Statistics of {{names}}</h1>
    <p class="sub">{{#captures}}{{.}}<br>{{/captures}}</p></header>
    <main><section class="figures">{{#plots}}
    {{{.}}}{{/plots}}</section>
    {{#tables}}<section><h2>{{title}}</h2><div class="wide"><table class="stats">
    <tr>{{#head}}<th class="{{side}}">{{text}}{{/head}}</tr>
    {{#rows}}<tr>{{#cells}}<td class="{{side}}">{{text}}{{/cells}}</tr>
    {{/rows}}</table></div>{{#more}}<p class="sub">{{.}}</p>{{/more}}</section>
    {{/tables}}</main>
    <footer>Written by babbench {{version}}. One file, no network. Docs/stats.md says what each figure is.</footer>
    </body></html>

    """
}
