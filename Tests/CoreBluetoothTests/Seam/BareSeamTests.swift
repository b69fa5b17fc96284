import AppSeam
import BluetoothWire
import Foundation
import SimKernel
import Testing

@testable import CoreBluetooth

@Suite("The seam as it is")
struct BareSeamTests {
  @Test("A whole exchange uses only effects and inputs that the seam has")
  func exchange() {
    let pair = Pair(isBare: true).subscribed()
    pair.here {
      _ = pair.peripheral.manager.updateValue(
        Data([5]), for: pair.peripheral.characteristic("AA01"), onSubscribedCentrals: nil)
    }
    let characteristic = pair.central.characteristic("AA01")!
    pair.there {
      pair.central.peripheral.writeValue(Data([1]), for: characteristic, type: .withResponse)
      pair.central.peripheral.writeValue(Data([2]), for: characteristic, type: .withoutResponse)
      pair.central.peripheral.readValue(for: pair.central.characteristic("AA02"))
      pair.central.peripheral.readValue(for: characteristic)
    }
    #expect(pair.peripheral.writes.map { $0[0].value } == [Data([1]), Data([2])])
    #expect(pair.central.values == [Data([5]), Data("fixed".utf8), Data([5])])
    #expect(pair.central.log.contains("written AA01"))
    for device in pair.room.devices {
      for case .wish(let wish) in device.asked { Issue.record("\(wish) is not in the seam") }
    }
    #expect(pair.peripheralRemarks() == ["seam.dynamic-read", "seam.descriptors"])
  }

  @Test("handle returns what the app asks for in answer to an input")
  func handle() {
    let phone = Room().add(isBare: true)
    let app = CentralApp()
    app.onState = { $0.scanForPeripherals(withServices: [CBUUID(string: "AA00")]) }
    phone.launch = {
      app.start()
      return app
    }
    let effects = phone.handle(.launched, at: .zero)
    #expect(effects == [.scan(services: [BluetoothUUID(0xAA00)])])
    app.queue.sync { app.manager.stopScan() }
    #expect(phone.takeEffects() == [.stopScanning])
    #expect(phone.takeEffects().isEmpty)
  }

  @Test("A central asks for the larger ATT_MTU")
  func attMTU() {
    let pair = Pair(isBare: true).connected()
    let asked = pair.room.device(pair.near).asked
    #expect(asked.contains(.effect(.exchangeMTU(LinkID(0), 517))))
    #expect(pair.central.peripheral.maximumWriteValueLength(for: .withoutResponse) == 182)
  }

  @Test("All services: those that are advertised or named are asked for, and the limit is remarked")
  func discoverAll() {
    let pair = Pair(isBare: true).connected()
    pair.there { pair.central.peripheral.discoverServices(nil) }
    #expect(pair.central.services.map(\.uuid.uuidString) == ["AA00"])
    #expect(pair.centralRemarks() == ["peripheral.discover-all"])
  }

  @Test("Several services are asked for one by one, and answered together")
  func several() {
    let pair = Pair(isBare: true).connected()
    pair.there {
      pair.central.peripheral.discoverServices(["AA00", "BB00", "AA00"].map { CBUUID(string: $0) })
    }
    #expect(pair.central.log.filter { $0 == "services" }.count == 1)
    #expect(pair.central.services.map(\.uuid.uuidString) == ["AA00"])
  }

  @Test("What the seam lacks is answered with Apple's error, and remarked")
  func refused() {
    let pair = Pair(isBare: true).subscribed()
    _ = pair.near.takeRemarks()
    _ = pair.far.takeRemarks()
    pair.there { pair.central.peripheral.readRSSI() }
    #expect((pair.central.lastError as? CBError)?.code == .operationNotSupported)
    pair.there { pair.central.peripheral.openL2CAPChannel(128) }
    #expect((pair.central.lastError as? CBError)?.code == .operationNotSupported)
    pair.here { pair.peripheral.manager.publishL2CAPChannel(withEncryption: false) }
    #expect((pair.peripheral.lastError as? CBError)?.code == .operationNotSupported)
    pair.here {
      pair.peripheral.manager.setDesiredConnectionLatency(.low, for: pair.peripheral.centrals[0])
      pair.peripheral.manager.removeAllServices()
    }
    #expect(pair.centralRemarks() == ["seam.rssi", "seam.channels"])
    #expect(pair.peripheralRemarks() == ["seam.channels", "seam.latency", "seam.unpublish"])
  }

