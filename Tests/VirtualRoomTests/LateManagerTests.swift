import CoreBluetooth
import Expectations
import Foundation
import Platform
import SimKernel
import Testing
import VirtualRoom

/// How an app comes to make its manager.
private enum Way: CaseIterable {
  case atOnce, task, mainActorTask, detachedTask, main, global, ownQueue, delayed, timer, inCallback
}

/// Makes a manager, some time after its launch.
private final class LateApp: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
  private(set) var states: [CBManagerState] = []
  private(set) var inner: CBPeripheralManager?
  private var manager: CBCentralManager?
  private let isNested: Bool

  init(_ way: Way) {
    isNested = way == .inCallback
    super.init()
    switch way {
    case .atOnce, .inCallback: make()
    case .task: Task { self.make() }
    case .mainActorTask: Task { @MainActor in self.make() }
    case .detachedTask: Task.detached { self.make() }
    case .main: DispatchQueue.main.async { self.make() }
    case .global: DispatchQueue.global().async { self.make() }
    case .ownQueue: DispatchQueue(label: "own").async { self.make() }
    case .delayed: DispatchQueue.main.asyncAfter(deadline: .now() + 1) { self.make() }
    case .timer: _ = Timer.scheduledTimer(withTimeInterval: 0.5, repeats: false) { _ in self.make() }
    }
  }

  private func make() { manager = CBCentralManager(delegate: self, queue: nil) }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    states.append(central.state)
    if isNested { Task { self.inner = CBPeripheralManager() } }
  }
}

@Suite("Managers that an app makes later")
struct LateManagerTests {
  @Test("A manager that is made in a task, a queue, a timer or a callback is on the phone", arguments: Way.allCases)
  fileprivate func onPhone(way: Way) throws {
    let room = VirtualRoom(seed: 1)
    let phone = room.phone("phone") { LateApp(way) }
    try room.run(for: .seconds(2))
    equal(phone.app?.states, [.poweredOn])
    if way == .inCallback { equal(phone.app?.inner?.state, .poweredOn) }
  }

  @Test("Two phones whose managers are made in tasks are told apart")
  func apart() throws {
    let room = VirtualRoom(seed: 1)
    let first = room.phone("first") { LateApp(.task) }
    let second = room.phone("second") { LateApp(.global) }
    try room.run(for: .seconds(1))
    try first.apply(.radioOff)
    try room.run(for: .seconds(1))
    equal(first.app?.states, [.poweredOn, .poweredOff])
    equal(second.app?.states, [.poweredOn])
  }
}
