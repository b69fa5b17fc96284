import Expectations
import Foundation
import Testing

@testable import Commands

/// `babbench fuzz port` as a shell sees it: programs with host stacks of their own, a good one and broken ones.
@Suite("babbench fuzz port", .shippedEdition, .serialized)
struct FuzzPortTests {
  /// A host that advertises, takes a link, answers MTU requests and nothing else, and fails at what it does not know.
  private static let brokenHost = """
    import os, socket, struct, sys, time
    place, defect = (sys.argv[1], int(sys.argv[2])), sys.argv[3]
    port = socket.create_connection(place)
    NAMES = {2: "MTU request", 3: "MTU response", 4: "find", 6: "by value", 8: "by type", 10: "read"}
    NAMES.update({16: "by group", 18: "write"})

    def read(count):
        octets = b""
        while len(octets) < count:
            more = port.recv(count - len(octets))
            if not more:
                sys.exit(0)
            octets += more
        return octets

    def packet():
        if read(1) == b"\\x04":
            code, count = read(2)
            return code, read(count)
        handle, count = struct.unpack("<HH", read(4))
        return "data", struct.pack("<H", handle & 0xFFF) + read(count)

    def command(opcode, values=b""):
        port.sendall(struct.pack("<BHB", 1, opcode, len(values)) + values)
        while True:
            code, event = packet()
            if code == 0x0E and event[1:3] == struct.pack("<H", opcode):
                return

    def read_pdu(pdu):
        if defect == "unit" and pdu == bytes.fromhex("1603000000deadbeef"):
            sys.exit(3)
        if pdu and pdu[0] not in NAMES:
            if defect == "exit":
                raise KeyError(pdu[0])
            if defect == "log":
                try:
                    NAMES[pdu[0]]
                except KeyError:
                    import traceback
                    traceback.print_exc()
            if defect == "kernel":
                print("[   12.345678] BUG: KASAN: use-after-free in planted+0x1/0x2 [x]", file=sys.stderr)
            if defect == "kill":
                os.kill(os.getppid(), 9)
            if defect == "deaf":
                time.sleep(1000)
        return b"\\x03\\x17\\x00" if pdu[:1] == b"\\x02" else None

    command(0x0C03)
    command(0x2006, struct.pack("<HHBBB6sBB", 0x20, 0x20, 0, 0, 0, bytes(6), 7, 0))
    data = bytes([2, 1, 6, 3, 3, 0xB1, 0xBA])
    command(0x2008, bytes([len(data)]) + data.ljust(31, b"\\0"))
    command(0x200A, b"\\x01")
    while True:
        code, values = packet()
        if code == 0x05:
            command(0x200A, b"\\x01")
        if code == "data" and values[4:6] == b"\\x04\\x00" and (answer := read_pdu(values[6:])):
            frame = struct.pack("<HH", len(answer), 4) + answer
            port.sendall(b"\\x02" + values[:2] + struct.pack("<H", len(frame)) + frame)
    """

