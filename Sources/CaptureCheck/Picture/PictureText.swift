/// Long texts of a picture, which are cut.
package enum PictureText {
  private static let end = "\n… cut off"

  static func cut(_ text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    return String(text.prefix(limit)) + end
  }

  package static func isCut(_ text: String) -> Bool { text.hasSuffix(end) }
}
