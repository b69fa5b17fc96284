import AppSeam
import BluetoothWire
import Foundation
import SimKernel

@testable import CoreBluetooth

/// A medium of some phones in memory: it performs what they ask for and answers, in order, without loss or delay.
final class Room {
  var devices: [RoomDevice] = []
  private(set) var now = SimInstant.zero
  private var events: [(device: Int, input: AppInput)] = []
  /// ATT_MTU that both ends agree on.
  var attMTU = 185
  var requestCount = 1_000
  var channelCount = 0

  func add(memory: PhoneMemory = PhoneMemory(), at index: Int? = nil) -> VirtualPhone {
    let place = index ?? devices.count
    var settings = VirtualPhone.Settings(
      seed: 7, address: BluetoothAddress(kind: .random, bits: 0xC0DE_0000_0000 + UInt64(place)))
    settings.exceptions = .record
    let phone = VirtualPhone(settings, memory: memory)
    let device = RoomDevice(phone: phone, index: place)
    if place < devices.count { devices[place] = device } else { devices.append(device) }
    return phone
  }

  func device(_ phone: VirtualPhone) -> RoomDevice { devices.first { $0.phone === phone }! }
  func device(_ address: BluetoothAddress) -> RoomDevice? { devices.first { $0.address == address } }

  func tell(_ device: RoomDevice, _ input: AppInput) { events.append((device.index, input)) }
  func tell(_ device: RoomDevice, _ input: GATTInput) { tell(device, .gatt(input)) }
  func tell(_ device: RoomDevice, _ input: ChannelInput) { tell(device, .channel(input)) }

  /// Tells a phone something, and then runs.
  func give(_ phone: VirtualPhone, _ input: AppInput) {
    tell(device(phone), input)
    run()
  }

  /// Until nobody asks for anything.
  func run() {
    for _ in 0..<100_000 {
      // What apps did outside of a callback is on their queues.
      for device in devices { QueueSettling.run({}, phone: device.phone) }
      for device in devices { perform(device.phone.takeEffects(), of: device) }
      guard !events.isEmpty else { return }
      let (index, input) = events.removeFirst()
      now = now + .milliseconds(1)
      devices[index].phone.feed(input, at: now)
    }
    fatalError("the phones never rest")
  }

  private func perform(_ effects: [AppEffect], of device: RoomDevice) {
    for effect in effects {
      device.asked.append(effect)
      switch effect {
      case .gatt(let effect): perform(effect, of: device)
      case .channel(let effect): perform(effect, of: device)
      default: perform(effect, of: device)
      }
    }
  }
}

/// A phone with its part of the medium.
final class RoomDevice {
  let phone: VirtualPhone
  let index: Int
  var asked: [AppEffect] = []
  var advertised: AdvertisementRequest?
  /// What `advertise` is answered with.
  var mayAdvertise = true
  var scan: [BluetoothUUID]?
  var connecting: [BluetoothAddress] = []
  var links: [RoomLink] = []
  var linkCount = 0
  var table = RoomTable()
  /// Values that the stack takes from now on; nil: all.
  var room: Int?
  var questions: [RoomQuestion] = []
  var channels: [(id: ChannelID, peer: RoomDevice, peerID: ChannelID)] = []

  var address: BluetoothAddress { phone.settings.address }

  init(phone: VirtualPhone, index: Int) {
    self.phone = phone
    self.index = index
  }

  func link(_ id: LinkID) -> RoomLink? { links.first { $0.id == id } }

  func takes() -> Bool {
    guard let room else { return true }
    self.room = max(0, room - 1)
    return room > 0
  }
}

/// A link, at one end.
final class RoomLink {
  let id: LinkID
  let peer: RoomDevice
  let peerID: LinkID
  var attMTU = 23
  /// Value handles at this end that the other end has subscribed to.
  var subscriptions: [ATT.Handle] = []

  init(id: LinkID, peer: RoomDevice, peerID: LinkID) {
    self.id = id
    self.peer = peer
    self.peerID = peerID
  }
}

/// A read or write that waits for the app of the server.
struct RoomQuestion {
  var request: RequestID
  var client: RoomDevice
  var link: LinkID
  var handle: ATT.Handle
  var type: BluetoothUUID
  var isRead: Bool
  var soFar: [UInt8] = []
}
