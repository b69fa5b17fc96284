import ArgumentParser
import Bench
import Conformance
import HCIPorts
import SimKernel
import VirtualRadio

/// `babbench hci`: controllers for hosts from outside.
struct HCICommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hci",
    abstract: "Offer virtual controllers to external host stacks.",
    subcommands: [ServeCommand.self, TellCommand.self])
}

/// `babbench hci serve`: controllers of a scenario's devices as HCI over H4, by the wall clock.
struct ServeCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run a scenario in real time and give controllers of it to external host stacks.",
    discussion: """
      A device of --port has no app of the bench: its host is the stack that connects to the port. All other devices \
      are simulated. Without a scenario there are only controllers in an ideal room. What the ports receive is \
      recorded: babbench replay repeats the session without the external stacks.

      EXAMPLES:
        babbench hci serve
        babbench hci serve --controllers 2 --port h4:tcp:9001 --port h4:tcp:9002
        babbench hci serve guest-lobby --port guest=h4:tcp:127.0.0.1:9001 --out out
        babbench hci serve guest-host --port host=h4:unix:/tmp/host.sock
        babbench hci serve --port vhci
        babbench hci serve --clock lockstep --begin all-hosts --controllers 2
        babbench hci serve --port h4:tcp:9001 --port air:tcp:9002

      ADDRESSES:
        h4:tcp:PORT, h4:tcp:HOST:PORT    loopback unless a host is named; port 0 takes a free one
        h4:unix:PATH                     a Unix socket
        h4:pty, h4:pty:PATH              a pseudo-terminal, with a link to it at PATH
        air:tcp:PORT, air:unix:PATH      the radio itself, for a program that hears and sends PDUs
        vhci                             an adapter of this machine's kernel; needs /dev/vhci

      The session ends when the scenario is over, after --duration, or with SIGINT or SIGTERM; files and report are \
      whole in each case.
      """)

  @Argument(
    help: "A scenario file, or the name of a shipped scenario; without it, bare controllers.",
    completion: .scenarios)
  var scenario: String?

  @Option(
    name: .customLong("port"), parsing: .singleValue,
    help: ArgumentHelp("Offer the controller of this device at this address.", valueName: "[DEVICE=]ADDRESS"),
    transform: { try SeatArgument(parsing: $0) })
  var ports: [SeatArgument] = []

  @Option(help: "Without a scenario: how many controllers.")
  var controllers: Int?

  @Option(
    help: ArgumentHelp(
      "Without a scenario: which real controller hosts see: "
        + ControllerModel.all.map(\.name).joined(separator: ", ") + ".", valueName: "name"))
  var controller: String?

  @Flag(
    help: ArgumentHelp(
      "Without a scenario: the controllers have vendor commands of Zephyr, such as Write BD_ADDR."))
  var zephyrCommands = false

  enum Begin: String, ExpressibleByArgument, CaseIterable {
    case atOnce = "at-once"
    case firstHost = "first-host"
    case allHosts = "all-hosts"
  }

  @Option(help: "When time begins: at-once, when the first-host connects, or when all-hosts have connected.")
  var begin = Begin.firstHost

  enum Clock: String, ExpressibleByArgument, CaseIterable {
    case wall
    case lockstep
  }

  @Option(
    help: ArgumentHelp(
      "What makes time pass: the wall clock, or in lockstep the hosts: time stands until each has said what it waits"
        + " for."))
  var clock = Clock.wall

  @Option(
    help: ArgumentHelp(
      "In lockstep: take hosts that cannot say what they wait for, and let this much time pass whenever one of them was"
        + " silent for as long.", valueName: "time"))
  var settle: DurationArgument?

  @Flag(help: "In lockstep: end when the last host has left.")
  var endWithHosts = false

  @OptionGroup var options: LiveOptions

  func validate() throws {
    if clock == .wall {
      if settle != nil { throw ValidationError("--settle is for --clock lockstep") }
      if endWithHosts { throw ValidationError("--end-with-hosts is for --clock lockstep") }
    }
    if let settle, settle.value <= .zero { throw ValidationError("--settle must be more than 0s") }
    if zephyrCommands, scenario != nil {
      throw ValidationError(
        "--zephyr-commands is for sessions without a scenario; a scenario has “phone: { zephyr commands: yes }”")
    }
    if let controller {
      if scenario != nil {
        throw ValidationError(
          "--controller is for sessions without a scenario; a scenario has “phone: { controller: \(controller) }”")
      }
      if ControllerModel.named(controller) == nil {
        let names = ControllerModel.all.map(\.name)
        throw ValidationError(
          "--controller: there is no “\(controller)”; " + Suggestion.advice(for: controller, in: names))
      }
    }
    if let controllers {
      if scenario != nil { throw ValidationError("--controllers is for sessions without a scenario") }
      guard (1...MadeUpScenario.maximumControllers).contains(controllers) else {
        throw ValidationError("--controllers must be 1 to \(MadeUpScenario.maximumControllers)")
      }
    }
  }

  func execute(for streams: OutputStreams) -> Int32 { LiveRun.execute(plan, for: streams) }

  func plan() throws -> LivePlan {
    var plan = try pacedPlan()
    guard clock == .lockstep else { return plan }
    plan.clock = .lockstep
    plan.settle = settle?.value
    plan.endsWithHosts = endWithHosts
    for port in plan.ports where settle == nil {
      switch port.address {
      case .tcp, .unix: continue
      default:
        throw PortError(
          "\(port.address) for \(port.name): hosts there cannot say what they wait for; serve h4:tcp or h4:unix,"
            + " or write --settle 20ms")
      }
    }
    return plan
  }

  private func pacedPlan() throws -> LivePlan {
    let begin: TimeBegin =
      switch begin {
      case .atOnce: .atOnce
      case .firstHost: .firstSeat
      case .allHosts: .allSeats
      }
    if let scenario {
      return try LivePlan(
        .init(argument: scenario), seats: { try seats(in: $0) }, partner: .host, begin: begin, options: options)
    }
    let count = controllers ?? max(1, ports.count { !$0.isForAir })
    return try LivePlan(
      MadeUpScenario.controllers(
        count, programs: ports.count(where: isUnnamedForAir), model: controller, withZephyrCommands: zephyrCommands),
      seats: { try bareSeats(in: $0) },
      partner: .host, begin: begin, options: options)
  }

  private func seats(in scenario: Scenario) throws(PortError) -> [LivePlan.Choice] {
    if ports.isEmpty {
      throw PortError(
        "which controllers? write --port DEVICE=h4:tcp:9001 with one of"
          + " \(scenario.devices.map(\.name).joined(separator: ", "))")
    }
    return try LivePlan.devices(of: ports, in: scenario, option: "--port")
  }

  private func isUnnamedForAir(_ port: SeatArgument) -> Bool { port.isForAir && port.device == nil }

  /// Ports without a device take the controllers that nobody has named, in order; what is left gets a free TCP port.
  /// Programs for the air have devices of their own.
  private func bareSeats(in scenario: Scenario) throws(PortError) -> [LivePlan.Choice] {
    var seats = try LivePlan.devices(of: ports.filter { $0.device != nil }, in: scenario, option: "--port")
    var unnamed = ports.filter { $0.device == nil && !$0.isForAir }.map(\.address)
    var programs = Array(ports.filter(isUnnamedForAir).map(\.address).reversed())
    for (index, device) in scenario.devices.enumerated() where !seats.contains(where: { $0.device == index }) {
      if device.name.hasPrefix(MadeUpScenario.program), let address = programs.popLast() {
        seats.append(LivePlan.Choice(device: index, address: address, isForAir: true))
      } else {
        let address = unnamed.isEmpty ? .tcp(host: "127.0.0.1", port: 0) : unnamed.removeFirst()
        seats.append(LivePlan.Choice(device: index, address: address))
      }
    }
    if !unnamed.isEmpty {
      throw PortError(
        "there are more --port than controllers; write --controllers \(ports.count { !$0.isForAir })")
    }
    return seats.sorted { $0.device < $1.device }
  }
}
