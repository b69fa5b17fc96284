import Judging
import Mustache
import SimKernel

/// `babbench run --html` and `check --timeline`: time in one file that needs no network and no other file.
package struct TimelinePage {
  package var timeline: RunTimeline
  package var title: String
  /// Name of the verdict, which is a class of the page's style.
  package var verdict: String
  /// Short facts below the title: seed, digest.
  package var facts: [String]
  /// The command that repeats the run.
  package var repeatLine: String
  /// The scenario's file, for people; nothing of captures.
  package var file: String
  package var version: String

  package init(
    timeline: RunTimeline, title: String, verdict: String, facts: [String], repeatLine: String, file: String,
    version: String
  ) {
    self.timeline = timeline
    self.title = title
    self.verdict = verdict
    self.facts = facts
    self.repeatLine = repeatLine
    self.file = file
    self.version = version
  }

  /// - Throws: what the template package throws when a template is wrong; ours are tested.
  package func octets() throws -> [UInt8] {
    PageText.register()
    let template = try MustacheTemplate(string: Self.text)
    let shown = timeline.marks.filter { [.step, .expectation, .finding, .comment, .difference].contains($0.kind) }
    let page: [String: Any] = [
      "version": version, "style": PageStyle.text + Self.string(PackageResources.timeline_css),
      "title": title, "verdict": verdict, "facts": facts.joined(separator: " · "), "repeat": repeatLine,
      "omissions": timeline.omissions, "file": file,
      "lanes": timeline.lanes.map { "\($0.name) (\($0.role)): \($0.about)" },
      "marks": shown.sorted { $0.at < $1.at }.map { mark in
        [
          "at": "\(mark.at)", "ns": "\(mark.at.nanoseconds)", "kind": Self.word(mark), "text": mark.text,
          "class": mark.isBad ? "fail" : mark.kind == .expectation ? "pass" : "none",
          "line": mark.place ?? mark.line.map { "\(file):\($0)" } ?? "",
          "details": mark.details + mark.story.map { "\($0.at.microseconds) s  \($0.text)" },
        ] as [String: Any]
      },
      "calls": CallList.lists(timeline), "hasCalls": !timeline.calls.isEmpty,
      "picture": TimelineData.picture(timeline), "more": TimelineData.details(timeline),
      "script": Self.string(PackageResources.model_js) + Self.string(PackageResources.drawing_js)
        + Self.string(PackageResources.page_js),
    ]
    return Array(template.render(page).utf8)
  }

  private static func string(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }

  private static func word(_ mark: RunTimeline.Mark) -> String {
    switch mark.kind {
    case .finding: "finding"
    case .expectation: mark.isBad ? "not met" : "met"
    case .comment: "comment"
    case .difference: "differs"
    default: "step"
    }
  }

  private static let text = PageHead.template(title: "{{title}}", runsScripts: true) + body

  private static let body = """
    <header class="top"><h1><span class="badge {{verdict}}">{{verdict}}</span> {{title}}</h1>
    <p class="sub">{{facts}}</p><div class="repeat"><code>{{repeat}}</code></div>
    {{#omissions}}<p class="remark">{{.}}</p>{{/omissions}}</header>
    <main class="timeline">
    <noscript><p class="remark">Without scripts, this page shows the lists below and no picture.</p></noscript>
    <div class="tools" hidden>
    <button type="button" data-do="out" aria-label="zoom out" title="zoom out (-)">−</button>
    <button type="button" data-do="in" aria-label="zoom in" title="zoom in (+)">+</button>
    <button type="button" data-do="fit" aria-label="show all" title="everything (0)">all</button>
    <button type="button" data-do="previous" aria-label="previous finding, step or match"
    title="previous finding, step or match ([)">‹</button>
    <button type="button" data-do="next" aria-label="next finding, step or match"
    title="next finding, step or match (])">›</button>
    <label><input type="checkbox" data-show="packets" checked> packets</label>
    <label><input type="checkbox" data-show="pdus" checked> PDUs</label>
    <label><input type="checkbox" data-show="states" checked> states</label>
    <label><input type="checkbox" data-show="notes" checked> notes</label>
    {{#hasCalls}}<label><input type="checkbox" data-show="calls" checked> calls</label>{{/hasCalls}}
    <input type="search" id="search" placeholder="search packets, PDUs, marks ( / )" aria-label="search">
    <output id="count" aria-live="polite"></output></div>
    <div class="stage" hidden><canvas id="view" tabindex="0" role="application"
    aria-roledescription="timeline" aria-describedby="keys"
    aria-label="timeline of {{title}}; the lists below say the same"></canvas>
    <canvas id="overview" aria-hidden="true"></canvas></div>
    <p id="keys" class="sub keys" hidden>wheel or + and − zoom, drag or arrows move, 0 shows all,
    [ and ] go to the previous and next mark or match{{#hasCalls}}, or call of a device once one is open{{/hasCalls}},
    Enter opens what is nearest to the middle, / searches, Escape closes</p>
    <section id="detail" aria-label="what is opened" aria-live="polite" hidden></section>
    <section><h2>What was done and judged</h2>{{^marks}}<p class="sub">nothing</p>{{/marks}}
    <div class="wide"><table class="marks">
    <caption>Steps, expectations and findings in the order of time</caption>
    <tr><th scope="col">at (s)</th><th scope="col">kind</th><th scope="col">what</th><th scope="col">file</th></tr>
    {{#marks}}<tr class="{{class}}"><td><button type="button" data-at="{{ns}}">{{at}}</button></td>
    <td><span class="badge {{class}}">{{kind}}</span></td><td>{{text}}
    {{#details}}<div class="sub">{{.}}</div>{{/details}}</td><td>{{line}}</td></tr>
    {{/marks}}</table></div></section>
    <section id="near" hidden><h2>In view</h2><ol id="list"></ol></section>
    {{#hasCalls}}<section class="calls"><h2>Calls of CoreBluetooth</h2>{{/hasCalls}}
    {{#calls}}<details><summary>{{name}}: {{count}}</summary>{{#omission}}<p class="sub">{{.}}</p>{{/omission}}
    <ol>{{#calls}}<li class="{{class}}"><button type="button" data-call="{{index}}">{{at}}</button>
    <span>{{sign}}</span> {{text}}</li>{{/calls}}</ol></details>{{/calls}}
    {{#hasCalls}}</section>{{/hasCalls}}
    <section><h2>Devices</h2><ul class="lanes">{{#lanes}}<li>{{.}}</li>{{/lanes}}</ul></section></main>
    <footer>Written by babbench {{version}}. One file, no network. Docs/timeline.md says what is drawn.</footer>
    <script type="application/octet-stream" id="picture">{{{picture}}}</script>
    <script type="application/octet-stream" id="more">{{{more}}}</script>
    <script>"use strict";(()=>{
    {{{script}}}
    })()</script></body></html>

    """
}
