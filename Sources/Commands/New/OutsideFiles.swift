import Foundation
import Judging

/// The files of `Tests/Outside`, of which templates are made: what the bench builds and tests itself is written.
struct OutsideFiles {
  /// Lines that end so are about what the bench tests beside, and are left out.
  static let mark = "// not in the template"

  private let folder: String

  /// - Throws: that the files are not there.
  init() throws {
    let places = [ShippedFolder.executable, ShippedFolder.working]
    guard let folder = ShippedFolder("share/babbench/Outside", "Tests/Outside", above: places)?.path else {
      throw UsageProblem("the template of a Swift package is not beside babbench; install a release, or use a checkout")
    }
    self.folder = folder
  }

  /// A checkout of the bench; nil: this is an installed program.
  private var checkout: String? {
    let root = URL(fileURLWithPath: folder).deletingLastPathComponent().deletingLastPathComponent()
    return FileManager.default.fileExists(atPath: root.appendingPathComponent("Package.swift").path) ? root.path : nil
  }

  /// Names in a folder, in order.
  func names(in place: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/" + place).sorted()
  }

  func text(_ file: String) throws -> String {
    let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
    return text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasSuffix(Self.mark) }
      .joined(separator: "\n")
  }

  /// Writes a package to a folder that is not there yet.
  /// - Parameters:
  ///   - bench: what it depends on, as the command line names it; nil: the checkout of this program.
  ///   - make: the files, given what a manifest says of the bench.
  func write(to folder: String, bench: String?, _ make: (String) throws -> [(path: String, text: String)]) throws {
    if FileManager.default.fileExists(atPath: folder) {
      throw UsageProblem("\(folder) is there already; name a folder that is not, or remove it")
    }
    let files = try make(try source(bench))
    try WholeFile.makeFolder(folder)
    for (file, text) in files {
      var place = folder
      for part in file.split(separator: "/").dropLast() {
        place += "/" + part
        try WholeFile.makeFolder(place)
      }
      try FileSink.write(Array(text.utf8), to: folder + "/" + file)
    }
  }

  private func source(_ bench: String?) throws -> String {
    guard let bench = bench ?? checkout else {
      throw UsageProblem("this program has no checkout of babbench; name one with --babbench, or a URL")
    }
    if bench.contains("://") { return Self.source(bench) }
    guard FileManager.default.fileExists(atPath: bench + "/Package.swift") else {
      throw UsageProblem("\(bench) is no checkout of babbench; it has no Package.swift")
    }
    return Self.source(URL(fileURLWithPath: bench).standardizedFileURL.path)
  }

  /// The arguments of `.package(…)`: for a URL, or for the path of a checkout.
  static func source(_ bench: String) -> String {
    let quoted = "\"" + bench.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    return bench.contains("://") ? "url: \(quoted), branch: \"main\"" : "name: \"babbench\", path: \(quoted)"
  }
}
