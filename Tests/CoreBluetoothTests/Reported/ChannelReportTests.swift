import AppSeam
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("L2CAP channels, as others report it")
struct ChannelReportTests {
  /// Writes down the events of a stream.
  private final class Listener: NSObject, StreamDelegate {
    var events: [Stream.Event] = []
    func stream(_ stream: Stream, handle event: Stream.Event) { events.append(event) }
  }

  private func opened() -> Pair {
    let pair = Pair().ready()
    pair.here { pair.peripheral.manager.publishL2CAPChannel(withEncryption: false) }
    pair.there { pair.central.peripheral.openL2CAPChannel(128) }
    return pair
  }

  @Test("Streams are handed over closed: the app opens them, and cannot write before that")
  func closedAtFirst() {
    let channel = opened().central.channel!
    expect(channel.inputStream.streamStatus == .notOpen && channel.outputStream.streamStatus == .notOpen)
    expect(!channel.outputStream.hasSpaceAvailable)
    equal(channel.outputStream.write([1], maxLength: 1), -1)
  }

  @Test("The peer of a channel is the peripheral at one end, and the central at the other")
  func peers() {
    let pair = opened()
    expect(pair.central.channel?.peer === pair.central.peripheral)
    expect(pair.peripheral.channel?.peer is CBCentral)
    equal(pair.peripheral.channel?.psm, pair.central.channel?.psm)
  }

  @Test("A channel to a peripheral that is not connected is misuse")
  func notConnected() {
    let pair = Pair().discovered()
    pair.there { pair.central.peripheral.openL2CAPChannel(128) }
    expect(pair.centralRemarks() == ["peripheral.not-connected"] && pair.central.channel == nil)
  }

  @Test("Streams tell that they are open, that there is space, that octets came, and that they have ended")
  func events() {
    let pair = opened()
    let (incoming, outgoing) = (Listener(), Listener())
    let (near, far) = (pair.central.channel!, pair.peripheral.channel!)
    pair.here {
      far.inputStream.delegate = incoming
      far.inputStream.open()
    }
    pair.there {
      near.outputStream.delegate = outgoing
      near.outputStream.open()
    }
    expect(incoming.events == [.openCompleted] && outgoing.events == [.openCompleted, .hasSpaceAvailable])
    pair.there { _ = near.outputStream.write([1], maxLength: 1) }
    equal(incoming.events, [.openCompleted, .hasBytesAvailable])
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    expect(incoming.events.last == .endEncountered && outgoing.events.last == .endEncountered)
  }

  @Test("Octets of several writes come in order, whole, in pieces of the reader's choice")
  func inOrder() {
    let pair = opened()
    let (near, far) = (pair.central.channel!, pair.peripheral.channel!)
    pair.there {
      near.outputStream.open()
      for start in [0, 10, 20] as [UInt8] {
        equal(near.outputStream.write(Array(start..<start + 10), maxLength: 10), 10)
      }
    }
    pair.here {
      far.inputStream.open()
      var all: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 7)
      while far.inputStream.hasBytesAvailable {
        let count = far.inputStream.read(&piece, maxLength: 7)
        all += piece.prefix(count)
      }
      equal(all, Array(0..<30))
    }
  }

  @Test("Two channels on one PSM are two streams")
  func two() {
    let pair = opened()
    let (firstNear, firstFar) = (pair.central.channel!, pair.peripheral.channel!)
    pair.there { pair.central.peripheral.openL2CAPChannel(128) }
    let (near, far) = (pair.central.channel!, pair.peripheral.channel!)
    expect(near !== firstNear && far !== firstFar)
    pair.there {
      near.outputStream.open()
      _ = near.outputStream.write([2], maxLength: 1)
    }
    pair.here { expect(far.inputStream.hasBytesAvailable && !firstFar.inputStream.hasBytesAvailable) }
  }

  @Test("Each PSM that is published is told, and carries channels")
  func published() {
    let pair = Pair().ready()
    pair.here { pair.peripheral.manager.publishL2CAPChannel(withEncryption: true) }
    expect(pair.peripheral.log == ["psm 128"] && pair.peripheral.lastError == nil)
    expect(pair.room.device(pair.far).asked.contains(.channel(.publish(isEncrypted: true))))
  }
}
