import ArgumentParser
import Bench
import Campaigns
import CaptureCheck
import CaptureFormats
import Conformance
import Foundation
import Judging
import SimKernel

/// `babbench convert`: a capture in another format.
struct ConvertCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write a capture in another format, with the same times and directions.",
    discussion: """
      Reads btsnoop, pcap, pcapng and PacketLogger files, recognised by their content. What a format cannot hold is left
      out, counted and named. The output appears whole or not at all.

      LINK TYPES:
        h4             HCI with the H4 indicator: btsnoop 1002, LINKTYPE 187
        h4-phdr        the same with the direction in front: LINKTYPE 201
        hci            HCI without the indicator: btsnoop 1001
        linux-monitor  HCI with adapter and opcode: btsnoop 2001, LINKTYPE 254
        pklg           PacketLogger's own
        le             PDUs on the air: LINKTYPE 251
        le-phdr        the same with the sniffer's header: LINKTYPE 256
        nordic         the same with Nordic's header, from such a file only: LINKTYPE 272
        ethernet, sll, sll2, raw-ip, null, loop
                       packets of networks, from such a file only: LINKTYPE 1, 113, 276, 101, 0, 108

      EXAMPLES:
        babbench convert btsnoop_hci.log phone.pcapng
        babbench convert sniffer.pcapng air.pcap --link le
        babbench convert phone.pklg - --format btsnoop | btmon -r /dev/stdin
        babbench convert air.pcap plain.pcapng --key passkey=123456

      EXIT CODES:
        0    written, perhaps without some records
        3    the output cannot be written
        64   the input cannot be read, or the format can hold none of it
        130  interrupted; there is no output
      """)

  @Argument(help: ArgumentHelp("The capture to read; - is standard input.", valueName: "input"), completion: .file())
  var input: String

  @Argument(help: ArgumentHelp("The file to write; - is standard output.", valueName: "output"), completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "btsnoop, pcap, pcapng or pklg; default: by the extension of the output.", valueName: "format"),
    transform: { try CaptureFormat(spelling: $0) })
  var format: CaptureFormat?

  @Option(
    help: ArgumentHelp(
      "Link type of the written records; default: their own, or the nearest one that fits.", valueName: "link"),
    transform: { try CaptureLink(spelling: $0) })
  var link: CaptureLink?

  @Flag(help: "In pcap, count microseconds instead of nanoseconds, for very old readers.")
  var microseconds = false

  @Flag(help: "Write PDUs on the air in plain where the capture itself gives the key, as le-phdr that says so.")
  var decrypt = false

  @Option(parsing: .singleValue, help: KeyWords.help)
  var key: [String] = []

  func validate() throws {
    guard let format = try? formatOfOutput() else { return _ = try formatOfOutput() }
    if let link, !link.fits(format) {
      let fitting = CaptureLink.known.filter { $0.fits(format) }.map(\.name).joined(separator: ", ")
      throw ValidationError("\(format.rawValue) cannot hold \(link.name); write --link with one of \(fitting)")
    }
    if decrypt || !key.isEmpty, let link, link != .leLinkLayerWithHeader {
      throw ValidationError("\(link.name) cannot say that a PDU was decrypted; write --link le-phdr")
    }
    if microseconds, format != .pcap { throw ValidationError("--microseconds is for pcap, not \(format.rawValue)") }
  }

  private func formatOfOutput() throws -> CaptureFormat {
    if let format = format ?? CaptureFormat(fileName: output) { return format }
    throw ValidationError(
      "\(output): which format? Name it *.btsnoop, *.pcap, *.pcapng or *.pklg, or write --format")
  }

  func takeSignals() { Interruption.install(endsWaits: true) }

  func execute(for streams: OutputStreams) -> Int32 {
    do {
      var conversion = Conversion(input: input, output: output, format: try formatOfOutput(), link: link)
      conversion.countsMicroseconds = microseconds
      if decrypt || !key.isEmpty { conversion.keys = try KeyWords.keys(key) }
      conversion.shouldStop = { records in
        if let records, Console.showsProgress { Console.progress("\(records) records") }
        return Interruption.isRequested
      }
      defer { Console.endProgress() }
      let result = try conversion.run()
      Console.endProgress()
      for remark in result.remarks { streams.complain("note: \(remark)") }
      // Standard output may be the capture itself.
      if output == "-" { streams.complain("\(result)") } else { streams.tell("\(result)") }
      if result.read > 0 { return Judging.ExitCode.pass.rawValue }
      streams.complain("error: \(input): there is no record in it, so nothing was converted")
      return Judging.ExitCode.inconclusive.rawValue
    } catch is Conversion.Interrupted {
      streams.complain("note: interrupted")
      return Interruption.exitCode
    } catch {
      streams.complain("error: \(error)")
      let isUsage = error is CaptureRefusal || error is UsageProblem
      return (isUsage ? Judging.ExitCode.usage : .benchError).rawValue
    }
  }
}

