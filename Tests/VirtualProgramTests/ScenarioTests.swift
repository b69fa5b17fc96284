import Expectations
import Foundation
import Testing

/// Hosts written for CoreBluetooth as devices of a scenario.
@Suite("babbench run, with hosts written for CoreBluetooth", .enabled(if: Conform.isPossible))
struct ScenarioTests {
  /// What `babbench run` says of a lobby of three with this host.
  private static func run(_ command: [String], _ arguments: [String] = []) throws -> (status: Int32, output: String) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scenario-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let words = ([Conform.built(command[0]).path] + command.dropFirst()).map { "\"\($0)\"" }.joined(separator: ", ")
    // The limits are wide, since a busy machine is no finding.
    let scenario = """
      summary: a host written for CoreBluetooth, killed once
      radio: living-room
      dialect: guide
      devices:
        host:
          phone: iphone
          app:
            command: [\(words)]
            reports: no
            ixit: { start-timeout: 5min, answer-timeout: 5min, launch-timeout: 10min, end-timeout: 5min }
        client: { count: 3, phone: android, around: host, radius: 2 m }
      steps:
        - host: start hosting
        - all clients: join
        - { when: all clients in lobby, within: 15s }
        - { after: 2s, host: { set scenario: first-date } }
        - { after: 1s, label: gone, client-2: vanish }
        - { after: 20s, client-2: appear }
        - { after: 2s, host: relaunch }
        - { after: 1s, host: start hosting }
        - { after: 10s, host: { set scenario: first-date } }
        - { after: 1s, label: start, host: start lobby game }
      expect:
        - { that: client-1 has exactly 3 players, after: gone, within: 15s }
        - { that: all clients have at least 1 START_GAME packets, after: start, within: 5s }
        - everyone has no refused packets
        - everyone has no violations
      """
    try scenario.write(to: folder.appendingPathComponent("a.yaml"), atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = Conform.built("babbench")
    process.currentDirectoryURL = folder
    process.arguments = ["run", "a.yaml"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test("The sound host serves a lobby, over a vanished guest and its own relaunch, in the same way again")
  func sound() throws {
    let run = try Self.run(["sound-host"], ["--check-determinism"])
    equal(run.status, 0, "\(run.output)")
    try equal(Self.run(["sound-host"]).output, run.output)
    let seeds = try ["1", "2"].map { try Self.run(["sound-host"], ["--seeds", "1..3", "--jobs", $0]) }
    expect(seeds[0].status == 0 && seeds[0].output == seeds[1].output, "\(seeds[0].output)")
  }

  @Test("A mistake of guides shows in the room of a scenario too", arguments: ["raw-chunks", "misses-the-end"])
  func mistaken(_ mistake: String) throws {
    let run = try Self.run(["sound-host", mistake])
    equal(run.status, 1, "\(run.output)")
  }

  @Test("A mistake that does not exist ends the program, and the run, by its line")
  func crashes() throws {
    let run = try Self.run(["sound-host", "no-such-mistake"])
    expect(run.status == 3 && run.output.contains("error NoCrashNoHang (BAB 7.13), host, at 0.000000 s"))
    expect(run.output.contains("there is no mistake no-such-mistake"), "\(run.output)")
  }
}
