import ArgumentParser
import Bench
import HCIPorts
import SimKernel

/// What `hci serve` and `play` have in common.
struct LiveOptions: ParsableArguments {
  @Option(help: "Run this seed instead of the scenario's.")
  var seed: UInt64?

  @OptionGroup var overrides: SettingOptions

  @Option(help: ArgumentHelp("End after this much time, for example 30s or 5min.", valueName: "time"))
  var duration: DurationArgument?

  @Option(help: ArgumentHelp("An event that is handled later than this counts as late.", valueName: "time"))
  var lagBound = DurationArgument(value: .milliseconds(5))

  @Option(name: .customLong("out"), help: ArgumentHelp("Write captures and reports to this folder.", valueName: "dir"))
  var out: String?

  @Option(
    help: ArgumentHelp(
      "Record the session in this file. Without it: session.jsonl in the folder of --out, or a new one in the working"
        + " directory.", valueName: "file"), completion: .file())
  var record: String?

  @Option(
    help: ArgumentHelp("Write the lines of all ports into this file once they are open.", valueName: "file"),
    completion: .file())
  var readyFile: String?

  @Option(
    help: ArgumentHelp(
      "Take orders here while the session runs, from babbench hci tell: unix:PATH or tcp:PORT.",
      valueName: "address"),
    transform: { try ControlAddress(parsing: $0) })
  var control: ControlAddress?

  @Option(help: ArgumentHelp("With --control: how many devices may come while the session runs.", valueName: "count"))
  var places = 0

  @Option(
    help: ArgumentHelp(
      "Show the session in a browser while it runs, at this port of 127.0.0.1; 0 takes a free one.", valueName: "port"))
  var page: Int?

  @Flag(help: "With --out: no air.pcapng, btsnoop files and timeline.html. With --control: no live capture.")
  var noCapture = false

  func validate() throws {
    if lagBound.value <= .zero { throw ValidationError("--lag-bound must be more than 0s") }
    if let page, !(0...65_535).contains(page) { throw ValidationError("--page must be 0 to 65535") }
    guard (0...Scenario.maximumPlaces).contains(places) else {
      throw ValidationError("--places must be 0 to \(Scenario.maximumPlaces)")
    }
    if places > 0, control == nil {
      throw ValidationError("--places is for sessions that take orders; write --control unix:/tmp/room too")
    }
    if let duration, duration.value <= .zero { throw ValidationError("--duration must be more than 0s") }
  }
}

/// A duration as in scenario files: `5s`, `300ms`, `1.5min`.
struct DurationArgument: ExpressibleByArgument, Equatable {
  var value: SimDuration

  init(value: SimDuration) { self.value = value }

  init?(argument: String) {
    guard let value = SimDuration(scenarioText: argument) else { return nil }
    self.value = value
  }

  var defaultValueDescription: String {
    value.nanoseconds % 1_000_000_000 == 0
      ? "\(value.nanoseconds / 1_000_000_000)s" : "\(value.nanoseconds / 1_000_000)ms"
  }
}

/// `[DEVICE=]ADDRESS`, with `air:` in place of `h4:` for a program for the air: a port, and the device that it is for.
struct SeatArgument: ExpressibleByArgument, Equatable {
  /// nil: the command knows which one, or asks.
  var device: String?
  var address: PortAddress
  /// A program for the air comes there, not a host.
  var isForAir = false

  init(device: String? = nil, address: PortAddress, isForAir: Bool = false) {
    self.device = device
    self.address = address
    self.isForAir = isForAir
  }

  /// As it was written.
  var text: String { isForAir ? address.airText : address.description }

  init?(argument: String) {
    guard let seat = try? SeatArgument(parsing: argument) else { return nil }
    self = seat
  }

  /// Refuses what is no address with what to write instead.
  init(parsing text: String) throws(PortError) {
    var address = Substring(text)
    if let equals = text.firstIndex(of: "="), text[..<equals].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) {
      device = String(text[..<equals])
      address = text[text.index(after: equals)...]
    }
    if address.hasPrefix("air:") {
      isForAir = true
      address = "h4:" + address.dropFirst(4)
    }
    self.address = try PortAddress(parsing: String(address))
  }
}
