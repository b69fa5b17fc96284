import CaptureFormats
import Expectations
import Foundation
import HCIPorts
import Testing

@testable import CaptureCheck
@testable import Commands

/// `babbench capture` and `babbench adapters` as a shell sees them. Real sockets are the virtual machine's business
/// (Tests/VM); here packets come on standard input.
@Suite("Live captures of the executable", .shippedEdition, .serialized)
struct CaptureExecutableTests {
  /// An Android phone's log, and its packets as INDEX.tsv counts them.
  private static let phone = Repository.shared + "/captures/04-csacca-btsnoop_hci.log"
  private static let phonePackets = 2_572

  private static let isPhoneThere: Bool = {
    if FileManager.default.fileExists(atPath: phone) { return true }
    print("SKIPPED: no shared captures (set BABBENCH_SHARED); nothing is fed to babbench capture")
    return false
  }()

  private func read(_ path: String) throws -> (records: [CaptureRecord], ending: CaptureEnding) {
    var reader = CaptureReader()
    reader.append([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    var records: [CaptureRecord] = []
    while let record = try reader.next() { records.append(record) }
    return (records, reader.ending)
  }

  private func capture(
    _ arguments: [String], _ folder: TemporaryFolder, input: Data
  ) throws -> (status: Int32, output: String, errors: String) {
    let talk = try Executable.start(["capture", "--interface", "-"] + arguments, folder: folder.path)
    // A refusal may come before the end of the input.
    signal(SIGPIPE, SIG_IGN)
    try? talk.input.write(contentsOf: input)
    try talk.input.close()
    let output = String(decoding: talk.readToEnd(), as: UTF8.self)
    let errors = String(decoding: talk.errors.readDataToEndOfFile(), as: UTF8.self)
    talk.process.waitUntilExit()
    return (talk.process.terminationStatus, output, errors)
  }

  @Test("What comes on standard input is in the file, in numbers and octets", .enabled(if: isPhoneThere))
  func standardInput() throws {
    let folder = try TemporaryFolder()
    let result = try capture(
      ["-w", "trace.pcapng"], folder, input: try Data(contentsOf: URL(fileURLWithPath: Self.phone)))
    equal(result.status, 0, "\(result.errors)")
    expect(result.errors.isEmpty)
    expect(result.output.hasPrefix("capturing standard input into trace.pcapng (pcapng)\n"))
    expect(result.output.hasSuffix("captured 2572, written 2572, drops are not counted here\n"))
    expect(!result.output.contains("\u{1B}"))
    let written = try read(folder.path + "/trace.pcapng").records
    let original = try read(Self.phone).records
    equal(written.count, Self.phonePackets)
    equal(written.map(\.h4Octets), original.map(\.h4Octets))
    equal(written.map(\.nanoseconds), original.map(\.nanoseconds))
  }

  @Test(
    "Interrupted or killed in the middle, the file is whole",
    .enabled(if: isPhoneThere), arguments: [SIGINT, SIGTERM, SIGKILL])
  func ended(signal number: Int32) throws {
    let folder = try TemporaryFolder()
    let octets = try Data(contentsOf: URL(fileURLWithPath: Self.phone))
    let talk = try Executable.start(
      ["capture", "--interface", "-", "-w", "trace.pcap", "--limit", "300 packets"], folder: folder.path)
    defer { if talk.process.isRunning { kill(talk.process.processIdentifier, SIGKILL) } }
    try talk.input.write(contentsOf: octets.prefix(60_000))
    var reader = CaptureReader()
    reader.append([UInt8](octets.prefix(60_000)))
    var expected = 0
    while try reader.next() != nil { expected += 1 }
    expect(expected > 600)
    func count() throws -> Int {
      try folder.files().map { name in
        let file = try read(folder.path + "/" + name)
        equal(file.ending, .whole)
        return file.records.count
      }.reduce(0, +)
    }
    if number == SIGKILL {
      // Its last words are in the files, so wait until it has nothing more to say.
      for _ in 0..<300 where try count() < expected { usleep(100_000) }
    }
    kill(talk.process.processIdentifier, number)
    let output = String(decoding: talk.readToEnd(), as: UTF8.self)
    talk.process.waitUntilExit()
    equal(talk.process.terminationStatus, (number == SIGKILL ? SIGKILL : 0))
    if number != SIGKILL { expect(output.contains("captured \(expected), written \(expected),")) }
    try equal(count(), expected)
    try equal(folder.files().count, (expected + 299) / 300)
  }

  @Test("Judged as it comes: findings at once, and the exit code is the verdict's")
  func verdicts() throws {
    let folder = try TemporaryFolder()
    func octets(_ packets: [(opcode: UInt8, octets: [UInt8])]) throws -> Data {
      var writer = CaptureWriter(format: .btsnoop, application: "a test")
      var file: [UInt8] = []
      for (index, packet) in packets.enumerated() {
        let record = CaptureRecord(
          number: index + 1, linkType: 254, nanoseconds: 1_700_000_000_000_000_000 + Int64(index) * 50_000_000,
          originalLength: 4 + packet.octets.count, drops: 0, octets: [0, 0, 0, packet.opcode] + packet.octets)
        try writer.append(record, to: &file)
      }
      writer.finish(into: &file)
      return Data(file)
    }
    // LE Read Buffer Size and its answer: 8 buffers of 251 octets.
    let start: [(UInt8, [UInt8])] = [
      (2, [0x02, 0x20, 0]), (3, [0x0E, 7, 1, 0x02, 0x20, 0, 0xFB, 0, 8]),
    ]
    let connection: (UInt8, [UInt8]) = (
      3, [0x3E, 19, 1, 0, 0x40, 0, 0, 0, 1, 2, 3, 4, 5, 6, 24, 0, 0, 0, 200, 0, 0]
    )
    let request: (UInt8, [UInt8]) = (4, [0x40, 0, 7, 0, 3, 0, 4, 0, 0x0A, 0x03, 0x00])
    let response: (UInt8, [UInt8]) = (5, [0x40, 0x20, 6, 0, 2, 0, 4, 0, 0x0B, 0x41])
    let good = try capture(["--check"], folder, input: try octets(start + start + [connection, request, response]))
    equal(good.status, 0, "\(good.output)\(good.errors)")
    expect(good.output.hasSuffix("verdict pass\n"))
    // A second request before the first is answered (Core v5.4, Vol 3, Part F, 3.3.2).
    let bad = try capture(
      ["--check"], folder, input: try octets(start + start + [connection, request, request, response, response]))
    equal(bad.status, 1, "\(bad.output)\(bad.errors)")
    expect(bad.output.contains("\nfail RequestsGoOneByOne at 0.300000 s, - packet 7, link 0: "))
    expect(bad.output.hasSuffix("verdict fail\n"))
    let nothing = try capture(["--check"], folder, input: try octets([]))
    equal(nothing.status, 2)
  }

  @Test("What is no capture is 64; a disk that is full is 3, with one line")
  func failures() throws {
    let folder = try TemporaryFolder()
    let text = try capture([], folder, input: Data("this is a text\n".utf8))
    equal(text.status, 64)
    equal(text.errors.split(separator: "\n").count, 1)
    expect(text.errors.hasPrefix("error: -: standard input is no capture"))
    if FileManager.default.fileExists(atPath: "/dev/full") {
      let full = try capture(["-w", "/dev/full", "--format", "pcap"], folder, input: Data())
      equal(full.status, 3)
      expect(full.errors.hasPrefix("error: /dev/full: cannot be written: No space left on device"))
      equal(full.errors.split(separator: "\n").count, 1)
    }
    let nowhere = try capture(["-w", "no/such/x.pcap"], folder, input: Data())
    equal(nowhere.status, 3)
    equal(nowhere.errors, "error: no/such/x.pcap: cannot be opened: No such file or directory\n")
  }

  @Test(
    "A wrong command line is 64 and says what to write",
    arguments: [
      (["--interface", "hci0"], "bluetooth0"), (["--interface", "eth0"], "bluetooth-monitor"),
      (["-w", "trace"], "--format"), (["-w", "x.pcap", "--limit", "ten"], "10MB"), (["--limit", "10MB"], "-w FILE"),
      (["-w", "x.pcap", "--files", "3"], "--limit"), (["-w", "x.pcap", "--limit", "1MB", "--files", "0"], "1 or more"),
      (["--duration", "0s"], "more than 0s"), (["-w", "x", "--format", "snoop"], "btsnoop, pcap, pcapng, pklg"),
      (["--buffer", "10s"], "64MiB"),
    ])
  func usage(arguments: [String], advice: String) throws {
    let result = try Executable.run(["capture"] + arguments)
    equal(result.status, 64)
    expect(result.output.isEmpty)
    expect(result.errors.contains(advice), "\(result.errors)")
  }

  @Test("Packets on standard output, words on standard error", .enabled(if: isPhoneThere))
  func standardOutput() throws {
    let folder = try TemporaryFolder()
    let talk = try Executable.start(["capture", "-i", "-", "-w", "-", "--format", "btsnoop"], folder: folder.path)
    let phone = try Data(contentsOf: URL(fileURLWithPath: Self.phone))
    Thread.detachNewThread { [input = talk.input] in
      try? input.write(contentsOf: phone)
      try? input.close()
    }
    let output = talk.readToEnd()
    let errors = String(decoding: talk.errors.readDataToEndOfFile(), as: UTF8.self)
    talk.process.waitUntilExit()
    equal(output, phone)
    expect(errors.hasSuffix("captured 2572, written 2572, drops are not counted here\n"))
  }

  @Test("A duration ends it")
  func duration() throws {
    let talk = try Executable.start(["capture", "-i", "-", "--duration", "200ms"])
    let output = String(decoding: talk.readToEnd(), as: UTF8.self)
    talk.process.waitUntilExit()
    equal(talk.process.terminationStatus, 0)
    expect(output.hasSuffix("captured 0, drops are not counted here\n"))
    try talk.input.close()
  }

  @Test("Where the kernel knows no Bluetooth, one line says so", .enabled(if: hasNoBluetooth))
  func noBluetooth() throws {
    let adapters = try Executable.run(["adapters"])
    expect(adapters.status == 2 && adapters.output.isEmpty)
    expect(adapters.errors.hasPrefix("no Bluetooth in this kernel: "))
    for interface in ["monitor", "bluetooth-monitor", "bluetooth0"] {
      let result = try Executable.run(["capture", "-i", interface])
      expect(result.status == 3 && result.output.isEmpty)
      expect(result.errors.hasPrefix("error: \(interface): no Bluetooth in this kernel: "))
      equal(result.errors.split(separator: "\n").count, 1)
    }
  }

  private static let hasNoBluetooth = AdapterSurvey().problems.contains { $0.hasPrefix("no Bluetooth in this kernel") }
}
