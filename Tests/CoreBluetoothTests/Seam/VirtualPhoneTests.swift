import AppSeam
import BluetoothWire
import Expectations
import Foundation
import SimKernel
import Testing

@testable import CoreBluetooth

@Suite("A phone and its app")
struct VirtualPhoneTests {
  @Test("Timers, users, the network and background reach the hook of the device")
  func others() {
    let phone = Room().add()
    var seen = 0
    phone.onOtherInput = { _, _ in seen += 1 }
    _ = phone.handle(.timer(TimerID(1)), at: .zero)
    _ = phone.handle(.background(true), at: .zero)
    equal(seen, 2)
  }

  @Test("An app that is killed is released; what lives on of it is told and can ask nothing")
  func killed() {
    let phone = Room().add()
    weak var app: CentralApp?
    phone.launch = {
      let made = CentralApp()
      made.start()
      app = made
      return made
    }
    _ = phone.handle(.launched, at: .zero)
    let manager = app!.manager!
    equal(app!.log, ["state poweredOn"])
    phone.end()
    expect(app == nil)
    manager.scanForPeripherals(withServices: nil)
    expect(phone.handle(.radioPower(false), at: .zero).isEmpty)
    expect(!manager.isScanning)
  }

  @Test("An app that blocks its queue is named, and nobody hangs")
  func blocked() {
    let phone = Room().add()
    let app = CentralApp()
    let never = DispatchSemaphore(value: 0)
    app.onState = { _ in never.wait() }
    phone.settle = { [unowned phone] _, body in QueueSettling.run(body, phone: phone, patience: 0.05) }
    phone.launch = {
      app.start()
      return app
    }
    _ = phone.handle(.launched, at: .zero)
    equal(phone.takeRemarks().map(\.name.rawValue), ["manager.queue-blocked"])
    _ = phone.handle(.radioPower(false), at: .zero)
    expect(phone.takeRemarks().isEmpty)
    never.signal()
    never.signal()
  }

  @Test("A thousand services are published and found")
  func manyServices() {
    let pair = Pair().connected()
    let uuids = (0..<1_000).map { CBUUID(string: String(format: "%08X-0000-4000-8000-000000000000", $0)) }
    pair.here {
      for uuid in uuids {
        let service = CBMutableService(type: uuid, primary: true)
        service.characteristics = [
          CBMutableCharacteristic(type: uuid, properties: .read, value: Data([1]), permissions: .readable)
        ]
        pair.peripheral.manager.add(service)
      }
    }
    pair.there { pair.central.peripheral.discoverServices(uuids) }
    equal(pair.central.services.count, 1_000)
    pair.there { pair.central.peripheral.discoverCharacteristics(nil, for: pair.central.services[999]) }
    pair.there { pair.central.peripheral.readValue(for: pair.central.services[999].characteristics![0]) }
    equal(pair.central.values, [Data([1])])
  }

  @Test("A phone can be settled by others")
  func settling() {
    let phone = Room().add()
    let app = CentralApp()
    phone.whileCurrent { app.start() }
    app.queue.sync {}
    var instants: [SimInstant] = []
    phone.settle = { instant, body in
      instants.append(instant)
      body()
      app.queue.sync {}
    }
    _ = phone.handle(.radioPower(false), at: .zero + .seconds(3))
    equal(instants, [.zero + .seconds(3)])
    equal(app.log, ["state poweredOn", "state poweredOff"])
  }
}
