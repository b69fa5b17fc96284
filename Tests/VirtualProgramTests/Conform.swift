import Foundation

/// What `babbench conform` says of a sample, in the folder of the build.
struct Conform {
  struct Result: Decodable {
    struct Case: Decodable {
      struct Finding: Decodable {
        var clause: String?
        var actual: String
      }
      var purpose: String
      var verdict: String?
      var finding: Finding?
      var digest: String?
      var log: String?
    }
    var verdict: String
    var cases: [Case]
  }

  var result: Result
  /// Standard output without the folder's name.
  var output: String
  /// What programs of cases that did not pass wrote to standard error.
  var logs: [String]
  private let sample: Sample

  /// - Parameters:
  ///   - arguments: of the program, for example the name of a mistake.
  ///   - purposes: patterns, without `BAB/HOST/` or `BAB/CLIENT/`.
  init(_ sample: Sample, with arguments: [String] = [], _ purposes: [String], jobs: Int = 1) throws {
    self.sample = sample
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("conform-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let words = ([Self.built(sample.program).path] + arguments).map { "\"\($0)\"" }.joined(separator: ", ")
    // The limits are wide, since a busy machine is no finding.
    let description = """
      name: \(sample.program)
      protocol: \(sample.protocolName)
      role: \(sample.role)
      command: [\(words)]
      dialects: [\(sample.dialect)]
      ics: [\(sample.claims)]
      ixit:
        start-timeout: 5min
        answer-timeout: 5min
        launch-timeout: 10min
        end-timeout: 5min
      """
    try description.write(to: folder.appendingPathComponent("sample.yaml"), atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = Self.built("babbench")
    process.currentDirectoryURL = folder
    process.arguments =
      ["conform", "--iut", "sample.yaml", "--assume", "none", "--jobs", "\(jobs)", "--out", "out"]
      + purposes.flatMap { ["--select", sample.suite + $0] }
    let (output, errors) = (Pipe(), FileHandle.nullDevice)
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let json = try Data(contentsOf: folder.appendingPathComponent("out/result.json"))
    let result = try JSONDecoder().decode(Result.self, from: json)
    logs = try result.cases.compactMap { try $0.log.map { try Self.text(folder, $0) } }
    self.result = result
    self.output = text
  }

  private static func text(_ folder: URL, _ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent("out").appendingPathComponent(name), encoding: .utf8)
  }

  /// Whether babbench and the samples are beside the tests; if not, a line says what was skipped.
  static let isPossible: Bool = {
    let samples: [Sample] = [.guideHost, .soundHost, .soundClient, .beamHost, .beamGuest]
    let missing = (["babbench"] + samples.map(\.program)).filter { built($0).path == "/" }
    if !missing.isEmpty { print("skipped: conform on apps, since the build has no \(missing.joined(separator: ", "))") }
    return missing.isEmpty
  }()

  func verdict(_ purpose: String) -> String? { result.cases.first { $0.purpose == sample.suite + purpose }?.verdict }
  func clause(_ purpose: String) -> String? {
    result.cases.first { $0.purpose == sample.suite + purpose }?.finding?.clause
  }

  /// What the build has put beside the tests.
  static func built(_ program: String) -> URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent(program)
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue {
        return candidate
      }
      folder = folder.deletingLastPathComponent()
    }
    return folder
  }
}
