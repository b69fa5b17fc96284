import AppSeam
public import Bench
import BluetoothWire
import Platform
public import SimKernel
public import VirtualRadio

/// A room of virtual phones whose apps are written against CoreBluetooth, in the process of a test.
///
/// ```swift
/// let room = VirtualRoom(seed: 7)
/// let host = room.phone("host") { Host() }
/// let guest = room.phone("guest", at: Position(x: 300, y: 0)) { Guest() }
/// try room.wait(within: .seconds(10)) { guest.app?.isConnected == true }
/// ```
///
/// All apps run in the calling thread, in virtual time, one at a time: the same seed gives the same digest. Use a room
/// in one thread. The executable has to be linked for virtual time (Docs/virtual-room.md); it is refused otherwise.
/// A room may be a scenario file (`init(scenario:players:)`), and engines of the bench may play in it (`player`).
public final class VirtualRoom {
  /// The seed of all that is drawn.
  public let seed: UInt64
  /// What is recorded beside the room's own books; set before the room starts.
  public var readers: [any TraceReader] = []
  /// Who plays beside the apps of the test; nil: nobody.
  public let players: Players?
  var scenario: Scenario
  /// The name of the scenario's file, for messages; nil: the room is made by calls.
  let file: String?
  /// By device.
  var seats: [RoomSeat] = []
  var world: World?
  /// Starts the apps of phones, and programs of the scenario.
  var programs: RoomPrograms?
  let trace = RoomTrace()
  var referee: (any Referee)?
  var outcome: RunOutcome?

  /// - Parameters:
  ///   - seed: of all that is drawn: losses, clocks, the apps' random numbers.
  ///   - environment: the air; ideal unless another one is given.
  ///   - events: where a room that never comes to rest is stopped.
  ///   - players: whose engines may play, and who judges; nobody unless they are given.
  ///   - network: the network beside the radio; nil: there is none, unless players need one.
  public init(
    seed: UInt64 = 1, environment: RadioEnvironment = .ideal, events: Int = 50_000_000, players: Players? = nil,
    network: RoomNetwork? = nil
  ) {
    self.seed = seed
    self.players = players
    file = nil
    scenario = Scenario(name: "room", devices: [])
    scenario.seed = seed
    scenario.radio = environment
    scenario.limits.events = events
    scenario.network = network?.network
  }

  init(_ scenario: Scenario, file: String, seed: UInt64?, players: Players) {
    self.seed = seed ?? scenario.seed
    self.players = players
    self.file = file
    self.scenario = scenario
    seats = scenario.devices.map { _ in RoomSeat(.engine) }
  }

  deinit { for seat in seats { seat.end() } }

  /// Adds a phone; before the room starts.
  /// - Parameters:
  ///   - name: unique in the room.
  ///   - phone: an iPhone unless another one is given.
  ///   - position: where it is, in centimetres.
  ///   - starts: when its app is launched.
  ///   - acceptsPairing: what its person says when asked; Just Works asks nobody.
  ///   - app: makes the app's object, on the phone's main queue; again when the app is launched again.
  public func phone<App: AnyObject>(
    _ name: String, _ phone: PhonePreset = .iphone, at position: Position = Position(x: 0, y: 0),
    starts: SimInstant = .zero, acceptsPairing: Bool = true, app: @escaping () -> App
  ) -> RoomPhone<App> {
    var device = Device(name: name, group: name, role: AppRole(rawValue: "phone"), phone: phone)
    device.takesPart = false
    device.position = position
    device.starts = starts
    return seat(PhoneApp(app: { _ in app() }), at: add(device), acceptsPairing: acceptsPairing)
  }

  /// Adds a device without an app that advertises these octets as they are, as sensors and beacons do; before the room
  /// starts. Connections to it are taken and lead nowhere, unless it takes none.
  /// - Parameters:
  ///   - name: unique in the room.
  ///   - position: where it is, in centimetres.
  ///   - data: advertising data, at most 31 octets (Core v5.4, Vol 3, Part C, 11).
  ///   - scanResponse: scan response data, at most 31 octets.
  ///   - connectable: ADV_IND; else ADV_SCAN_IND with a scan response, and ADV_NONCONN_IND without one (Core v5.4,
  ///     Vol 6, Part B, 2.3.1).
  public func advertiser(
    _ name: String, at position: Position = Position(x: 0, y: 0), data: [UInt8], scanResponse: [UInt8] = [],
    connectable: Bool = true
  ) {
    var device = Device(name: name, group: name, role: AppRole(rawValue: "advertiser"), phone: .ideal)
    device.takesPart = false
    device.position = position
    if !connectable {
      device.phone.advertising.kind = scanResponse.isEmpty ? .nonConnectableUndirected : .scannableUndirected
    }
    seats[add(device)] = RoomSeat(.beacon { AdvertiserEngine(data: data, scanResponse: scanResponse) })
  }

  /// A device more, with the seat of an engine of the bench.
  func add(_ device: Device) -> Int {
    precondition(world == nil, "devices are added before the room starts")
    precondition(!scenario.devices.contains { $0.name == device.name }, "\(device.name) is already in the room")
    scenario.devices.append(device)
    seats.append(RoomSeat(.engine))
    return seats.count - 1
  }

  /// Puts an app of the test on a device.
  func seat<App: AnyObject>(_ app: PhoneApp<App>, at index: Int, acceptsPairing: Bool) -> RoomPhone<App> {
    precondition(world == nil, "apps are put on phones before the room starts")
    var device = scenario.devices[index]
    if device.phone.pairing == nil {
      device.phone.pairing = PhonePreset.PairingHabits()
      device.phone.pairing?.isAccepted = acceptsPairing
    }
    device.program = RoomPrograms.ofTheTest
    device.engine = RoomPrograms.ofTheTest.name
    // What it would do on purpose it does with an engine that does not play now.
    if case .engine? = device.hostility?.way { device.hostility = nil }
    scenario.devices[index] = device
    let box = app.box
    seats[index] = RoomSeat(
      .phone(
        RoomSeat.Phone(
          launch: { [unowned self] in app.launch($0, address: address(of: index)) },
          forget: { box.app = nil })))
    return RoomPhone(device.name, index: index, room: self, box: box)
  }

  private func address(of device: Int) -> BluetoothAddress {
    World.header(scenario, seed: seed).devices[device].address
  }
}
