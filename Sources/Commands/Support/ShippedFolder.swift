import Foundation

/// Folders that come with the program.
enum ShippedFolder {
  /// The first of some folders at or above the executable, else at or above the working directory.
  static func path(_ folders: String...) -> String? {
    let executable = Bundle.main.executableURL?.resolvingSymlinksInPath().path
    for start in [executable, FileManager.default.currentDirectoryPath].compactMap(\.self) {
      var url = URL(fileURLWithPath: start)
      while url.path != "/" {
        for folder in folders {
          let candidate = url.appendingPathComponent(folder).path
          if FileManager.default.fileExists(atPath: candidate) { return candidate }
        }
        url = url.deletingLastPathComponent()
      }
    }
    return nil
  }
}
