import Judging
import Mustache

/// A room that lives: where its devices are, their links, and packets as they pass.
enum RoomPage {
  static var script: [UInt8] { PackageResources.room_js }

  /// - Parameter timeline: where the timeline is followed; empty: there is none.
  static func octets(title: String, timeline: String) throws -> [UInt8] {
    PageText.register()
    let template = try MustacheTemplate(string: text)
    return Array(
      template.render(["title": title, "timeline": timeline, "style": PageStyle.text + style]).utf8)
  }

  private static let style = """
    main{max-width:none;display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:16px}
    @media(max-width:900px){main{grid-template-columns:minmax(0,1fr)}}
    nav{display:flex;gap:1rem;flex-wrap:wrap;padding:8px 20px;border-bottom:1px solid var(--line)}
    nav output{color:var(--soft)}svg{width:100%;height:70vh;background:var(--card);border:1px solid var(--line);
    border-radius:6px}svg text{fill:var(--ink);font:12px system-ui,sans-serif;paint-order:stroke;stroke:var(--card);
    stroke-width:4px}
    .link{stroke:var(--good);stroke-width:2}.device{fill:var(--link)}.device.off{fill:var(--na)}
    .packet{stroke:var(--link);stroke-width:3;fill:none}.packet.corrupted{stroke:var(--bad)}
    .packet.unheard{stroke:var(--na)}table{width:100%;border-collapse:collapse;font-size:.86rem}
    td,th{text-align:left;padding:1px 8px 1px 0;vertical-align:top;white-space:nowrap}
    td:last-child{white-space:normal;overflow-wrap:anywhere}tr.corrupted{color:var(--bad)}
    tr.unheard{color:var(--soft)}section{overflow:auto;max-height:78vh}

    """

  private static let text = """
    {{% CONTENT_TYPE:page}}<!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <meta name="color-scheme" content="light dark"><title>{{title}}</title><link rel="icon" href="data:,">
    <style>{{{style}}}</style></head><body>
    <nav><b>{{title}}</b>{{#timeline}}<a href="{{timeline}}">timeline</a>{{/timeline}}
    <button type="button" aria-pressed="false">hold the list</button><output aria-live="off"></output></nav>
    <main><svg role="img" aria-label="places of devices and their links"></svg>
    <section aria-label="packets"><table><thead><tr><th>s</th><th>from</th><th>to</th><th>RF</th><th>packet</th>
    </tr></thead><tbody></tbody></table></section></main>
    <script src="/-/room.js"></script></body></html>

    """
}
