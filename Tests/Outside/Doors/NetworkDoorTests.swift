import MultipeerConnectivity
import Network
import Platform
import SimKernel
import Testing
import VirtualNetwork
import VirtualRoom

/// A bell at a door, as its maker writes it for Network.framework; nothing in it knows of a room.
final class Bell: @unchecked Sendable {
  private(set) var rings = 0
  private let listener: NWListener?
  private var visitors: [NWConnection] = []

  init() {
    listener = try? NWListener(service: NWListener.Service(name: "Front door", type: "_bell._tcp"), using: .tcp)
    listener?.newConnectionHandler = { [unowned self] visitor in
      visitors.append(visitor)
      visitor.start(queue: .main)
      hear(visitor)
    }
    listener?.start(queue: .main)
  }

  private func hear(_ visitor: NWConnection) {
    visitor.receive(minimumIncompleteLength: 1, maximumLength: 1) { [unowned self] data, _, isComplete, error in
      if data != nil { rings += 1 }
      if !isComplete, error == nil { hear(visitor) }
    }
  }
}

/// Who rings it.
final class Visitor: @unchecked Sendable {
  private(set) var isAtTheDoor = false
  private let browser = NWBrowser(for: .bonjour(type: "_bell._tcp", domain: nil), using: .tcp)
  private var door: NWConnection?

  init() {
    browser.browseResultsChangedHandler = { [unowned self] results, _ in
      if let first = results.first, door == nil { walk(to: first.endpoint) }
      if results.isEmpty { isAtTheDoor = false }
    }
    browser.start(queue: .main)
  }

  private func walk(to endpoint: NWEndpoint) {
    let tcp = NWProtocolTCP.Options()
    tcp.enableKeepalive = true
    tcp.keepaliveIdle = 1
    tcp.keepaliveInterval = 1
    tcp.keepaliveCount = 3
    let door = NWConnection(to: endpoint, using: NWParameters(tls: nil, tcp: tcp))
    self.door = door
    door.stateUpdateHandler = { [unowned self] state in isAtTheDoor = state == .ready }
    door.start(queue: .main)
  }

  func ring() { door?.send(content: Data([1]), completion: .idempotent) }
}

@Suite("Code for Network.framework, through the library products")
struct NetworkDoorTests {
  @Test("A visitor rings a bell, until its Wi-Fi is off")
  func bell() throws {
    let room = VirtualRoom(seed: 7, network: .home)
    let bell = room.phone("bell") { Bell() }
    let visitor = room.phone("visitor") { Visitor() }
    try room.wait(within: .seconds(10)) { visitor.app?.isAtTheDoor == true }
    try visitor.act { $0.ring() }
    try room.wait(within: .seconds(2)) { bell.app?.rings == 1 }
    try bell.apply(.network(.wifiOff))
    try room.wait(within: .seconds(10)) { visitor.app?.isAtTheDoor == false }
  }

  @Test("A peer looks for others, and finds none")
  func peer() throws {
    let room = VirtualRoom(seed: 7, network: .home)
    let phone = room.phone("phone") {
      let browser = MCNearbyServiceBrowser(peer: MCPeerID(displayName: "Ann"), serviceType: "bell")
      browser.startBrowsingForPeers()
      return browser
    }
    try room.run(for: .seconds(5))
    #expect(phone.app?.myPeerID.displayName == "Ann" && phone.remarks.allSatisfy { $0.kind != "misuse" })
  }
}
