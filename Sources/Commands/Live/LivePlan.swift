import Bench
import Campaigns
import Conformance
import HCIPorts
import SimKernel
import VirtualRadio

/// Everything that `hci serve` and `play` were asked for, read and checked.
struct LivePlan {
  var header: SessionRecording.Header
  var scenario: Scenario
  var ports: [PortConfiguration]
  var begin: TimeBegin
  var options: LiveOptions
  var clock = LiveClock.wall
  /// In lockstep: after how much silence a host that cannot say what it waits for is taken to wait.
  var settle: SimDuration?
  /// In lockstep: the session ends with its last host.
  var endsWithHosts = false
  /// The scenario is one that the command made up: it has no end of its own, and expects nothing.
  var isOpenEnded: Bool

  /// A scenario as it was named on the command line, or made up.
  struct Source {
    /// How messages call it.
    var file: String
    var octets: [UInt8]
    var isMadeUp = false

    init(argument: String) throws {
      file = try ScenarioLibrary.shipped.path(of: argument)
      octets = try ScenarioFile.octets(of: file, kind: .scenario).get()
    }

    init(madeUp text: String, name: String) {
      file = name
      octets = Array(text.utf8)
      isMadeUp = true
    }
  }

  /// A device and its port.
  struct Choice {
    var device: Int
    var address: PortAddress
    var isForAir = false
  }

  /// - Parameter seats: which device has which port; never empty.
  /// - Throws: `ScenarioProblems`, `PortError`, `LiveSession.Refusal`.
  init(
    _ source: Source, seats: (Scenario) throws -> [Choice],
    partner: PortConfiguration.Partner, begin: TimeBegin, options: LiveOptions
  ) throws {
    let named = ProfileCollector(.besides(source.file))
    scenario = try ScenarioReader.read(
      octets: source.octets, file: source.file, language: .shipped,
      overrides: options.overrides.settings.compactMap { ScenarioOverride($0) }, profiles: named.source,
      programs: .refusing(
        "a session in real time starts no programs, which may take longer for an answer; write “engine:”")
    ).get()
    let names = Scenario.placeNames(options.places)
    if let taken = scenario.devices.first(where: { names.contains($0.name) }) {
      throw PortError("--places: a device of the scenario is called \(taken.name), as a place would be; rename it")
    }
    let chosen = try seats(scenario)
    scenario.keepPlaces(options.places)
    let scenario = scenario
    ports = chosen.map { seat in
      PortConfiguration(
        device: seat.device, name: scenario.devices[seat.device].name, partner: seat.isForAir ? .linkLayer : partner,
        address: seat.address)
    }
    for port in ports {
      try port.validate()
      if port.partner == .linkLayer, partner != .host {
        throw PortError("\(port.name): a program for the air has a port of hci serve")
      }
    }
    header = SessionRecording.Header(
      bench: BenchVersion.current, file: source.file, scenario: String(decoding: source.octets, as: UTF8.self),
      settings: options.overrides.settings, seed: options.seed ?? scenario.seed,
      seats: ports.map { SessionRecording.NamedSeat(device: $0.name, seat: $0.seat) })
    header.profiles = named.texts
    header.places = options.places
    self.begin = begin
    self.options = options
    isOpenEnded = source.isMadeUp
    let seats = try SeatRules.seats(header, in: scenario)
    let undecided = scenario.unanswerable(seats: seats, file: source.file)
    if !undecided.isEmpty { throw ScenarioProblems(list: undecided) }
  }

  /// The scenario's file as messages call it.
  var fileName: String { header.fileName }

  /// What the people at foreign devices have to do themselves.
  var tasks: [String] { (try? SeatRules.seats(header, in: scenario)).map { SeatRules.tasks($0, in: scenario) } ?? [] }

  /// Which devices the arguments mean.
  /// - Throws: `PortError` when a device is not there, is named twice, or none is named where there are several.
  static func devices(
    of arguments: [SeatArgument], in scenario: Scenario, option: String
  ) throws(PortError) -> [Choice] {
    let names = scenario.devices.map(\.name)
    var seats: [Choice] = []
    for argument in arguments {
      let index: Int
      if let name = argument.device {
        guard let found = names.firstIndex(of: name) else {
          throw PortError(
            "\(option) \(name)=…: no device is called \(name); there are \(names.joined(separator: ", "))")
        }
        index = found
      } else if names.count == 1 {
        index = 0
      } else {
        throw PortError(
          "\(option) \(argument.text): which device? write \(option) DEVICE=\(argument.text) with one of"
            + " \(names.joined(separator: ", "))")
      }
      if seats.contains(where: { $0.device == index }) {
        throw PortError("\(option): \(names[index]) has two of them; a device has one")
      }
      seats.append(Choice(device: index, address: argument.address, isForAir: argument.isForAir))
    }
    return seats
  }
}

extension PortConfiguration {
  /// What is external of its device.
  fileprivate var seat: Seat {
    switch partner {
    case .host: .foreignHost
    case .linkLayer: .foreignLinkLayer
    case .controller: .foreignController
    }
  }
}

extension SessionRecording.Header {
  /// The scenario's file as messages call it.
  var fileName: String { file.split(separator: "/").last.map(String.init) ?? file }
}
