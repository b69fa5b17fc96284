import ArgumentParser
import Bench
import Campaigns
import CaptureCheck
import CaptureFormats
import Conformance
import Foundation
import Judging
import SimKernel

/// `babbench inspect`: prints what captures hold, packet by packet.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Print the packets of captures, decoded down to the app's packet.",
    discussion: """
      One line per packet: its number as Wireshark counts, seconds since the first packet, direction (out of and into
      the host, or C→P and P→C on the air), link, and its highest layer. Filters combine: all of them must match.

      EXAMPLES:
        babbench inspect btsnoop_hci.log
        babbench inspect btsnoop_hci.log --link 3 --opcode ATT_HANDLE_VALUE_NTF
        babbench inspect air.pcapng --protocol \(Examples.app) --layers \(Examples.app)
        babbench inspect btsnoop_hci.log --exchange 1234 --verbose
        babbench inspect host.btsnoop --from 12.3 --to 12.4 --verbose
      """)

  @Argument(help: ArgumentHelp("Captures of one session; - is standard input.", valueName: "capture"))
  var captures: [String]

  @Option(help: ArgumentHelp("Only packets from or to this address, such as F0:F1:F2:F3:F4:A0.", valueName: "address"))
  var device: String?

  @Option(help: ArgumentHelp("Only packets of the link with this number, as check lists them.", valueName: "number"))
  var link: Int?

  @Option(help: ArgumentHelp("Only ATT PDUs about this attribute handle, such as 0x0012 or 18.", valueName: "handle"))
  var handle: String?

  @Option(
    help: ArgumentHelp(
      "Only packets with this opcode: 0x1b, ATT_HANDLE_VALUE_NTF, HCI_LE_Set_Scan_Enable, LL_FEATURE_REQ …",
      valueName: "number|name"))
  var opcode: String?

  @Option(
    help: ArgumentHelp(
      "Only the exchange that the packet with this number is part of: request, answer, and what came between.",
      valueName: "packet"))
  var exchange: Int?

  @Option(help: ArgumentHelp("Only packets from this time on, in seconds since the first one.", valueName: "time"))
  var from: String?

  @Option(help: ArgumentHelp("Only packets up to this time.", valueName: "time"))
  var to: String?

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("Look for this app's packets; default: for those of every known app.", valueName: "name"))
  var protocolName: String?

  @Option(help: ArgumentHelp("Stop after this many packets.", valueName: "count"))
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "Only these layers, comma-separated: hci, ll, l2cap, att, ip, tcp, udp, dns, \(Examples.app), note.",
      valueName: "names")
  )
  var layers: String?

  @Flag(name: .shortAndLong, help: "Print all fields of every layer, indented.")
  var verbose = false

  @Option(parsing: .singleValue, help: ClockWords.help)
  var clock: [String] = []

  @Option(parsing: .singleValue, help: KeyWords.help)
  var key: [String] = []

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
  }

  func run() throws {
    // There is nothing to complete: lines are written as they come.
    Interruption.install(untilWork: true)
    signal(SIGPIPE, SIG_IGN)
    throw ArgumentParser.ExitCode(
      execute(complain: { Console.complain($0) }, write: { Console.resultOrEnd(octets: $0) }))
  }

  /// Everything but the parsing and the exit.
  /// - Parameter write: takes UTF-8; false when nobody reads any more.
  func execute(complain: (String) -> Void, write: ([UInt8]) -> Bool) -> Int32 {
    do {
      var filter = try filter()
      if let exchange { filter.exchange = try find(exchange, complain) }
      var style = PacketInspector.Style()
      style.isVerbose = verbose
      style.layers = try layers.map(Self.layers)
      style.isColoured = Paint.standardOutput.isOn
      style.files = captures.count > 1 ? CheckText.shortNames(captures) : []
      let protocols = try protocolName.map { [try TrafficProtocolNames.named($0)] } ?? protocols.traffic
      let clocks = try ClockWords.clocks(clock, captures)
      let keys = try KeyWords.keys(key)
      let merged = try MergedCaptures(aligning: captures, given: clocks, keys: keys)
      let inspector = PacketInspector(filter: filter, style: style, protocols: protocols, of: merged)
      let shown = try print(merged, inspector, write)
      if !key.isEmpty { for note in inspector.notes(on: merged) { complain("note: \(note)") } }
      guard shown == 0 else { return Judging.ExitCode.pass.rawValue }
      let records = merged.captures.map(\.records).reduce(0, +)
      let reason = records == 0 ? "there is no packet" : "none of \(records) packets is as asked for"
      complain("note: nothing to show: \(reason)")
      return Judging.ExitCode.inconclusive.rawValue
    } catch let error as CaptureRefusal {
      complain("error: \(error)")
    } catch {
      complain("error: \(error)")
    }
    return Judging.ExitCode.usage.rawValue
  }

  /// Lines go out in larger pieces, but none waits for long.
  /// - Returns: how many packets were shown.
  private func print(
    _ merged: MergedCaptures, _ inspector: PacketInspector, _ write: ([UInt8]) -> Bool
  ) throws -> Int {
    // The option's wrapper is asked once.
    let limit = limit
    var text = PacketText()
    var shown = 0
    var count = 0
    defer { Console.endProgress() }
    do {
      while limit.map({ shown < $0 }) ?? true, let record = try merged.next() {
        if inspector.append(record, file: merged.file, at: merged.instant, to: &text) { shown += 1 }
        count += 1
        // Lines on a terminal are progress enough.
        if count & 0xFFFF == 0, isatty(STDOUT_FILENO) == 0 {
          Console.progress("\(CountedNoun.text(count, "record")), \(shown) shown")
        }
        if text.octets.count > 1 << 14 || count & 0xFFF == 0 {
          if !text.octets.isEmpty, !write(text.octets) { return shown }
          text.clear()
        }
      }
    } catch {
      _ = write(text.octets)
      throw error
    }
    if !text.octets.isEmpty { _ = write(text.octets) }
    return shown
  }

  /// Reads the capture once to know where the exchange ends.
  private func find(_ number: Int, _ complain: (String) -> Void) throws -> InspectExchange {
    guard captures.count == 1, let path = captures.first, path != "-" else {
      throw UsageProblem("--exchange takes one capture, which is read twice")
    }
    let finder = ExchangeFinder(packet: number)
    let merged = try MergedCaptures(paths: captures, keys: KeyWords.keys(key))
    while let record = try merged.next(), finder.read(record, at: merged.instant) {}
    guard let exchange = finder.exchange else {
      throw UsageProblem("--exchange: packet \(number) of \(path) is part of no exchange")
    }
    if !exchange.isAnswered { complain("error: nothing in the capture answers packet \(number)") }
    return exchange
  }

  // MARK: Options

  private func filter() throws -> InspectFilter {
    var filter = InspectFilter()
    filter.link = link
    if let device {
      guard let bits = InspectFilter.address(device) else {
        throw UsageProblem("--device takes an address such as F0:F1:F2:F3:F4:A0, not '\(device)'")
      }
      filter.device = bits
    }
    if let handle {
      guard let number = InspectFilter.number(handle), number <= 0xFFFF else {
        throw UsageProblem("--handle takes 0x0001 to 0xFFFF, not '\(handle)'")
      }
      filter.handle = UInt16(number)
    }
    if let opcode {
      guard let code = InspectFilter.code(opcode) else { throw Self.unknown(opcode) }
      filter.code = code
    }
    filter.from = try from.map { try Self.instant($0, "--from") }
    filter.to = try to.map { try Self.instant($0, "--to") }
    return filter
  }

  private static func unknown(_ opcode: String) -> UsageProblem {
    let names = InspectFilter.names
    let near = Suggestion.nearest(to: opcode.uppercased(), in: names.map { $0.uppercased() }, within: 2)
    let parts = names.filter { $0.uppercased().contains(opcode.uppercased()) }
    let hint =
      if let name = near.flatMap({ near in names.first { $0.uppercased() == near } }) {
        "; did you mean “\(name)”?"
      } else if !opcode.isEmpty, !parts.isEmpty {
        "; did you mean one of \(parts.prefix(6).joined(separator: ", "))\(parts.count > 6 ? " …" : "")?"
      } else {
        "; it takes a number, or a name as the specification writes it, such as ATT_HANDLE_VALUE_NTF"
      }
    return UsageProblem("--opcode: no opcode is called “\(opcode)”\(hint)")
  }

  private static func instant(_ text: String, _ option: String) throws -> SimInstant {
    guard let instant = InspectFilter.instant(text) else {
      throw UsageProblem("\(option) takes seconds such as 12.345, not '\(text)'")
    }
    return instant
  }

  private static func layers(_ text: String) throws -> [InspectLayer] {
    try text.split(separator: ",").map { word in
      let all = InspectLayer.all(protocols.traffic)
      guard let layer = all.first(where: { $0.name == word }) else {
        let names = all.map(\.name)
        throw UsageProblem("--layers: no layer is called “\(word)”; " + Suggestion.advice(for: String(word), in: names))
      }
      return layer
    }
  }
}
