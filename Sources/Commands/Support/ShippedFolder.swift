import Foundation

/// A folder that comes with the program.
struct ShippedFolder {
  /// Where it was found, and its name from there.
  let place: String
  let name: String

  var path: String { URL(fileURLWithPath: place).appendingPathComponent(name).path }

  static let working: String? = FileManager.default.currentDirectoryPath
  static let executable = Bundle.main.executableURL?.resolvingSymlinksInPath().path

  /// The first of some folders at or above the first place that has one.
  init?(_ names: String..., above starts: [String?]) {
    for start in starts.compactMap(\.self) {
      var url = URL(fileURLWithPath: start)
      while true {
        for name in names {
          var isFolder: ObjCBool = false
          let candidate = url.appendingPathComponent(name).path
          if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), isFolder.boolValue {
            (self.place, self.name) = (url.path, name)
            return
          }
        }
        if url.path == "/" { break }
        url = url.deletingLastPathComponent()
      }
    }
    return nil
  }
}
