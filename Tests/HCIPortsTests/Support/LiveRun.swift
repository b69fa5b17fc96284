import Foundation
import SimKernel
import Synchronization

@testable import HCIPorts

/// A live run on a thread of its own, over a scripted world.
final class LiveRun: Sendable {
  let witness = Witness()
  let stop = LiveStop()
  private let places = Mutex<[OpenPort]>([])
  private let outcome = Mutex<Result<LiveReport, PortError>?>(nil)
  private let opened = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Long enough for any machine: reaching it is a failure, and nothing waits for it to pass.
  static let patience = 30.0

  init(
    _ ports: [PortConfiguration], settings: LiveSettings = LiveSettings(), script: [SimInstant] = [],
    end: SimInstant? = nil, control: ControlAddress? = nil,
    prepare: @escaping @Sendable (ScriptedWorld) -> Void = { _ in }
  ) {
    Thread.detachNewThread { [self] in
      let world = ScriptedWorld(script: script, end: end, witness: witness)
      prepare(world)
      let loop = LiveLoop(
        world: world, ports: ports, settings: settings,
        control: control.map { LiveControl(address: $0, obey: LiveRun.obey) }, log: { [witness] in witness.log($0) },
        opened: { [self] ports in
          places.withLock { $0 = ports }
          opened.signal()
        })
      let result: Result<LiveReport, PortError>
      do throws(PortError) { result = .success(try loop.run(until: stop)) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      opened.signal()
      ended.signal()
    }
  }

  /// Orders of tests: `say WORDS`, `open DEVICE`, `close DEVICE`, `now`.
  private static func obey(_ line: String, _ handle: LiveHandle, _ answer: @escaping LiveControl.Answer) {
    let words = line.split(separator: " ").map(String.init)
    let device = words.last.flatMap(Int.init) ?? 0
    switch words.first {
    case "say": answer(words.dropFirst().joined(separator: " "))
    case "open":
      handle.open(.host(device)) { result in
        switch result {
        case .success(let port): answer("\(port.address)")
        case .failure(let error): answer("error: \(error)")
        }
      }
    case "close":
      handle.closePort(of: device)
      answer("ok")
    case "now": answer(handle.change { handle.status.now.map { "\($0)" } ?? "never" })
    default: answer("error: what?")
    }
  }

  /// The ports, once they are open; nothing if they could not be.
  func open() -> [OpenPort] {
    guard opened.wait(timeout: .now() + LiveRun.patience) == .success else { return [] }
    opened.signal()
    return places.withLock { $0 }
  }

  /// The TCP port of a device.
  func open(tcp device: Int) -> Int {
    for case let place in open() where place.device == device {
      if case .tcp(_, let port) = place.address { return port }
    }
    return 0
  }

  /// Waits for the end; nil when it does not come.
  func result() -> Result<LiveReport, PortError>? {
    guard ended.wait(timeout: .now() + LiveRun.patience) == .success else { return nil }
    ended.signal()
    return outcome.withLock { $0 }
  }

  func report() throws -> LiveReport? { try result()?.get() }

  /// Stops, and waits for the end.
  func stopped() throws -> LiveReport? {
    stop.stop()
    return try report()
  }

  /// Looks until a condition holds; false when patience is over.
  static func until(_ condition: () -> Bool) -> Bool {
    let limit = ContinuousClock.now + .seconds(patience)
    while !condition() {
      if ContinuousClock.now > limit { return false }
      usleep(1_000)
    }
    return true
  }
}

extension PortConfiguration {
  static func host(_ device: Int = 0, _ address: PortAddress = .tcp(host: "127.0.0.1", port: 0)) -> Self {
    PortConfiguration(device: device, name: "guest-\(device)", partner: .host, address: address)
  }

  static func controller(_ device: Int = 0, _ address: PortAddress) -> Self {
    PortConfiguration(device: device, name: "player-\(device)", partner: .controller, address: address)
  }
}
