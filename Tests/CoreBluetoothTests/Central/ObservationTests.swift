import AppSeam
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Key-value observing")
struct ObservationTests {
  /// What observers were told, in order.
  private final class Log: @unchecked Sendable {
    var lines: [String] = []
  }

  @Test("The state of a peripheral is told at each change, with both values, before the delegate is told")
  func state() {
    let pair = Pair().discovered()
    let log = Log()
    let observation = pair.central.peripheral.observe(\.state, options: [.initial, .new, .old]) {
      [central = pair.central] in
      log.lines.append(
        "\($1.oldValue.map { "\($0)" } ?? "-") \($1.newValue.map { "\($0)" } ?? "-") \($0.state) \(central.log.last!)")
    }
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    equal(
      log.lines,
      [
        "- disconnected disconnected discover Box", "disconnected connecting connecting discover Box",
        "connecting connected connected discover Box", "connected disconnecting disconnecting connect connected",
        "disconnecting disconnected disconnected connect connected",
      ])
    observation.invalidate()
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    equal(log.lines.count, 5)
  }

  @Test("Managers tell of state, isScanning and isAdvertising; a value that stays is no change")
  func managers() {
    let pair = Pair()
    let log = Log()
    let observations = [
      pair.central.manager.observe(\.isScanning, options: .new) { log.lines.append("scanning \($1.newValue!)") },
      pair.central.manager.observe(\.state) { manager, change in
        log.lines.append("state \(manager.state) \(change.newValue == nil)")
      },
      pair.peripheral.manager.observe(\.isAdvertising, options: .new) {
        log.lines.append("advertising \($1.newValue!)")
      },
    ]
    pair.offered()
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    pair.there { pair.central.manager.scanForPeripherals(withServices: [CBUUID(string: "AA00")]) }
    pair.there { pair.central.manager.stopScan() }
    pair.room.give(pair.near, .radioPower(false))
    equal(
      log.lines, ["advertising true", "scanning true", "scanning false", "state poweredOff true"])
    withExtendedLifetime(observations) {}
  }

  @Test("An observation that nobody retains is told nothing, and an observer may ask the phone for more")
  func lifetime() {
    let pair = Pair().discovered()
    let log = Log()
    _ = pair.central.peripheral.observe(\.state) { _, _ in log.lines.append("gone") }
    // It is called where no lock is held: a call that takes one, from another queue, does not wait.
    let observation = pair.central.peripheral.observe(\.state) { peripheral, _ in
      let other = DispatchQueue(label: "other")
      log.lines.append("\(other.sync { peripheral.manager?.isScanning == true })")
    }
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    equal(log.lines, ["true", "true"])
    withExtendedLifetime(observation) {}
  }

  /// An app's own object that holds a manager, as libraries have one.
  private final class Holder: NSObject {
    weak var manager: CBCentralManager?
  }

  @Test("A path through an object of the app's own follows the phone's objects, also in generic code")
  func path() {
    func watch<Root: NSObject, Value>(
      _ root: Root, _ path: KeyPath<Root, Value>, _ told: @escaping (Value) -> Void
    ) -> NSKeyValueObservation {
      root.observe(path, options: [.initial]) { object, _ in told(object[keyPath: path]) }
    }
    let pair = Pair().offered()
    let holder = Holder()
    holder.manager = pair.central.manager
    let log = Log()
    let observation = pair.near.whileCurrent {
      watch(holder, \.manager?.isScanning) { log.lines.append($0.map { "\($0)" } ?? "-") }
    }
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.there { pair.central.manager.stopScan() }
    equal(log.lines, ["false", "true", "false"])
    withExtendedLifetime(observation) {}
  }

  @Test("Properties by name, as older code reads them")
  func names() {
    let pair = Pair().discovered()
    let peripheral = pair.central.peripheral!
    let identifier = peripheral.value(forKey: "identifier") as! NSUUID
    equal(UUID(uuidString: identifier.uuidString), peripheral.identifier)
    expect(peripheral.value(forKey: "name") as? String == "Box" && peripheral.value(forKey: "colour") == nil)
  }

  @Test("name and services are told, and a peripheral with observers is released")
  func values() {
    let pair = Pair().connected()
    let log = Log()
    weak let peripheral = pair.central.peripheral
    var observations = [
      pair.central.peripheral.observe(\.name) { peripheral, _ in log.lines.append(peripheral.name ?? "-") },
      pair.central.peripheral.observe(\.services) { peripheral, _ in
        log.lines.append("\(peripheral.services?.count ?? -1)")
      },
    ]
    pair.there { pair.central.peripheral.discoverServices(nil) }
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    equal(log.lines, ["1", "-1"])
    pair.central.found = []
    expect(peripheral == nil)
    observations = []
    expect(observations.isEmpty)
  }
}

@Suite("Words of Apple's Foundation that Linux lacks")
struct FoundationWordTests {
  @Test("CFAbsoluteTimeGetCurrent is what Date says, and autoreleasepool hands its result on")
  func words() throws {
    let before: CFAbsoluteTime = Date().timeIntervalSinceReferenceDate
    let now = CFAbsoluteTimeGetCurrent()
    let pause: CFTimeInterval = now - before
    expect((0..<60).contains(pause))
    equal(autoreleasepool { 7 }, 7)
    #expect(throws: CBError.self) { try autoreleasepool { throw CBError.with(.unknown) } }
  }

  @Test("objc_sync locks an object for one thread, again and again, and says when it is not locked")
  func synchronized() {
    final class Counter: @unchecked Sendable { var count = 0 }
    let counter = Counter()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<500 {
        objc_sync_enter(counter)
        objc_sync_enter(counter)
        counter.count += 1
        objc_sync_exit(counter)
        objc_sync_exit(counter)
      }
    }
    equal(counter.count, 4_000)
    equal(objc_sync_exit(counter), -1)
  }
}