  @Test("An app's error cannot reach the writer, and is remarked")
  func writeError() {
    let pair = Pair(isBare: true).ready()
    pair.peripheral.answer = .writeNotPermitted
    pair.there {
      pair.central.peripheral.writeValue(Data([1]), for: pair.central.characteristic("AA01"), type: .withResponse)
    }
    #expect(pair.central.lastError == nil)
    #expect(pair.peripheralRemarks().last == "seam.write-answer")
  }

  @Test("A service that was never taken back is not published again")
  func republish() {
    let pair = Pair(isBare: true).offered()
    pair.here { pair.peripheral.manager.removeAllServices() }
    pair.here { pair.peripheral.manager.add(pair.peripheral.service) }
    #expect(pair.room.device(pair.far).table.services.count == 1)
    #expect(pair.peripheral.log.last == "added AA00")
  }

  @Test("Values that the stack refuses are sent again, none is lost or out of order")
  func backPressure() {
    let pair = Pair(isBare: true).subscribed()
    let characteristic = pair.peripheral.characteristic("AA01")!
    pair.room.device(pair.far).room = 3
    pair.here {
      for value in 0..<8 {
        _ = pair.peripheral.manager.updateValue(Data([UInt8(value)]), for: characteristic, onSubscribedCentrals: nil)
      }
    }
    #expect(pair.central.values.count == 3)
    pair.room.makeRoom(pair.far, 3)
    pair.room.makeRoom(pair.far, nil)
    #expect(pair.central.values.map { Int($0[0]) } == Array(0..<8))
  }

  @Test("The configuration descriptor is known without asking; others are not found")
  func descriptors() {
    let pair = Pair(isBare: true).subscribed()
    let characteristic = pair.central.characteristic("AA01")!
    pair.there { pair.central.peripheral.discoverDescriptors(for: characteristic) }
    #expect(characteristic.descriptors?.map(\.uuid.uuidString) == ["2902"])
    pair.there { pair.central.peripheral.readValue(for: characteristic.descriptors![0]) }
    #expect((characteristic.descriptors![0].value as? NSNumber)?.intValue == 1)
  }

  @Test("A value for a central that has left its subscription does not block the others")
  func unsubscribedWhileBlocked() {
    let pair = Pair(isBare: true).subscribed()
    let characteristic = pair.peripheral.characteristic("AA01")!
    pair.room.device(pair.far).room = 0
    pair.here {
      _ = pair.peripheral.manager.updateValue(Data([1]), for: characteristic, onSubscribedCentrals: nil)
    }
    pair.there { pair.central.peripheral.setNotifyValue(false, for: pair.central.characteristic("AA01")) }
    pair.room.device(pair.far).room = nil
    pair.there { pair.central.peripheral.setNotifyValue(true, for: pair.central.characteristic("AA01")) }
    pair.here {
      #expect(pair.peripheral.manager.updateValue(Data([2]), for: characteristic, onSubscribedCentrals: nil))
    }
    #expect(pair.central.values == [Data([2])])
  }

  @Test("Indications are lost, and the loss is remarked")
  func indications() {
    let pair = Pair(isBare: true).ready()
    pair.there { pair.central.peripheral.setNotifyValue(true, for: pair.central.characteristic("AA03")) }
    pair.here {
      _ = pair.peripheral.manager.updateValue(
        Data([1]), for: pair.peripheral.characteristic("AA03"), onSubscribedCentrals: nil)
    }
    #expect(pair.central.values.isEmpty)
    #expect(pair.peripheralRemarks().last == "seam.indications")
  }
}
