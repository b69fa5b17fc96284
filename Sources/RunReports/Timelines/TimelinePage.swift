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
    let page: [String: Any] = [
      "version": version, "style": PageStyle.text + Self.string(PackageResources.timeline_css),
      "title": title, "verdict": verdict, "facts": facts.joined(separator: " · "), "repeat": repeatLine,
      "omissions": timeline.omissions, "file": file,
      "lanes": timeline.lanes.map { "\($0.name) (\($0.role)): \($0.about)" },
      "marks": MarkList.rows(timeline, file: file),
      "calls": CallList.lists(timeline), "hasCalls": !timeline.calls.isEmpty,
      "logs": LogList.lists(timeline), "hasLog": !timeline.log.isEmpty,
      "picture": TimelineData.picture(timeline), "more": TimelineData.details(timeline),
      "script": Self.string(PackageResources.model_js) + Self.string(PackageResources.drawing_js)
        + Self.string(PackageResources.steps_js) + Self.string(PackageResources.page_js),
    ]
    return Array(template.render(page).utf8)
  }

  private static func string(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }

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
    <button type="button" data-do="options" id="options-button" aria-label="search, and what is shown"
    aria-expanded="false" aria-controls="options">search</button>
    <div id="options"><label><input type="checkbox" data-show="packets" checked> packets</label>
    <label><input type="checkbox" data-show="pdus" checked> PDUs</label>
    <label><input type="checkbox" data-show="states" checked> states</label>
    <label><input type="checkbox" data-show="notes" checked> notes</label>
    {{#hasCalls}}<label><input type="checkbox" data-show="calls" checked> calls</label>{{/hasCalls}}
    {{#hasLog}}<label><input type="checkbox" data-show="log" checked> stderr</label>{{/hasLog}}
    <input type="search" id="search" placeholder="search packets, PDUs, marks ( / )" aria-label="search"></div>
    <output id="count" aria-live="polite"></output></div>
    <div class="board" id="board">
    <div class="stage" hidden><div class="scroll"><canvas id="view" tabindex="0" role="application"
    aria-roledescription="timeline" aria-describedby="keys"
    aria-label="timeline of {{title}}; the lists beside and below say the same"></canvas>
    <div id="cursor" aria-hidden="true" hidden></div></div>
    <canvas id="overview" aria-hidden="true"></canvas></div>
    <div class="side">
    <details id="story" open><summary>What was done and judged <span id="steps-count"></span></summary>
    <ol class="marks" aria-label="steps, expectations and findings in the order of time">
    {{^marks}}<li class="sub">nothing</li>{{/marks}}
    {{#marks}}<li class="{{class}}"><button type="button" data-mark="{{index}}"><span class="at">{{at}}</span>
    <span class="badge {{class}}">{{kind}}</span> <span class="what">{{text}}</span></button>
    {{#details}}<div class="sub">{{.}}</div>{{/details}}<div class="sub">{{line}}</div></li>
    {{/marks}}</ol></details>
    <section id="detail" aria-label="what is opened" aria-live="polite" hidden></section></div>
    <div class="rest">
    <p id="keys" class="sub keys" hidden>wheel or + and − zoom; drag or arrows move; 0 shows all;
    [ and ] go to the previous and next mark or match{{#hasCalls}}, or call of a device once one is open{{/hasCalls}};
    Enter opens what is nearest to the cursor; / searches; Escape closes what is open and returns to the picture</p>
    <section id="near" hidden><h2>In view</h2><ol id="list"></ol></section>
    {{#hasCalls}}<section class="calls"><h2>Calls of CoreBluetooth</h2>{{/hasCalls}}
    {{#calls}}<details><summary>{{name}}: {{count}}</summary>{{#omission}}<p class="sub">{{.}}</p>{{/omission}}
    <ol>{{#calls}}<li class="{{class}}"><button type="button" data-call="{{index}}">{{at}}</button>
    <span>{{sign}}</span> {{text}}</li>{{/calls}}</ol></details>{{/calls}}
    {{#hasCalls}}</section>{{/hasCalls}}
    {{#hasLog}}<section class="said"><h2>Standard error of programs</h2>{{/hasLog}}
    {{#logs}}<details><summary>{{name}}: {{count}}</summary>
    <ol>{{#lines}}<li><button type="button" data-log="{{index}}">{{at}}</button> {{text}}</li>{{/lines}}</ol>
    {{#omission}}<p class="sub">{{.}}</p>{{/omission}}</details>{{/logs}}
    {{#hasLog}}</section>{{/hasLog}}
    <section><h2>Devices</h2><ul class="lanes">{{#lanes}}<li>{{.}}</li>{{/lanes}}</ul></section></div></div></main>
    <footer>Written by babbench {{version}}. One file, no network. Docs/timeline.md says what is drawn.</footer>
    <script type="application/octet-stream" id="picture">{{{picture}}}</script>
    <script type="application/octet-stream" id="more">{{{more}}}</script>
    <script>"use strict";(()=>{
    {{{script}}}
    })()</script></body></html>

    """
}
