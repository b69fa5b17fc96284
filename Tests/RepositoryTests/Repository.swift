import Expectations
import Foundation

extension Repository {
  /// Folders that are built or fetched, never written by hand.
  private static let foreignFolders = [".build", ".git", ".swiftpm", "out", "build", ".gradle"]

  /// Every hand-written file below the root, sorted by path.
  static let paths: [String] = {
    var found: [String] = []
    func visit(_ folder: String) {
      let url = folder.isEmpty ? root : root.appendingPathComponent(folder)
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else { return }
      for name in names.sorted() {
        let path = folder.isEmpty ? name : folder + "/" + name
        if foreignFolders.contains(name) || name.hasPrefix(".build-") || name == "Package.resolved" { continue }
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path, isDirectory: &isFolder)
        if isFolder.boolValue { visit(path) } else { found.append(path) }
      }
    }
    visit("")
    return found
  }()

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }

  /// All Swift files under `Sources/` and `Tests/`.
  static let swiftFiles: [SourceFile] = paths.filter {
    $0.hasSuffix(".swift") && ($0.hasPrefix("Sources/") || $0.hasPrefix("Tests/"))
  }.compactMap { path in (try? text(path)).map { SourceFile(path: path, text: $0) } }

  /// Every Swift file that may spell a name: those above, and benchmarks, samples and the manifest.
  static let spelling: [SourceFile] =
    swiftFiles
    + paths.filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix("Sources/") && !$0.hasPrefix("Tests/")
    }.compactMap { path in (try? text(path)).map { SourceFile(path: path, text: $0) } }

  static let sources = swiftFiles.filter { $0.path.hasPrefix("Sources/") }
  /// An app of two packets, which tests give to the bench as another project would.
  static let toyApp = swiftFiles.filter { $0.isInside("Tests/Outside/Echo") }

  /// Whether bash reads the whole of a script.
  static func isShell(_ path: String) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", "-n", root.appendingPathComponent(path).path]
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// What `git` answers, or nil when this is not a git checkout.
  static func git(_ arguments: [String]) throws -> String? {
    guard exists(".git") else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", root.path] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = Pipe()
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }
}
