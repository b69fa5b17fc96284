import Bench
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
    // A link is not walked into by itself.
    guard let folder,
      let walker = FileManager.default.enumerator(
        atPath: URL(fileURLWithPath: folder).resolvingSymlinksInPath().path)
    else {
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

  /// The folder `Scenarios` at or above the working directory, else at or above the executable; where the program is
  /// installed, that is `share/babbench/Scenarios` beside its `bin`.
  static let shipped: ScenarioLibrary = {
    let found = ShippedFolder(
      "Scenarios", "share/babbench/Scenarios", above: [ShippedFolder.working, ShippedFolder.executable])
    return ScenarioLibrary(folder: found.map { $0.place == ShippedFolder.working ? $0.name : $0.path })
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
    // Either may be written, and the longer one is no nearer for its folder.
    let names = entries.map { $0.name.split(separator: "/").last.map(String.init) ?? $0.name } + entries.map(\.name)
    if let question = Suggestion.question(for: argument, in: names, within: 2) {
      throw NoScenario(argument: argument, hint: question)
    }
    throw NoScenario(argument: argument, hint: "babbench list --scenarios shows what is shipped")
  }
}

struct NoScenario: Error, CustomStringConvertible {
  var argument: String
  var hint: String
  var description: String { "\(argument): no such file, and no shipped scenario of that name; \(hint)" }
}
