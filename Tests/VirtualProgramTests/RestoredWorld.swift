import AppSeam
import Bench
import BluetoothWire
import Bystanders
import Conformance
import CoreBluetooth
import Foundation
import GuideApps
import Platform
import SimKernel
import VirtualProgram
import VirtualRadio

/// A shelf and its keeper (`Tests/GuideApps`) in one world, in process or as programs.
final class RestoredWorld {
  /// Whether the program is beside the tests; if not, a line says what was skipped.
  static let isPossible: Bool = {
    let isBuilt = Conform.built("restored-program").path != "/"
    if !isBuilt { print("skipped: restoration of programs, since the build has no restored-program") }
    return isBuilt
  }()

  let world: World
  private let book = Book()
  private let crew = ProgramCrew([.bystander])
  /// In process, by device: of the newest launch.
  private var engines: [PhoneEngine?] = [nil, nil]

  /// - Parameters:
  ///   - programs: by device, nil: it runs in process.
  ///   - seed: of the world.
  init(_ programs: [ScenarioProgram?], seed: UInt64) {
    var scenario = Scenario(name: "restored", devices: [])
    scenario.seed = seed
    scenario.radio = .livingRoom
    for (place, role) in ["host", "client"].enumerated() {
      var device = Device(name: role, group: role, role: AppRole(rawValue: role), phone: .iphone)
      device.position = Position(x: 200 * place, y: 0)
      device.app = BystanderApp().name
      device.program = programs[place]
      scenario.devices.append(device)
    }
    var make: (AppConfiguration) -> any AppEngine = { _ in preconditionFailure() }
    world = World(scenario, options: RunOptions(seed: seed), readers: [book], programs: crew) { make($1) }
    make = { [unowned self] in phone($0) }
    world.begin()
  }

  deinit { engines.forEach { $0?.end() } }

  /// What the phone of an app in process would keep now.
  func memory(of device: Int) -> AppMemory? { engines[device]?.remember(at: world.now) }

  private func phone(_ configuration: AppConfiguration) -> any AppEngine {
    engines[configuration.device]?.end()
    let engine = Self.phone(configuration)
    engines[configuration.device] = engine
    return engine
  }

  /// As a program makes its phone, in this process.
  static func phone(_ configuration: AppConfiguration) -> PhoneEngine {
    let name = "program-\(configuration.peerID)"
    var random = RandomStream(seed: configuration.seed, component: name, purpose: "address")
    let address = BluetoothAddress(kind: .random, bits: random.next() | 0xC000_0000_0000)
    return PhoneEngine(
      configuration, name: name, address: address,
      memory: PhoneMemory(configuration.memory, isRestored: configuration.isRestored)
    ) {
      configuration.role.rawValue == "host" ? NumberShelf() : ShelfKeeper() as NSObject
    }
  }

  func run(_ seconds: Int64) { _ = world.advance(to: world.now + .seconds(seconds)) }

  /// The shelf and then the keeper are ended by the system, and launched by what comes; then the keeper loses its link,
  /// is ended while it waits, and is launched by the link that comes.
  func play() -> RunOutcome {
    run(12)
    for device in [1, 0] {
      world.apply(.background, device: device)
      world.apply(.reclaim, device: device)
      run(13)
    }
    world.apply(.outOfRange, device: 0)
    run(10)
    world.apply(.reclaim, device: 1)
    run(5)
    world.apply(.comeBack, device: 0)
    run(30)
    world.apply(.kill, device: 1)
    run(2)
    world.apply(.relaunch, device: 1)
    run(20)
    return world.finish(ending: .finished)
  }

  /// Calls, callbacks, launches and faults of both devices.
  var lines: [String] { book.lines }
  /// All that apps are told, ask for and report, by instant and device, without what a phone remarks of its process.
  var trace: [String] { book.trace }

  private final class Book: TraceReader {
    var lines: [String] = []
    var trace: [String] = []

    func read(_ record: TraceRecord) {
      if case .report(let report) = record.event,
        case .remark(CallWord.notVirtual, _, _)? = report.among(CallWord.self)
      {
        return
      }
      trace.append("\(record.instant) \(record.device) \(record.event)")
      switch record.event {
      case .input(.launched): lines.append("\(record.device) launched")
      case .fault(let fault): lines.append("\(record.device) \(fault)")
      case .report(let report):
        if let word = report.among(CallWord.self) { lines.append("\(record.device) \(record.instant) \(word)") }
      default: break
      }
    }
  }
}
