import AppSeam
import BluetoothWire
import CoreBluetooth
import Foundation

@testable import CoreBluetooth

/// What tests of reported behaviours do with a pair.
extension Pair {
  /// The link of the central, as its phone knows it.
  var link: LinkID { room.device(near).links[0].id }

  /// The link ends, as the central's phone sees it.
  func lose(_ reason: HCI.ErrorCode = .connectionTimeout) {
    room.end(link, of: room.device(near), here: reason)
    room.run()
  }

  /// The peripheral's end is out of range, and back.
  func hide() { here { peripheral.manager.stopAdvertising() } }
  func show() {
    here { peripheral.manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "AA00")]]) }
  }

  /// How often the central's phone asked for a link.
  var connectsAsked: Int {
    room.device(near).asked.filter { if case .connect = $0 { true } else { false } }.count
  }

  /// Another manager on the central's phone, with its own app.
  func second() -> CentralApp {
    let app = CentralApp()
    near.whileCurrent { app.start() }
    room.run()
    return app
  }

  /// Runs code of another app on its queue, and then the room.
  func run(_ app: CentralApp, _ body: () -> Void) {
    app.queue.sync(execute: body)
    room.run()
  }

  /// A third phone, whose app has found, connected to and discovered the peripheral.
  func third() -> CentralApp {
    let app = CentralApp()
    let phone = room.add()
    phone.whileCurrent { app.start() }
    room.run()
    run(app) { app.manager.scanForPeripherals(withServices: nil) }
    run(app) { app.manager.connect(app.peripheral) }
    run(app) { app.peripheral.discoverServices(nil) }
    run(app) { app.peripheral.discoverCharacteristics(nil, for: app.services[0]) }
    return app
  }

  /// The phone of the central hears an advertiser with these data.
  func hear(_ bits: UInt64 = 0xC000_0000_0000, name: String? = nil, services: [BluetoothUUID] = [], data: [UInt8] = [])
  {
    let address = BluetoothAddress(kind: .random, bits: bits)
    let advertisement = Advertisement(address: address, localName: name, serviceUUIDs: services, rssi: -70)
    room.give(near, .gap(.heard(HeardAdvertiser(advertisement, data: data))))
  }

  /// A service is published while nobody knows it, or while the central is connected.
  func publish(
    _ uuid: String, _ characteristics: [CBMutableCharacteristic] = [], with included: [CBMutableService] = []
  )
    -> CBMutableService
  {
    let service = CBMutableService(type: CBUUID(string: uuid), primary: true)
    if !characteristics.isEmpty { service.characteristics = characteristics }
    if !included.isEmpty { service.includedServices = included }
    here { peripheral.manager.add(service) }
    return service
  }

  /// The next answer of the peripheral to a subscription of `AA01`.
  func configured(_ error: UInt8?) {
    let found = central.characteristic("AA01").found!
    room.give(near, .gatt(.configured(link, found.value, type: found.uuid, true, error: error)))
  }
}
