import ArgumentParser
import Bench
import Conformance
import HCIPorts

/// `babbench play`: our host stack and engines over controllers from outside.
struct PlayCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play a scenario over external controllers: real adapters, or virtual ones of others.",
    discussion: """
      Every device of the scenario needs a controller. Without a scenario one device plays alone: a host that opens a \
      lobby, or a client that joins any lobby nearby. The same oracles judge what these devices see.

      EXAMPLES:
        babbench play pair --controller host=h4:tcp:127.0.0.1:6402 --controller client-1=h4:tcp:127.0.0.1:6402
        babbench play --role host --controller user:hci0
        babbench play --role client --controller h4:unix:/tmp/controller.sock --duration 2min

      ADDRESSES:
        h4:tcp:PORT, h4:tcp:HOST:PORT    a controller that listens there, for example RootCanal
        h4:unix:PATH                     a Unix socket
        h4:pty:PATH                      a terminal device
        user:hciN                        the HCI user channel of an adapter that is down; needs CAP_NET_ADMIN
      """)

  @Argument(
    help: "A scenario file, or the name of a shipped scenario; without it, one device.",
    completion: .scenarios)
  var scenario: String?

  @Option(
    name: .customLong("controller"), parsing: .singleValue,
    help: ArgumentHelp("The controller of this device.", valueName: "[DEVICE=]ADDRESS"),
    transform: { try SeatArgument(parsing: $0) })
  var controllers: [SeatArgument] = []

  enum Role: String, ExpressibleByArgument, CaseIterable {
    case host, client
  }

  @Option(help: "Without a scenario: the role of the one device.")
  var role: Role?

  @OptionGroup var options: LiveOptions

  func validate() throws {
    if scenario != nil, role != nil { throw ValidationError("--role is for sessions without a scenario") }
    if scenario == nil, role == nil {
      throw ValidationError("name a scenario, or say with --role host or --role client what the one device is")
    }
    if scenario == nil, controllers.count != 1 {
      throw ValidationError("without a scenario there is one device; give one --controller")
    }
  }

  func execute(for streams: OutputStreams) -> Int32 { LiveRun.execute(plan, for: streams) }

  func plan() throws -> LivePlan {
    if let scenario {
      return try LivePlan(
        .init(argument: scenario), seats: { try seats(in: $0) }, partner: .controller, begin: .atOnce,
        options: options)
    }
    let role = role ?? .host
    return try LivePlan(
      role == .host ? MadeUpScenario.host : MadeUpScenario.client,
      seats: { scenario in
        [
          LivePlan.Choice(
            device: scenario.devices.firstIndex { $0.name == role.rawValue } ?? 0, address: controllers[0].address,
            isForAir: controllers[0].isForAir)
        ]
      }, partner: .controller, begin: .atOnce, options: options)
  }

  private func seats(in scenario: Scenario) throws(PortError) -> [LivePlan.Choice] {
    let seats = try LivePlan.devices(of: controllers, in: scenario, option: "--controller")
    let missing = scenario.devices.indices.filter { index in !seats.contains { $0.device == index } }
    if !missing.isEmpty {
      throw PortError(
        "no controller for \(missing.map { scenario.devices[$0].name }.joined(separator: ", ")): over external"
          + " controllers every device of a scenario needs one; write --controller DEVICE=ADDRESS for each")
    }
    return seats
  }
}