  private static let scenario = """
    dialect: sdk
    devices:
      host: { at: [0, 0] }
      client: { at: [1, 0] }
    steps:
      - host: start hosting
      - client: join
    duration: 10min
    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.brokenHost, to: "host.py")
    try folder.write(Self.scenario, to: "two.yaml")
  }

  private func fuzz(_ program: String, _ state: String, _ more: [String]) throws -> Executable.Result {
    try Executable.run(arguments(program, state, more), folder: folder.path)
  }

  private func arguments(_ program: String, _ state: String, _ more: [String]) -> [String] {
    [
      "fuzz", "port", "two.yaml", "--port", "host=h4:tcp:0", "--program", program, "--when", state, "--from", "client",
      "--for", "300ms", "--pause", "20ms",
    ] + more
  }

  private func broken(_ defect: String) -> String { "python3 host.py {host} {port} \(defect)" }

  @Test(
    "A host of ours bears attacks on its GATT server at the lobby, at two seams",
    arguments: Part.of(["att", "packet"], 2))
  func reference(seam: String) throws {
    let program =
      "'\(Executable.url.path)' play --role host --controller h4:tcp:{host}:{port} --record '\(folder.path)/{port}.jsonl'"
    let result = try fuzz(program, "client in lobby", ["--attacks", "40", "--seam", seam])
    equal(result.status, 0, "\(result.output)\(result.errors)")
    expect(result.output.contains("1 sessions, 40 attacks"))
  }

  @Test("A program that ends because the session is over is not blamed for it")
  func endsWithItsPort() throws {
    let program =
      "'\(Executable.url.path)' play --role host --controller h4:tcp:{host}:{port} --record '\(folder.path)/{port}.jsonl'"
    let result = try fuzz(program + "; exit 7", "client in lobby", ["--attacks", "4", "--sessions", "3"])
    equal(result.status, 0, "\(result.output)\(result.errors)")
    expect(result.output.contains("3 sessions, 12 attacks"))
  }

  @Test(
    "A program that ends, and one that goes on after an exception or a word of the kernel, are found, also made small",
    arguments: Part.of(
      [
        ("exit", "Ended-exit-code-1-host.py", "KeyError"), ("log", "Exception-host.py", "KeyError"),
        ("kernel", "Exception-planted", "planted: BUG: KASAN: use-after-free"),
      ], 3))
  func found(defect: String, cause: String, words: String) throws {
    let arguments = ["--attacks", "40", "--out", "findings"]
    let result = try fuzz(broken(defect), "client has at least 1 links", arguments)
    equal(result.status, 1, "\(result.output)\(result.errors)")
    let line = result.output.split(separator: "\n").first { $0.hasPrefix("finding \(cause)") }
    let name = try required(line?.split(separator: " ").dropFirst().first?.dropLast(), "\(result.output)")
    expect(result.output.contains(words))
    let files = try folder.files(in: "findings/\(name)")
    expect(Set(files).isSuperset(of: ["input.json", "finding.txt", "program.log", "air.pcapng", "client.btsnoop"]))
    try expect(!folder.files(in: "findings").contains("session.json"))
    try expect(folder.read("findings/index.html").contains("<a href=\"\(name)/air.pcapng\">"))
    try expect(folder.read("findings/junit.xml").contains("<testcase name=\"\(name)\""))
    try expect(folder.read("findings/result.json").contains("\"unit\": \"attacks\""))
    let input = try folder.read("findings/\(name)/input.json")
    // One stroke with an opcode that is in no table.
    equal(input.components(separatedBy: "\"manner\"").count, 2, "\(input)")
    let again = try fuzz(
      broken(defect), "client has at least 1 links", ["--input", "findings/\(name)/input.json"])
    expect(again.status == 1 && again.output.contains("finding \(name)"), "\(again.output)\(again.errors)")
    // Whoever has no such defect is not blamed for the same attack.
    let sound = try fuzz(broken("none"), "client has at least 1 links", ["--input", "findings/\(name)/input.json"])
    equal(sound.status, 0, "\(sound.output)\(sound.errors)")
  }

  @Test("The attacks of a session that ends babbench too are there afterwards, with the newest one")
  func recorded() throws {
    let arguments = ["--attacks", "40", "--out", "findings"]
    let result = try fuzz("exec " + broken("kill"), "client has at least 1 links", arguments)
    expect(result.status != 0 && result.status != 1, "\(result.output)\(result.errors)")
    let again = try fuzz(broken("exit"), "client has at least 1 links", ["--input", "findings/session.json"])
    expect(again.status == 1 && again.output.contains("KeyError"), "\(again.output)\(again.errors)")
  }

  @Test(
    "Killed in the middle, it goes on after the last whole session, and keeps what was sent in the one after it",
    .proof)
  func resumed() throws {
    let words = ["--attacks", "20", "--trials", "0", "--out", "findings", "--sessions"]
    let state = "client has at least 1 links"
    let talk = try Executable.start(arguments(broken("log"), state, words + ["1000"]), folder: folder.path)
    let limit = Date() + 120
    while Date() < limit, try wholeSessions() < 2 { usleep(10_000) }
    kill(talk.process.processIdentifier, SIGKILL)
    talk.process.waitUntilExit()
    let (done, last) = (try wholeSessions(), try folder.read("findings/session.json"))
    let result = try fuzz(broken("log"), state, words + ["\(done + 2)", "--resume"])
    equal(result.status, 1, "\(result.output)\(result.errors)")
    try equal(folder.read("findings/unfinished-\(done + 1).json"), last)
    expect(result.output.contains("\(done + 2) sessions, \(20 * (done + 2)) attacks"), "\(result.output)")
    expect(result.output.contains("first in session 1\n"))
    let other = try fuzz(broken("exit"), state, words + ["9", "--resume"])
    expect(other.status == 64 && other.errors.contains("the state of another campaign"), "\(other.errors)")
  }

  /// As the state of the campaign says.
  private func wholeSessions() throws -> Int {
    guard let text = try? folder.read("findings/state.json") else { return 0 }
    return try required(text.firstMatch(of: /"rounds":(\d+)/).flatMap { Int($0.1) })
  }

  @Test("Attacks are made of the units of a file too")
  func units() throws {
    let unit = "16 0300 0000 # no host expects this\n  deadbeef\n"
    try folder.write(String(repeating: unit, count: 64), to: "own.units")
    let arguments = ["--attacks", "60", "--out", "findings", "--trials", "0"]
    let result = try fuzz(broken("unit"), "client has at least 1 links", arguments + ["--units", "own.units"])
    equal(result.status, 1, "\(result.output)\(result.errors)")
    expect(result.output.contains("--units own.units"))
    let without = try fuzz(broken("unit"), "client has at least 1 links", arguments)
    equal(without.status, 0, "\(without.output)\(without.errors)")
  }

  @Test("A controller is hostile to its host")
  func hostileController() throws {
    let result = try Executable.run(
      [
        "fuzz", "port", "two.yaml", "--port", "host=h4:tcp:0", "--program", broken("none"), "--when",
        "client has at least 1 links", "--from", "host", "--seam", "hci", "--attacks", "30", "--pause", "20ms",
      ], folder: folder.path)
    expect(result.status == 0 || result.status == 1, "\(result.output)\(result.errors)")
    expect(result.output.contains("the controller of host is hostile at the seam hci"))
  }

  @Test(
    "What cannot be attacked is said in one line",
    arguments: [
      ("exit 3", "client has at least 1 links", ["--seam", "att"], Int32(2), "the program ended without an attack"),
      ("true", "client has no-such-thing", [], 64, "--when:1:"),
      ("true", "client has at least 1 links", ["--seam", "hci"], 64, "with --seam hci a controller is hostile"),
      ("true", "client has at least 1 links", ["--seam", "hcj"], 64, "no seam is called “hcj”"),
      (
        "true", "client has at least 1 links", ["--units", "two.yaml"], 64,
        "two.yaml:1: octets are hexadecimal digits in pairs"
      ),
      (
        "true", "client has at least 1 links", ["--units", "none.units"], 64, "none.units: the file cannot be read"
      ),
      ("true", "client has at least 1 links", ["--input", "none.json"], 64, "none.json: the file cannot be read"),
    ] as [(String, String, [String], Int32, String)])
  func refused(program: String, state: String, arguments: [String], code: Int32, text: String) throws {
    let result = try fuzz(program, state, arguments)
    equal(result.status, code, "\(result.output)\(result.errors)")
    expect(result.errors.contains(text), "\(result.errors)")
  }
}
