import BluetoothWire
import Expectations
import Foundation
import GuideApps
import Testing

@testable import CoreBluetooth

@Suite("Two small apps")
struct ChatTests {
  /// A host and a guest in a room, talking.
  private final class Talk {
    let room = Room()
    let near: VirtualPhone
    let far: VirtualPhone
    let queue = DispatchQueue(label: "chat")
    var guest: ChatGuest!
    var host: ChatHost!

    init() {
      near = room.add()
      far = room.add()
      far.whileCurrent { host = ChatHost(queue: queue) }
      near.whileCurrent { guest = ChatGuest(queue: queue) }
      room.run()
    }

    func run(_ body: () -> Void) {
      queue.sync(execute: body)
      room.run()
    }
  }

  @Test("They find each other and talk")
  func talk() {
    let talk = Talk()
    expect(talk.guest.isConnected)
    equal(talk.host.guests, 1)
    talk.run { talk.guest.say("hello") }
    talk.run { talk.host.say("welcome") }
    equal(talk.host.heard, ["hello"])
    equal(talk.guest.heard, ["welcome"])
    expect(talk.near.takeRemarks().isEmpty)
    expect(talk.far.takeRemarks().isEmpty)
  }

  @Test("A hundred lines arrive in order through a queue of four")
  func backPressure() {
    let talk = Talk()
    let lines = (0..<100).map { "line \($0)" }
    talk.room.device(talk.near).room = 4
    talk.room.device(talk.far).room = 4
    talk.run { for line in lines { talk.guest.say(line) } }
    talk.run { for line in lines { talk.host.say(line) } }
    for _ in 0..<60 {
      talk.room.makeRoom(talk.near, 4)
      talk.room.makeRoom(talk.far, 4)
    }
    equal(talk.host.heard, lines)
    equal(talk.guest.heard, lines)
  }

  @Test("The guest comes back after a lost connection")
  func comesBack() {
    let talk = Talk()
    let near = talk.room.device(talk.near)
    talk.room.end(near.links[0].id, of: near, here: .connectionTimeout, there: .connectionTimeout)
    talk.room.run()
    equal(talk.guest.errors, [.connectionTimeout])
    expect(talk.guest.isConnected)
    equal(talk.host.guests, 2)
  }

  @Test("The same conversation asks for the same effects in every run")
  func repeatable() {
    let runs = (0..<5).map { _ in
      let talk = Talk()
      talk.run { talk.guest.say("hello") }
      talk.run { talk.host.say("welcome") }
      return talk.room.devices.map(\.asked)
    }
    for run in runs { equal(run, runs[0]) }
  }
}
