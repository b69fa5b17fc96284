import Foundation
import SimKernel

/// Scenario files on disk; the only part of the format that touches the file system.
public enum ScenarioFile {
  /// Loads and reads a file. What cannot be opened is a problem at 1:1, never a trap.
  /// - Parameter environment: what programs inherit that the scenario names, `NAME=value`.
  public static func load(
    _ path: String, language: ScenarioLanguage, overrides: [ScenarioOverride] = [], environment: [String] = []
  ) -> Result<Scenario, ScenarioProblems> {
    octets(of: path, kind: .scenario).flatMap {
      ScenarioReader.read(
        octets: $0, file: path, language: language, overrides: overrides, profiles: .besides(path),
        programs: .besides(path, environment: environment))
    }
  }

  /// A whole file, if it is one and not too long.
  package static func octets(of path: String, kind: DocumentKind) -> Result<[UInt8], ScenarioProblems> {
    func refused(_ message: String) -> Result<[UInt8], ScenarioProblems> {
      let problem = ScenarioProblem(file: path, location: SourceLocation(line: 1, column: 1), message: message)
      return .failure(ScenarioProblems(list: [problem]))
    }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return refused("there is no such file; \(kind.whereToLook)")
    }
    if isDirectory.boolValue { return refused("this is a directory; write a file in it") }
    if isWaitingPipe(path) { return refused("this is a named pipe, which may never end; write a file") }
    guard let handle = FileHandle(forReadingAtPath: path) else { return refused("the file cannot be opened") }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: ScenarioReader.sizeLimit + 1) else {
      return refused(isEmpty(path) ? kind.empty : "the file cannot be read")
    }
    if data.count > ScenarioReader.sizeLimit {
      return refused("the file has more than \(ScenarioReader.sizeLimit) octets; no \(kind.word) is that long")
    }
    return .success([UInt8](data))
  }

  /// Why a path names no file that can be read to its end; nil: it does.
  package static func refusal(ofFile path: String) -> String? {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return "there is no such file; a path starts in the folder of this file"
    }
    if isDirectory.boolValue { return "it is a folder; write a file in it" }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      ? nil : "it is no file that ends; write a file"
  }

  /// A pipe that the shell has opened for us (`<(…)`) has its writer; one with a name may have none.
  package static func isWaitingPipe(_ path: String) -> Bool {
    if path.hasPrefix("/dev/") || path.hasPrefix("/proc/") { return false }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  private static func isEmpty(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? Int) == 0
  }
}

extension ProfileSource {
  /// Files, relative to the folder of the scenario file that names them.
  public static func besides(_ scenario: String) -> ProfileSource {
    let folder = scenario.lastIndex(of: "/").map { String(scenario[...$0]) } ?? ""
    let name = { @Sendable (path: String) in path.hasPrefix("/") ? path : folder + path }
    var source = ProfileSource(name: name) { ScenarioFile.octets(of: name($0), kind: .profile) }
    source.hasFiles = true
    return source
  }
}

extension ProgramFinder {
  /// Words with a slash begin in the folder of the file that names them, others are looked for in PATH.
  public static func besides(_ file: String, environment: [String]) -> ProgramFinder {
    ProgramFinder(
      folder: URL(fileURLWithPath: file).deletingLastPathComponent().standardizedFileURL.path,
      environment: environment, find: { find($0, $1, $2) },
      refusal: { folder in
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory)
        return exists && isDirectory.boolValue ? nil : "there is no such folder"
      })
  }

  private static func find(_ program: String, _ folder: String, _ environment: [String]) -> Finding {
    let shown = ShownText.oneLine(program)
    if program.contains("/") {
      let path = program.hasPrefix("/") ? program : folder + "/" + program
      guard isFile(path) else {
        return .refused("there is no file “\(shown)”; a path starts in the folder of this file")
      }
      return FileManager.default.isExecutableFile(atPath: path)
        ? .found(path: path)
        : .refused("“\(shown)” may not be executed; chmod +x it, or write its interpreter before it")
    }
    let path = environment.last { $0.hasPrefix("PATH=") }.map { $0.dropFirst(5) } ?? "/usr/bin:/bin"
    for directory in path.split(separator: ":") where directory.hasPrefix("/") {
      let candidate = directory + "/" + program
      if isFile(candidate), FileManager.default.isExecutableFile(atPath: candidate) { return .found(path: candidate) }
    }
    return .refused(
      isFile(folder + "/" + program)
        ? "“\(shown)” is not in PATH; write ./\(shown) for the file beside this one"
        : "there is no program “\(shown)” in PATH; install it, or write its path")
  }

  private static func isFile(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
  }
}
