/// The head of every page: one file that needs no network, for light and dark.
package enum PageHead {
  /// Up to the beginning of the body, as a template with `version` and `style`.
  /// - Parameters:
  ///   - title: a template, too.
  ///   - runsScripts: whether scripts that are in the page may run.
  package static func template(title: String, runsScripts: Bool = false) -> String {
    """
    {{% CONTENT_TYPE:page}}<!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none';style-src 'unsafe-inline';\
    \(runsScripts ? "script-src 'unsafe-inline';" : "")img-src data:;base-uri 'none';form-action 'none'">
    <meta name="color-scheme" content="light dark"><meta name="generator" content="babbench {{version}}">
    <title>\(title)</title>
    <link rel="icon" href="data:,">
    <style>{{{style}}}</style></head><body>

    """
  }
}
