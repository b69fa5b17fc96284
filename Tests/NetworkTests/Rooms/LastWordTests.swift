import Expectations
import Network
import Platform
import SimKernel
import Testing
import VirtualRoom

@Suite("The end of a connection is heard, over whichever interface it goes")
struct LastWordTests {
  private static func room(_ network: RoomNetwork) throws -> (VirtualRoom, RoomPhone<TalkHost>, RoomPhone<TalkGuest>) {
    let parameters = NWParameters.tcp
    parameters.includePeerToPeer = true
    let room = VirtualRoom(seed: 1, network: network)
    let host = room.phone("host") { TalkHost(parameters: parameters) }
    let guest = room.phone("guest") { TalkGuest(parameters: parameters) }
    try room.wait(within: .seconds(20)) {
      guest.app?.states.last == .ready && host.app?.connections.count == 1
    }
    try room.run(for: .seconds(2))
    return (room, host, guest)
  }

  @Test("A guest that ends everything it has", arguments: [RoomNetwork.withoutInfrastructure, .home])
  func cancels(network: RoomNetwork) throws {
    let (room, host, guest) = try Self.room(network)
    try guest.act {
      $0.browser.cancel()
      $0.connection?.cancel()
    }
    try room.run(for: .seconds(5))
    equal(host.app?.ends, 1)
  }

  @Test("A guest that is killed", arguments: [RoomNetwork.withoutInfrastructure, .home])
  func killed(network: RoomNetwork) throws {
    let (room, host, guest) = try Self.room(network)
    try guest.apply(.kill)
    try room.run(for: .seconds(5))
    equal(host.app?.connectionStates.last?.last, .failed(.posix(.ECONNRESET)))
  }
}
