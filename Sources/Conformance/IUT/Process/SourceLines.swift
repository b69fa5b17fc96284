import Foundation

/// How many lines the source files below a folder have, as far as they are at hand.
///
/// Compilers give inlined code a line number beyond the end of its file, and stack traces name a file without its
/// folder.
package struct SourceLines {
  /// Files and folders that are looked at, at most.
  private static let limit = 20_000
  private static let sizeLimit = 4 << 20
  private static let skipped = ["node_modules", "build", "vendor"]

  private let folder: String

  package init(folder: String) { self.folder = folder }

  /// The number of lines of the longest file of that name; nil where there is none, or too much to look at.
  package func count(of file: String) -> Int? {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let files = FileManager.default
    guard folder != "/", !name.isEmpty,
      let below = files.enumerator(
        at: URL(fileURLWithPath: folder), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    else { return nil }
    var seen = 0
    var longest: Int?
    while let url = below.nextObject() as? URL {
      seen += 1
      if seen > Self.limit { return longest }
      if Self.skipped.contains(url.lastPathComponent) { below.skipDescendants() }
      guard url.lastPathComponent == name, let octets = files.contents(atPath: url.path), octets.count < Self.sizeLimit
      else { continue }
      let lines = octets.count { $0 == 0x0A } + (octets.last == 0x0A || octets.isEmpty ? 0 : 1)
      longest = max(longest ?? 0, lines)
    }
    return longest
  }
}
