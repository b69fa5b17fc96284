import BluetoothWire
import CoreBluetooth
import Foundation

@testable import CoreBluetooth

/// A central and a peripheral in one room, as far as a test wants them.
final class Pair {
  let room = Room()
  let near: VirtualPhone
  let far: VirtualPhone
  let central = CentralApp()
  let peripheral = PeripheralApp()
  /// Apps of further phones, which live as long.
  private var others: [PeripheralApp] = []

  init() {
    near = room.add()
    far = room.add()
    near.whileCurrent { central.start() }
    far.whileCurrent { peripheral.start() }
    room.run()
  }

  /// Another phone advertises, too.
  func addSecond() {
    let phone = room.add()
    let app = PeripheralApp()
    others.append(app)
    phone.whileCurrent { app.start() }
    room.run()
    app.queue.sync { app.offer("Second") }
    room.run()
  }

  /// Runs app code of the central on its queue, and then the room.
  func there(_ body: () -> Void) {
    central.queue.sync { near.whileCurrent(body) }
    room.run()
  }

  func here(_ body: () -> Void) {
    peripheral.queue.sync { far.whileCurrent(body) }
    room.run()
  }

  @discardableResult
  func offered() -> Self {
    here { peripheral.offer() }
    return self
  }

  @discardableResult
  func discovered() -> Self {
    offered()
    there { central.manager.scanForPeripherals(withServices: [CBUUID(string: "AA00")]) }
    return self
  }

  @discardableResult
  func connected() -> Self {
    discovered()
    there { central.manager.connect(central.peripheral) }
    return self
  }

  /// Connected, with all services and characteristics discovered.
  @discardableResult
  func ready() -> Self {
    connected()
    there { central.peripheral.discoverServices([CBUUID(string: "AA00")]) }
    there { central.peripheral.discoverCharacteristics(nil, for: central.services[0]) }
    central.log = []
    peripheral.log = []
    return self
  }

  @discardableResult
  func subscribed() -> Self {
    ready()
    there { central.peripheral.setNotifyValue(true, for: central.characteristic("AA01")) }
    return self
  }

  func centralRemarks() -> [String] { near.takeRemarks().map(\.name.rawValue) }
  func peripheralRemarks() -> [String] { far.takeRemarks().map(\.name.rawValue) }
}
