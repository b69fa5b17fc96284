import Judging
import Mustache
import SimKernel

/// `index.html` of drawn worlds: one file that needs no network and no other file.
package enum ExplorePage {
  /// - Parameter all: what scenarios may have, in the order of the schema.
  /// - Throws: what the template package throws when a template is wrong; ours are tested.
  package static func octets(_ result: ExploreResult, all: [String]) throws -> [UInt8] {
    PageText.register()
    let template = try MustacheTemplate(string: text)
    return Array(template.render(page(result, all)).utf8)
  }

  private static func page(_ result: ExploreResult, _ all: [String]) -> [String: Any] {
    let tally = result.tally
    var page: [String: Any] = [
      "version": result.babbench, "style": PageStyle.text + own, "verdict": result.verdict,
      "repeat": result.repeatLine, "sum": sum(result), "facts": facts(result), "groups": groups(tally.coverage, all),
      "unused": result.unused.count, "all": all.count,
      "wall": "\(result.wallMilliseconds / 1_000) s of wall-clock time"
        + (result.wallMilliseconds > 0 ? ", \(tally.worlds * 1_000 / result.wallMilliseconds) worlds/s" : ""),
    ]
    if tally.causes.isEmpty { page["clean"] = true } else { page["causes"] = ["rows": causes(result)] }
    return page
  }

  private static func sum(_ result: ExploreResult) -> String {
    let tally = result.tally
    var parts = [CountedNoun.text(tally.worlds, "world"), "\(tally.passed) with nothing wrong"]
    if tally.failed > 0 { parts.append("\(tally.failed) with something wrong") }
    if tally.unjudged > 0 { parts.append("\(tally.unjudged) not judged") }
    if result.missing > 0 { parts.append("\(result.missing) missing") }
    parts += result.unplaced.map { "no device for \($0)" }
    return parts.joined(separator: " · ")
  }

  private static func causes(_ result: ExploreResult) -> [[String: Any]] {
    result.tally.causes.enumerated().map { number, entry in
      var row: [String: Any] = [
        "number": number + 1, "count": entry.count, "text": entry.cause.text, "detail": entry.detail,
        "seed": String(entry.seed), "repeat": result.playLine(entry.seed), "smallest": result.printLine(entry.smallest),
      ]
      if let file = result.files[number + 1] { row["file"] = PageText.reference(file) }
      row["check"] = result.checks[number + 1]
      return row
    }
  }

  private static func facts(_ result: ExploreResult) -> [[String: String]] {
    let tally = result.tally
    let facts: [(String, String)] = [
      ("drawn", result.words.joined(separator: " ")),
      ("seeds", "\(result.firstSeed) to \(result.firstSeed + UInt64(result.seeds) - 1)"),
      ("played in other modes too", String(tally.withModes)),
      ("captures judged too", String(tally.withCaptures)),
      ("ended at a step that waited", String(tally.cutShort)),
      ("with a stack broken on purpose", String(tally.excused)),
      ("simulated time", "\(tally.simulatedMilliseconds / 1_000) s"), ("queue events", String(tally.events)),
      ("digest", String(tally.digest, radix: 16)),
    ]
    return facts.map { ["name": $0.0, "value": $0.1] }
  }

  /// What was used, by the table of the schema or the kind of record.
  private static func groups(_ coverage: Coverage, _ all: [String]) -> [[String: Any]] {
    let known = Set(all)
    let names = all + coverage.used.map(\.name).filter { !known.contains($0) }
    var order: [String] = []
    var rows: [String: [[String: Any]]] = [:]
    for name in names {
      let group = name.split { $0 == "." || $0 == " " }.first.map(String.init) ?? name
      if rows[group] == nil { order.append(group) }
      let worlds = coverage.worlds(name)
      var row: [String: Any] = ["name": String(name.dropFirst(group.count + 1)), "worlds": worlds]
      if worlds == 0 { row["none"] = true }
      rows[group, default: []].append(row)
    }
    return order.map { ["name": $0, "rows": rows[$0] ?? []] }
  }

  private static let own = """
    .rows td,.rows th{padding-right:14px}.rows .n{text-align:right;white-space:nowrap;\
    font-variant-numeric:tabular-nums}.rows th{color:var(--soft);font-weight:500;font-size:.85rem}
    .rows code.again{display:block;color:var(--soft);font-size:.8rem;min-width:16rem}
    .note{color:var(--soft);font-size:.88rem}
    .uses{display:flex;flex-wrap:wrap;gap:4px;margin:4px 0 10px}
    .uses span{border:1px solid var(--line);border-radius:6px;padding:1px 7px;font-size:.82rem}
    .uses .zero{background:var(--badbg);color:var(--bad)}.uses b{font-variant-numeric:tabular-nums}

    """

  private static let text = PageHead.template(title: "{{verdict}}: babbench explore") + body

  private static let body = """
    <header class="top {{verdict}}"><h1><span class="badge {{verdict}}">{{verdict}}</span> drawn worlds</h1>
    <p class="sub">babbench explore · {{sum}}</p>
    <div class="repeat"><code>{{repeat}}</code></div></header>
    <main><section><h2>Causes</h2>{{#clean}}<p>None.</p>{{/clean}}
    {{#causes}}<div class="wide"><table class="rows"><tr><th><th class="n">worlds<th>cause<th>the first of them</tr>
    {{#rows}}<tr class="fail"><td class="n">{{number}}<td class="n">{{count}}<td><b>{{text}}</b>\
    {{#file}}<br><a href="{{.}}">small scenario</a>{{/file}}\
    {{#check}}<br><code>{{.}}</code>{{/check}}<td>seed {{seed}}: {{detail}}\
    <code class="again">{{repeat}}</code><code class="again">{{smallest}}</code></tr>
    {{/rows}}</table></div>{{/causes}}</section>
    <section><h2>What was played</h2><dl>{{#facts}}<dt>{{name}}<dd>{{value}}{{/facts}}</dl></section>
    <section><h2>What worlds used</h2><p class="note">How many worlds used each key, word and condition of scenario \
    files, by its table; {{unused}} of {{all}} were used by none of these. Kinds of trace records and HCI commands are \
    counted with --coverage.</p>
    {{#groups}}<h3>{{name}}</h3><div class="uses">{{#rows}}<span{{#none}} class="zero"{{/none}}>{{name}} \
    <b>{{worlds}}</b></span>{{/rows}}</div>
    {{/groups}}</section></main>
    <footer>{{wall}}. Written by babbench {{version}}. One file, no network. Docs/explore.md says what all of this is.\
    </footer></body></html>

    """
}
