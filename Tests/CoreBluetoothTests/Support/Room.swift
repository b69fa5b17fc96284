import AppSeam
import BluetoothWire
import Foundation
import SimKernel

@testable import CoreBluetooth

/// A medium of some phones in memory: it performs what they ask for and answers, in order, without loss or delay.
///
/// Whoever is full of abilities is asked and told by handle and key, others by what the seam has.
final class Room {
  var devices: [RoomDevice] = []
  private(set) var now = SimInstant.zero
  private var events: [(device: Int, event: Event)] = []
  /// ATT_MTU that both ends agree on.
  var attMTU = 185
  var requestCount = 1_000
  var channelCount = 0

  enum Event {
    case input(AppInput)
    case fact(PhoneFact)
  }

  /// A phone in the room; all abilities unless it is bare.
  func add(isBare: Bool = false, memory: PhoneMemory = PhoneMemory(), at index: Int? = nil) -> VirtualPhone {
    let place = index ?? devices.count
    var settings = VirtualPhone.Settings(
      seed: 7, address: BluetoothAddress(kind: .random, bits: 0xC0DE_0000_0000 + UInt64(place)))
    settings.exceptions = .record
    if !isBare { settings.abilities = .all }
    let phone = VirtualPhone(settings, memory: memory)
    let device = RoomDevice(phone: phone, index: place, isBare: isBare)
    if place < devices.count { devices[place] = device } else { devices.append(device) }
    return phone
  }

  func device(_ phone: VirtualPhone) -> RoomDevice { devices.first { $0.phone === phone }! }
  func device(_ address: BluetoothAddress) -> RoomDevice? { devices.first { $0.address == address } }

  func tell(_ device: RoomDevice, _ input: AppInput) { events.append((device.index, .input(input))) }
  func tell(_ device: RoomDevice, _ fact: PhoneFact) { events.append((device.index, .fact(fact))) }

  /// Tells a phone something, and then runs.
  func give(_ phone: VirtualPhone, _ input: AppInput) {
    tell(device(phone), input)
    run()
  }

  func give(_ phone: VirtualPhone, _ fact: PhoneFact) {
    tell(device(phone), fact)
    run()
  }

  /// Until nobody asks for anything.
  func run() {
    for _ in 0..<100_000 {
      // What apps did outside of a callback is on their queues.
      for device in devices { QueueSettling.run({}, phone: device.phone) }
      for device in devices { perform(device.phone.takeSteps(), of: device) }
      guard !events.isEmpty else { return }
      let (index, event) = events.removeFirst()
      now = now + .milliseconds(1)
      switch event {
      case .input(let input): devices[index].phone.feed(input, at: now)
      case .fact(let fact): devices[index].phone.feed(fact, at: now)
      }
    }
    fatalError("the phones never rest")
  }

  private func perform(_ steps: [PhoneStep], of device: RoomDevice) {
    for step in steps {
      device.asked.append(step)
      switch step {
      case .effect(let effect): perform(effect, of: device)
      case .wish(let wish): perform(wish, of: device)
      }
    }
  }
}

/// A phone with its part of the medium.
final class RoomDevice {
  let phone: VirtualPhone
  let index: Int
  let isBare: Bool
  var asked: [PhoneStep] = []
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

  init(phone: VirtualPhone, index: Int, isBare: Bool) {
    self.phone = phone
    self.index = index
    self.isBare = isBare
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
  var isRead: Bool
  var soFar: [UInt8] = []
}