/// One capture on its way into another format.
struct Conversion {
  struct Interrupted: Error {}

  /// What became of it.
  struct Result: CustomStringConvertible {
    var output: String
    var format: CaptureFormat
    var written = 0
    var read = 0
    /// One line each.
    var remarks: [String] = []

    var description: String {
      "\(output == "-" ? "standard output" : output): "
        + (written == read ? "\(written)" : "\(written) of \(read)") + " records as \(format.rawValue)"
    }
  }

  /// Records that were left out for the same reason.
  private struct Omission {
    var reason: String
    var count = 0
    var first: Int
  }

  private static let pieceOctets = 1 << 16
  /// More reasons than these are only counted.
  private static let reasons = 16

  var input: String
  var output: String
  var format: CaptureFormat
  var link: CaptureLink?
  var countsMicroseconds = false
  /// For what is encrypted on the air, beside what the capture gives away; nil: nothing is decrypted.
  var keys: [CaptureKey]?
  /// Asked from time to time with the number of records so far, and with nil when a signal ends a wait for input.
  var shouldStop: (Int?) -> Bool = { _ in false }

  /// - Throws: `CaptureRefusal` for the input, `WholeFileError` for the output, `Interrupted`.
  func run() throws -> Result {
    let file: CaptureFile
    do { file = try CaptureFile(path: input, shouldStop: { shouldStop(nil) }) } catch {
      throw CaptureRefusal(error, path: input, format: nil)
    }
    func next() throws -> CaptureRecord? {
      do { return try file.next() } catch is CaptureFile.Stopped {
        throw Interrupted()
      } catch { throw CaptureRefusal(error, path: name, format: file.format) }
    }
    let decryption = keys.map { CaptureDecryption($0) }
    var record = try next()
    var link = link
    if decryption != nil, case .air? = record?.body { link = .leLinkLayerWithHeader }
    let sink: any OctetSink = output == "-" ? StandardOutputSink() : try FileSink(path: output)
    var writer = CaptureWriter(
      format: format, link: link ?? (record == nil ? file.link : nil), application: "babbench \(BenchVersion.current)")
    writer.sectionComments = file.sectionComments
    writer.countsMicroseconds = countsMicroseconds
    var result = Result(output: output, format: format)
    var omissions: [Omission] = []
    var buffer: [UInt8] = []
    while let present = record {
      result.read += 1
      do {
        try writer.append(decryption?.read(present) ?? present, to: &buffer)
        result.written += 1
      } catch {
        note(error, present.number, &omissions)
      }
      if buffer.count >= Self.pieceOctets {
        try sink.write(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
      if result.read & 0xFFFF == 0, shouldStop(result.read) { throw Interrupted() }
      record = try next()
    }
    if result.read > 0, result.written == 0, let first = omissions.first {
      throw CaptureRefusal(
        path: name, reason: "none of its \(result.read) records fits \(format.rawValue): \(first.reason)")
    }
    writer.finish(into: &buffer)
    try sink.write(buffer)
    try sink.close()
    result.remarks = omissions.map {
      "\(name): \(CountedNoun.text($0.count, "record")) left out, the first is packet \($0.first): \($0.reason)"
    }
    if let displaced = writer.displaced {
      result.remarks.append(
        "\(name): \(CountedNoun.text(displaced.count, "record")) with a time \(displaced.reason), which \(format.rawValue)"
          + " cannot hold, got the nearest one that it can; the first is packet \(displaced.first)")
    }
    result.remarks += decryption?.notes.map { "\(name): \($0)" } ?? []
    if case .truncated(let offset) = file.ending {
      result.remarks.append("\(name): truncated inside the record at octet \(offset); the records before it are whole")
    }
    return result
  }

  private var name: String { input == "-" ? "standard input" : input }

  private func note(_ error: CaptureWriter.Mismatch, _ number: Int, _ omissions: inout [Omission]) {
    var reason = error.description
    if omissions.count == Self.reasons, !omissions.contains(where: { $0.reason == reason }) { reason = "other reasons" }
    if let index = omissions.firstIndex(where: { $0.reason == reason }) {
      omissions[index].count += 1
    } else {
      omissions.append(Omission(reason: reason, count: 1, first: number))
    }
  }
}

/// Standard output as a sink.
private final class StandardOutputSink: OctetSink {
  func write(_ octets: [UInt8]) throws {
    guard WholeWrite.write(octets, to: STDOUT_FILENO) else {
      throw BenchFailure("standard output cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  func close() {}
}

extension CaptureLink {
  /// As `--link` takes it.
  init(spelling: String) throws {
    guard let link = Self.known.first(where: { $0.name == spelling }) else {
      let names = Self.known.map(\.name)
      throw ValidationError(
        "no link type is called “\(spelling)”; " + Suggestion.advice(for: spelling, in: names, within: 2))
    }
    self = link
  }
}
