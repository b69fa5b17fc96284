import Foundation
import Judging
import Mustache

/// The list of the runs below the served folder, the newest first.
enum IndexPage {
  /// Runs that are shown; more are counted.
  private static let limit = 500

  /// - Parameters:
  ///   - folder: for people.
  ///   - now: nanoseconds since 1970.
  static func octets(_ index: RunIndex, folder: String, now: Int64) throws -> [UInt8] {
    PageText.register()
    let template = try MustacheTemplate(string: text)
    var page: [String: Any] = [
      "style": PageStyle.text + style, "version": "view", "folder": folder, "count": index.runs.count,
      "runs": index.runs.prefix(limit).map { row($0, now) },
    ]
    if index.runs.count > limit { page["more"] = index.runs.count - limit }
    if index.isCut { page["cut"] = true }
    return Array(template.render(page).utf8)
  }

  private static func row(_ run: RunIndex.Run, _ now: Int64) -> [String: Any] {
    let path = PageText.reference(run.path.map { $0 + "/" }.joined())
    var row: [String: Any] = [
      "title": run.title.isEmpty ? "this folder" : run.title, "path": run.path.joined(separator: "/"),
      "age": age(max(0, now - run.changed) / 1_000_000_000),
      "class": run.verdict ?? "none",
      "verdict": run.verdict ?? (run.hasTimeline ? "no result yet" : "–"),
      "files": run.files.filter { $0.name != "timeline.html" }.map { file in
        ["name": file.name, "reference": "/files/" + path + PageText.reference(file.name), "size": size(file.size)]
      },
    ]
    if run.hasTimeline {
      row["timeline"] = ["page": "/files/\(path)timeline.html", "follow": "/-/follow/\(path)timeline.html"]
    }
    return row
  }

  private static func age(_ seconds: Int64) -> String {
    switch seconds {
    case ..<120: "\(seconds) s ago"
    case ..<7_200: "\(seconds / 60) min ago"
    case ..<172_800: "\(seconds / 3_600) h ago"
    default: "\(seconds / 86_400) days ago"
    }
  }

  private static func size(_ octets: Int) -> String {
    octets < 10_000 ? "\(octets) B" : octets < 10_000_000 ? "\(octets / 1_000) kB" : "\(octets / 1_000_000) MB"
  }

  private static let style = """
    .runs td:nth-child(odd),.runs th{white-space:nowrap}
    .runs td:nth-child(2){min-width:12rem}.runs .sub{margin:0}
    .runs .files span{margin-right:1rem;white-space:nowrap}.runs i{color:var(--soft);font-style:normal}

    """

  private static let text =
    PageHead.template(title: "{{folder}}") + """
      <header class="top"><h1>{{folder}}</h1><p class="sub">{{count}} folders with files of the bench, the newest first.
      Load the page again to see newer ones.</p>
      {{#cut}}<p class="remark">There is more below this folder than is looked at.</p>{{/cut}}</header>
      <main><div class="wide"><table class="runs"><tr><th></th><th>run</th><th>timeline</th><th>files</th></tr>
      {{#runs}}<tr><td><span class="badge {{class}}">{{verdict}}</span></td><td>{{title}}
      <div class="sub">{{path}} · {{age}}</div></td>
      <td>{{#timeline}}<a href="{{page}}">timeline</a> <a href="{{follow}}">follow</a>{{/timeline}}</td>
      <td class="files">{{#files}}<span><a href="{{reference}}">{{name}}</a> <i>{{size}}</i></span>
      {{/files}}</td></tr>
      {{/runs}}</table></div>{{#more}}<p>and {{.}} more</p>{{/more}}</main>
      <footer>Served on loopback only, read only.</footer></body></html>

      """
}
