import Foundation
import Judging
import Shrink

/// What `--mended` says: the name of an engine, or a program with its arguments, as in a shell.
enum MendedWords {
  /// Several words, a word with a slash and the name of a file are a program. A program that is a file here is meant
  /// wherever the scenario is; its other words are as the scenario's folder has them.
  static func mended(_ text: String) -> Mended {
    var words = Shell.words(of: text) ?? [text]
    guard let first = words.first else { return Mended(engine: text) }
    let isFile = FileManager.default.fileExists(atPath: first)
    guard words.count > 1 || first.contains("/") || isFile else { return Mended(engine: text) }
    if isFile, !first.hasPrefix("/") { words[0] = FileManager.default.currentDirectoryPath + "/" + first }
    return Mended(program: words, name: text)
  }
}
