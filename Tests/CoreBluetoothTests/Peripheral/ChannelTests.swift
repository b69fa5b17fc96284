import CoreBluetooth
import Expectations
import Foundation
import Testing

@Suite("L2CAP channels")
struct ChannelTests {
  @Test("A channel is published, opened at both ends, and carries octets both ways")
  func opens() {
    let pair = Pair().ready()
    pair.here { pair.peripheral.manager.publishL2CAPChannel(withEncryption: false) }
    equal(pair.peripheral.log, ["psm 128"])
    pair.there { pair.central.peripheral.openL2CAPChannel(128) }
    equal(pair.central.log, ["channel"])
    equal(pair.peripheral.log.last, "channel")
    let near = pair.central.channel!
    let far = pair.peripheral.channel!
    equal(near.psm, 128)
    equal(near.peer.identifier, pair.central.peripheral.identifier)
    pair.there {
      near.inputStream.open()
      near.outputStream.open()
      equal(near.outputStream.write([1, 2, 3], maxLength: 3), 3)
    }
    pair.here {
      far.inputStream.open()
      far.outputStream.open()
      var octets = [UInt8](repeating: 0, count: 8)
      expect(far.inputStream.hasBytesAvailable)
      equal(far.inputStream.read(&octets, maxLength: 8), 3)
      equal(octets.prefix(3), [1, 2, 3])
      equal(far.outputStream.write([4], maxLength: 1), 1)
    }
    pair.there { expect(near.inputStream.hasBytesAvailable) }
  }

  @Test("A PSM that nobody published is refused")
  func refused() {
    let pair = Pair().ready()
    pair.there { pair.central.peripheral.openL2CAPChannel(200) }
    expect(pair.central.channel == nil)
    expect(pair.central.lastError != nil)
  }

  @Test("A PSM is taken back; one that is not published is an error")
  func unpublish() {
    let pair = Pair().ready()
    pair.here { pair.peripheral.manager.unpublishL2CAPChannel(128) }
    equal(pair.peripheral.log, ["psm gone 128"])
    expect(pair.peripheral.lastError != nil)
    pair.here { pair.peripheral.manager.publishL2CAPChannel(withEncryption: false) }
    pair.here { pair.peripheral.manager.unpublishL2CAPChannel(128) }
    expect(pair.peripheral.lastError == nil)
  }

  @Test("A PSM that is taken back closes the channels that were opened on it")
  func unpublishCloses() {
    let pair = Pair().ready()
    pair.here { pair.peripheral.manager.publishL2CAPChannel(withEncryption: false) }
    pair.there { pair.central.peripheral.openL2CAPChannel(128) }
    pair.there { pair.central.channel!.inputStream.open() }
    pair.here { pair.peripheral.channel!.inputStream.open() }
    pair.here { pair.peripheral.manager.unpublishL2CAPChannel(128) }
    equal(pair.peripheral.log.last, "psm gone 128")
    pair.there { equal(pair.central.channel!.inputStream.streamStatus, .atEnd) }
    pair.here { equal(pair.peripheral.channel!.inputStream.streamStatus, .atEnd) }
  }

  @Test("The streams of a channel end with its link")
  func ends() {
    let pair = Pair().ready()
    pair.here { pair.peripheral.manager.publishL2CAPChannel(withEncryption: false) }
    pair.there { pair.central.peripheral.openL2CAPChannel(128) }
    pair.there { pair.central.channel!.inputStream.open() }
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    pair.there { equal(pair.central.channel!.inputStream.streamStatus, .atEnd) }
  }
}
