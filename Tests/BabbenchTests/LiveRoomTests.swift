import Expectations
import Foundation
import Testing

@testable import Commands

/// Rooms that live, as a shell sees them: who comes and leaves, and who listens.
@Suite("Live rooms of the executable", .shippedEdition, .serialized)
struct LiveRoomTests {
  @Test("Devices come and leave by commands, and the replay of the recording is the same run")
  func comeAndLeave() throws {
    let folder = try TemporaryFolder()
    let room = "unix:\(folder.path)/room"
    let served = try Executable.serve(
      ["--begin", "at-once", "--control", room, "--places", "2", "--out", "out"], folder)
    defer { if served.process.isRunning { kill(served.process.processIdentifier, SIGKILL) } }
    func run(_ words: String...) throws -> (status: Int32, text: String) {
      let told = try Executable.run(["room", words[0], room] + words.dropFirst(), folder: folder.path)
      return (told.status, told.output + told.errors)
    }
    let added = try run("add", "watch=h4:tcp:0", "{at: [3, 0], phone: {controller: csr-rck}}")
    expect(added.status == 0 && added.text.contains("port watch  h4:tcp:127.0.0.1:"), "\(added.text)")
    try equal(run("add", "host-2", "{protocol: bab, role: host, lobby: b}").status, 0)
    try equal(run("tell", "host-2:", "start", "hosting").status, 0)
    try equal(run("tell", "radio:", "{packet loss: 20%}").status, 0)
    for (words, answer) in [
      (["add", "third"], "2 places are taken"), (["remove", "wach"], "did you mean “watch”"),
      (["tell", "radio: {}"], "nothing of the room changes"), (["tell", "add"], "who comes?"),
      (["tell", "capture", "all"], "capture air"),
    ] {
      let refused = try Executable.run(["room", words[0], room] + words.dropFirst(), folder: folder.path)
      expect(refused.status == 1 && refused.errors.contains(answer), "\(words): \(refused.errors)")
    }
    try equal(run("remove", "watch").status, 0)
    try expect(run("tell", "devices").text.hasSuffix(", host-2\n"))
    try equal(run("tell", "stop").status, 0)
    let output = String(decoding: served.readToEnd(), as: UTF8.self)
    served.process.waitUntilExit()
    let again = try Executable.run(["replay", "out/session.jsonl", "--times", "2"], folder: folder.path)
    expect(again.errors.isEmpty, "\(again.errors)")
    expect(Executable.digest(again.output) != nil && Executable.digest(again.output) == Executable.digest(output))
    expect(FileManager.default.fileExists(atPath: folder.path + "/out/host-2.btsnoop"))
    try expect(folder.read("out/trace.jsonl").contains(#""kind":"arrival","payload":{"device":"#))
  }

  @Test("What passes is captured while it does, as Wireshark asks for it")
  func extcap() throws {
    let folder = try TemporaryFolder()
    let room = "unix:\(folder.path)/room"
    let served = try Executable.serve(
      ["Scenarios/guests/guest-lobby.yaml", "--port", "guest=h4:tcp:0", "--begin", "at-once", "--control", room]
        .map { $0.hasPrefix("Scenarios") ? Self.package + $0 : $0 }, folder)
    defer { if served.process.isRunning { kill(served.process.processIdentifier, SIGKILL) } }
    let listeners = try ["air", "hci"].map { source in
      try Executable.start(
        [
          "extcap", "--capture", "--extcap-interface", "babbench-\(source)", "--room", room, "--fifo",
          "\(source).pcapng",
        ], folder: folder.path)
    }
    let limit = ContinuousClock.now + .seconds(60)
    while (octets("air.pcapng", folder) < 4_000 || octets("hci.pcapng", folder) < 1_000), ContinuousClock.now < limit {
      usleep(20_000)
    }
    _ = try Executable.run(["room", "tell", room, "stop"], folder: folder.path)
    served.process.waitUntilExit()
    for listener in listeners {
      listener.process.waitUntilExit()
      equal(listener.process.terminationStatus, 0)
    }
    for name in ["air.pcapng", "hci.pcapng"] {
      let read = try Executable.run(["inspect", name], folder: folder.path)
      expect(read.status == 0 && !read.output.isEmpty, "\(name): \(read.errors)")
    }
    try checkByTshark(folder)
  }

  private static let package =
    Repository.root.path + "/"

  private func octets(_ name: String, _ folder: TemporaryFolder) -> Int {
    let path = folder.path + "/" + name
    return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// Wireshark's own reader takes both captures, where it is installed.
  private func checkByTshark(_ folder: TemporaryFolder) throws {
    let tool = "/usr/bin/tshark"
    guard FileManager.default.isExecutableFile(atPath: tool) else {
      return print("skipped: \(tool) is not there, so that live captures are read by our own reader alone")
    }
    for name in ["air.pcapng", "hci.pcapng"] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: tool)
      process.arguments = ["-r", folder.path + "/" + name, "-T", "fields", "-e", "_ws.malformed", "-e", "frame.number"]
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      equal(process.terminationStatus, 0)
      expect(text.split(separator: "\n").count > 5 && !text.contains("Malformed"), "\(name): \(text.prefix(200))")
    }
  }

  @Test("Interfaces, link types and options are told as extcap wants them; what is no use of it is refused")
  func extcapWords() throws {
    func run(_ words: String...) throws -> (status: Int32, output: String, errors: String) {
      let told = try Executable.run(["extcap"] + words)
      return (told.status, told.output, told.errors)
    }
    let interfaces = try run("--extcap-interfaces", "--extcap-version=4.0")
    expect(interfaces.status == 0 && interfaces.output.contains("interface {value=babbench-air}"))
    try expect(run("--extcap-dlts", "--extcap-interface", "babbench-hci").output.hasPrefix("dlt {number=201}"))
    try expect(run("--extcap-config", "--extcap-interface", "babbench-air").output.contains("{call=--room}"))
    for (words, answer) in [
      ([], "--extcap-interfaces"), (["--extcap-dlts"], "which interface?"),
      (["--extcap-dlts", "--extcap-interface", "eth0"], "write babbench-air"),
      (["--capture", "--extcap-interface", "babbench-air", "--fifo", "-"], "which session?"),
      (["--capture", "--extcap-interface", "babbench-air", "--room", "unix:/nowhere"], "where does the capture go?"),
    ] {
      let refused = try Executable.run(["extcap"] + words)
      expect(refused.status == 64 && refused.errors.contains(answer), "\(words): \(refused.errors)")
    }
    let nobody = try run(
      "--capture", "--extcap-interface", "babbench-air", "--fifo", "-", "--room", "unix:/tmp/no-room-is-here")
    expect(nobody.status == 3 && nobody.errors.contains("no session takes orders"), "\(nobody.errors)")
  }
}
