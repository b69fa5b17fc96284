import Expectations
import Foundation
import Testing

/// `fuzz parser` with a protocol file: the bench's own decoders of it, and a parser of somebody else that is fed with
/// its packets.
@Suite("Fuzzing with protocol files")
struct ProtocolFuzzTests {
  private static let folder = Repository.path("Examples/protocols")

  @Test("The decoders of each example hold", arguments: ["heart-rate", "glucose", "nordic-uart", "bitchat", "jbd-bms"])
  func decoders(name: String) throws {
    let result = try Executable.run(
      ["fuzz", "parser", "--protocol", "\(name).yaml", "--executions", "20000"], folder: Self.folder)
    expect(result.status == 0 && result.output.contains("ok    \(name)-packet: 20000 executions"), "\(result.output)")
    equal(result.output.contains("\(name)-values"), ["nordic-uart", "jbd-bms"].contains(name), "\(result.output)")
  }

  @Test("A file that is no protocol file is refused")
  func refused() throws {
    let result = try Executable.run(["fuzz", "parser", "--protocol", "README.md"], folder: Self.folder)
    expect(result.status == 64 && result.errors.contains("README.md: no protocol file can be read here"))
  }

  /// RR intervals have two octets each; this parser believes that they are all there.
  private static let parser = """
    import struct
    import sys

    def read(octets):
        if not octets or octets[0] > 31:
            return "no measurement"
        flags, rest = octets[0], octets[1:]
        for bit, size in ((1, 2 if flags & 1 else 1), (8, 2)):
            if bit == 1 or flags & bit:
                if len(rest) < size:
                    return "cut off"
                rest = rest[size:]
        if not flags & 16:
            return "no intervals" if not rest else "too long"
        intervals = [struct.unpack("<H", rest[place:place + 2])[0] for place in range(0, len(rest), 2)]
        return "%d intervals" % len(intervals)

    while True:
        head = sys.stdin.buffer.read(4)
        if len(head) < 4:
            break
        answer = read(sys.stdin.buffer.read(struct.unpack("<I", head)[0]))
        sys.stdout.write(answer + "\\n")
        sys.stdout.flush()
    """

  @Test("A bug in a parser of somebody else is found by the packets of the file, and its line repeats it")
  func planted() throws {
    let folder = try TemporaryFolder()
    try Self.parser.write(toFile: folder.path + "/parser.py", atomically: true, encoding: .utf8)
    let file = Self.folder + "/heart-rate.yaml"
    let arguments = [
      "fuzz", "parser", "--program", "python3 parser.py", "--protocol", file, "--grammar", "heart-rate-packet",
      "--executions", "4000", "--until-found", "--out", "findings",
    ]
    let found = try Executable.run(arguments, folder: folder.path)
    expect(found.status == 1 && found.output.contains("struct.error"), "\(found.output) \(found.errors)")
    expect(found.output.contains("--protocol \(file)"), "\(found.output)")
    let octets = try Executable.run(
      arguments.map { $0 == "heart-rate-packet" ? "heart-rate-pocket" : $0 }, folder: folder.path)
    expect(octets.status == 64 && octets.errors.contains("heart-rate-packet"), "\(octets.errors)")
  }
}
