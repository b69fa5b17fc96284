import ArgumentParser
import Campaigns
import Conformance
import Foundation
import HCIPorts
import Judging

/// `babbench extcap`: a running session as an interface of Wireshark, by the conventions of extcap(4).
struct ExtcapCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "extcap",
    abstract: "Capture a running session live in Wireshark (extcap).",
    discussion: """
      Wireshark calls this. Put a file into its folder of extcap programs (“Help > About > Folders”), executable:

        #!/bin/sh
        exec babbench extcap "$@"

      Then its list of interfaces has “babbench room: air” and “babbench room: HCI”; their options ask where the \
      session takes orders (--control). By hand:

      EXAMPLES:
        babbench hci serve guest-lobby --port guest=h4:tcp:9001 --control unix:/tmp/room
        babbench extcap --capture --extcap-interface babbench-air --room unix:/tmp/room --fifo air.pcapng
        babbench extcap --capture --extcap-interface babbench-hci --room unix:/tmp/room --fifo - | tshark -r -

      It ends with the session, with SIGINT or SIGTERM, or when nobody reads any more.
      """)

  @Flag(help: "List the interfaces.")
  var extcapInterfaces = false

  @Option(help: "The version of Wireshark that asks; it makes no difference.")
  var extcapVersion: String?

  @Flag(help: "List the link types of an interface.")
  var extcapDlts = false

  @Flag(help: "List the options of an interface.")
  var extcapConfig = false

  @Option(help: ArgumentHelp("Which interface: babbench-air or babbench-hci.", valueName: "name"))
  var extcapInterface: String?

  @Option(help: "A filter of libpcap; there is none for these link types.")
  var extcapCaptureFilter: String?

  @Flag(help: "Capture.")
  var capture = false

  @Option(help: ArgumentHelp("Where the capture goes, as pcapng; - is standard output.", valueName: "file"))
  var fifo: String?

  @Option(
    help: ArgumentHelp("Where the session takes orders: unix:PATH or tcp:PORT.", valueName: "address"),
    transform: { try ControlAddress(parsing: $0) })
  var room: ControlAddress?

  private static let prefix = "babbench-"

  private func source() throws -> LiveCaptureReader.Source {
    guard let name = extcapInterface else {
      throw ValidationError("which interface? write --extcap-interface babbench-air or babbench-hci")
    }
    guard name.hasPrefix(Self.prefix), let source = LiveCaptureReader.Source(rawValue: String(name.dropFirst(9)))
    else { throw ValidationError("there is no interface “\(name)”; write babbench-air or babbench-hci") }
    return source
  }

  func validate() throws {
    if extcapVersion?.isEmpty == true { throw ValidationError("--extcap-version is that of Wireshark, such as 4.2") }
    if extcapInterfaces { return }
    guard extcapDlts || extcapConfig || capture || extcapCaptureFilter != nil else {
      throw ValidationError("what of? write --extcap-interfaces, --extcap-dlts, --extcap-config or --capture")
    }
    _ = try source()
    guard capture else { return }
    if fifo == nil { throw ValidationError("where does the capture go? write --fifo FILE") }
    if room == nil { throw ValidationError("which session? write --room with the address of its --control") }
  }

  func execute(for streams: OutputStreams) -> Int32 {
    if extcapInterfaces {
      streams.tell(Self.interfaces)
      return 0
    }
    guard let source = try? source() else { return Judging.ExitCode.usage.rawValue }
    if extcapDlts {
      streams.tell(Self.linkTypes(source))
      return 0
    }
    if extcapConfig {
      streams.tell(Self.options)
      return 0
    }
    guard capture, let fifo, let room else { return 0 }
    return stream(source, room, fifo, streams)
  }

  static let interfaces = """
    extcap {version=\(BenchVersion.current)}{help=https://www.wireshark.org/docs/man-pages/extcap.html}
    interface {value=babbench-air}{display=babbench room: air}
    interface {value=babbench-hci}{display=babbench room: HCI}
    """

  static func linkTypes(_ source: LiveCaptureReader.Source) -> String {
    switch source {
    case .air: "dlt {number=256}{name=BLUETOOTH_LE_LL_WITH_PHDR}{display=Bluetooth Low Energy Link Layer}"
    case .hci: "dlt {number=201}{name=BLUETOOTH_HCI_H4_WITH_PHDR}{display=Bluetooth HCI UART transport layer}"
    }
  }

  static let options =
    "arg {number=0}{call=--room}{display=Session}{type=string}{required=true}"
    + "{tooltip=Where it takes orders: unix:PATH or tcp:PORT, as its --control says}{placeholder=unix:/tmp/room}"

  private func stream(
    _ source: LiveCaptureReader.Source, _ room: ControlAddress, _ fifo: String, _ streams: OutputStreams
  ) -> Int32 {
    // Who does not read any more must not end this with a signal.
    signal(SIGPIPE, SIG_IGN)
    let descriptor = fifo == "-" ? dup(1) : open(fifo, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      streams.complain("error: \(fifo) cannot be opened: \(String(cString: strerror(errno)))")
      return Judging.ExitCode.usage.rawValue
    }
    defer { close(descriptor) }
    do throws(PortError) {
      try ControlStream.follow("capture \(source.rawValue)", at: room) { WholeWrite.write($0, to: descriptor) }
      return 0
    } catch {
      return streams.refuse(error)
    }
  }
}
