import Expectations
import Network
import SimKernel
import Testing
import VirtualRoom

@Suite("Apps written for Network.framework play in a room")
struct TalkRoomTests {
  @Test("A guest finds the host, and octets go both ways")
  func talk() throws {
    let room = VirtualRoom(seed: 1, network: .ideal)
    let host = room.phone("host") { TalkHost() }
    let guest = room.phone("guest") { TalkGuest() }
    try room.wait(within: .seconds(5)) { guest.app?.states.last == .ready }
    try guest.act { $0.say("hello") }
    try room.wait(within: .seconds(1)) { guest.app?.received == Data("hello".utf8) }
    equal(host.app?.received, Data("hello".utf8))
    equal(guest.app?.sent, 1)
    equal(host.app?.states, [.ready])
    equal(guest.app?.states, [.preparing, .ready])
    equal(host.app?.connectionStates, [[.preparing, .ready]])
    expect(guest.remarks.filter { $0.kind != "notVirtual" }.isEmpty)
    try guest.act { $0.connection?.cancel() }
    try room.run(for: .seconds(1))
    equal(guest.app?.states.last, .cancelled)
    equal(host.app?.ends, 1)
  }
}
