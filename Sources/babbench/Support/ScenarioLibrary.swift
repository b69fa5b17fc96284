import Foundation

/// Finds scenarios: by path, or by the name of a shipped one.
struct ScenarioLibrary {
  struct Entry: Equatable {
    /// The file's path below the library, without its ending: `eight-peer-lobby`.
    var name: String
    var path: String
  }

  static let endings = ["yaml", "yml"]

  /// Sorted by name.
  let entries: [Entry]

  init(folder: String?) {
    guard let folder, let walker = FileManager.default.enumerator(atPath: folder) else {
      entries = []
      return
    }
    var found: [Entry] = []
    while let relative = walker.nextObject() as? String {
      let parts = relative.split(separator: ".")
      guard parts.count > 1, let ending = parts.last, Self.endings.contains(String(ending)) else { continue }
      found.append(Entry(name: String(relative.dropLast(ending.count + 1)), path: folder + "/" + relative))
    }
    entries = found.sorted { $0.name < $1.name }
  }

  /// The folder `Scenarios` at or above the working directory, else at or above the executable.
  static let shipped: ScenarioLibrary = {
    let manager = FileManager.default
    var starts = [manager.currentDirectoryPath]
    if let executable = Bundle.main.executableURL { starts.append(executable.resolvingSymlinksInPath().path) }
    for start in starts {
      var url = URL(fileURLWithPath: start)
      while true {
        let candidate = url.appendingPathComponent("Scenarios").path
        var isFolder: ObjCBool = false
        if manager.fileExists(atPath: candidate, isDirectory: &isFolder), isFolder.boolValue {
          let relative = url.path == manager.currentDirectoryPath ? "Scenarios" : candidate
          return ScenarioLibrary(folder: relative)
        }
        if url.path == "/" { break }
        url = url.deletingLastPathComponent()
      }
    }
    return ScenarioLibrary(folder: nil)
  }()

  /// The path that an argument means: itself when it is a file, else that of the shipped scenario of this name.
  func path(of argument: String) throws -> String {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) {
      if isFolder.boolValue { throw NoScenario(argument: argument, hint: "that is a folder") }
      return argument
    }
    let matches = entries.filter {
      $0.name == argument || $0.name.split(separator: "/").last.map(String.init) == argument
    }
    if matches.count == 1 { return matches[0].path }
    if matches.count > 1 {
      throw NoScenario(argument: argument, hint: "could be " + matches.map(\.name).joined(separator: " or "))
    }
    if let near = Spelling.nearest(to: argument, in: entries.map(\.name), within: 2) {
      throw NoScenario(argument: argument, hint: "did you mean \(near)?")
    }
    throw NoScenario(argument: argument, hint: "babbench list --scenarios shows what is shipped")
  }
}

struct NoScenario: Error, CustomStringConvertible {
  var argument: String
  var hint: String
  var description: String { "\(argument): no such file, and no shipped scenario of that name; \(hint)" }
}

/// How far two words are apart.
enum Spelling {
  /// The candidate nearest to what was written, when no more than a third of its letters differ, or `few` of them; of
  /// equals the first in the order of text.
  static func nearest(to text: String, in candidates: [String], within few: Int) -> String? {
    let nearest = candidates.map { (distance($0, text), $0) }.min { $0 < $1 }
    return nearest.flatMap { $0.0 <= max(few, text.count / 3) ? $0.1 : nil }
  }

  /// The least number of letters to insert, remove or replace.
  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(min(above, row[j]) + 1, diagonal + (letter == other ? 0 : 1))
        diagonal = above
      }
    }
    return row[b.count]
  }
}
