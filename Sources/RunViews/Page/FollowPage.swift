import Judging
import Mustache

/// A frame around a timeline, whose script follows the file.
enum FollowPage {
  /// Below it are pages of the server itself; no file has such a name.
  static let prefix = "-"
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; "
    + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  /// - Parameters:
  ///   - page: the path of the timeline on this server.
  ///   - title: for people.
  static func octets(page: String, title: String) throws -> [UInt8] {
    PageText.register()
    let template = try MustacheTemplate(string: text)
    return Array(template.render(["page": page, "title": title, "style": PageStyle.text + style]).utf8)
  }

  static var script: [UInt8] { PackageResources.follow_js }

  private static let style = """
    html,body{height:100%;overflow:hidden}body{display:flex;flex-direction:column}
    nav{display:flex;gap:1rem;padding:4px 20px;font-size:.88rem;border-bottom:1px solid var(--line)}
    nav output{color:var(--soft)}iframe{flex:1;border:0;width:100%}

    """

  private static let text = """
    {{% CONTENT_TYPE:page}}<!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <meta name="color-scheme" content="light dark"><title>{{title}}</title><link rel="icon" href="data:,">
    <style>{{{style}}}</style></head><body>
    <nav><a href="/">all runs</a><span>{{title}}</span><output aria-live="polite"></output></nav>
    <iframe title="timeline of {{title}}" data-page="{{page}}"></iframe>
    <script src="/-/follow.js"></script></body></html>

    """
}
