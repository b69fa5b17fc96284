import Foundation

/// Scenario files on disk; the only part of the format that touches the file system.
public enum ScenarioFile {
  /// Loads and reads a file. What cannot be opened is a problem at 1:1, never a trap.
  public static func load(
    _ path: String, overrides: [ScenarioOverride] = [], engines: [String] = []
  ) -> Result<Scenario, ScenarioProblems> {
    func refused(_ message: String) -> Result<Scenario, ScenarioProblems> {
      let problem = ScenarioProblem(file: path, location: SourceLocation(line: 1, column: 1), message: message)
      return .failure(ScenarioProblems(list: [problem]))
    }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return refused("there is no such file; “babbench list” shows the scenarios that are shipped")
    }
    if isDirectory.boolValue { return refused("this is a directory; write a file in it") }
    guard let handle = FileHandle(forReadingAtPath: path) else { return refused("the file cannot be opened") }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: ScenarioReader.sizeLimit + 1) else {
      return refused(
        isEmpty(path)
          ? "the file is empty; a scenario needs at least “devices:” with a host" : "the file cannot be read")
    }
    if data.count > ScenarioReader.sizeLimit {
      return refused("the file has more than \(ScenarioReader.sizeLimit) octets; no scenario is that long")
    }
    return ScenarioReader.read(octets: [UInt8](data), file: path, overrides: overrides, engines: engines)
  }

  private static func isEmpty(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? Int) == 0
  }
}
