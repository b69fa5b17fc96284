import AppSeam
import CoreBluetooth
import Expectations
import Network
import SimKernel
import Testing

@Suite("A listener")
struct ListenerTests {
  private static func listen(
    _ phone: SeamPhone, service: NWListener.Service? = .init(name: "Keynote", type: "_talk._tcp"),
    parameters: NWParameters = .tcp
  ) -> (listener: WatchedListener, asked: [NetworkEffect]) {
    let watched = phone.phone.whileCurrent { WatchedListener(service, parameters, phone.queue) }
    return (watched, phone.act { watched.listener.start(queue: phone.queue) })
  }

  private static func ready(_ name: String = "Keynote") -> NetworkInput {
    .listenerReady(type: "_talk._tcp", name: name, port: 50_000)
  }

  private static func endpoint(_ name: String) -> NWEndpoint {
    .service(name: name, type: "_talk._tcp", domain: "local.", interface: nil)
  }

  @Test("It registers its service, and is ready with a port; then the registration is told")
  func ready() {
    let phone = SeamPhone()
    let (watched, asked) = Self.listen(phone)
    equal(asked, [.listen(ListenRequest(type: "_talk._tcp", name: "Keynote", peerToPeer: false))])
    expect(watched.listener.state == .setup && watched.listener.port == nil)
    phone.tell(Self.ready())
    equal(watched.events, ["ready", "add Keynote"])
    equal(watched.listener.port, 50_000)
  }

  @Test("Peer to peer and keep-alive of its parameters are asked for")
  func parameters() {
    let tcp = NWProtocolTCP.Options()
    tcp.enableKeepalive = true
    tcp.keepaliveIdle = 5
    tcp.keepaliveInterval = 5
    tcp.keepaliveCount = 3
    let parameters = NWParameters(tls: nil, tcp: tcp)
    parameters.includePeerToPeer = true
    let probes = KeepAliveRequest(idle: .seconds(5), interval: .seconds(5), count: 3)
    equal(
      Self.listen(SeamPhone(), parameters: parameters).asked,
      [.listen(ListenRequest(type: "_talk._tcp", name: "Keynote", peerToPeer: true, keepAlive: probes))])
  }

  @Test("Without a name the service has the phone's")
  func noName() {
    equal(
      Self.listen(SeamPhone(), service: .init(type: "_talk._tcp.")).asked,
      [.listen(ListenRequest(type: "_talk._tcp", name: "iPhone", peerToPeer: false))])
  }

  @Test("A name that another device has: the registration tells the new one, now or later")
  func renamed() {
    let phone = SeamPhone()
    let (watched, _) = Self.listen(phone)
    phone.tell(Self.ready("Keynote (2)"), Self.ready("Keynote (3)"))
    equal(watched.events, ["ready", "add Keynote (2)", "remove Keynote (2)", "add Keynote (3)"])
    equal(watched.listener.service?.name, "Keynote")
  }

  @Test("Started without a newConnectionHandler it fails with EINVAL, and a remark says why")
  func noHandler() {
    let phone = SeamPhone()
    let watched = phone.phone.whileCurrent {
      WatchedListener(.init(name: "Keynote", type: "_talk._tcp"), .tcp, phone.queue)
    }
    watched.listener.newConnectionHandler = nil
    equal(phone.act { watched.listener.start(queue: phone.queue) }, [])
    equal(watched.listener.state, .failed(.posix(.EINVAL)))
    equal(phone.remarks, ["misuse listener.no-connection-handler"])
  }

  @Test("Without a service nobody finds it; a remark says so")
  func noService() {
    let phone = SeamPhone()
    let (watched, asked) = Self.listen(phone, service: nil)
    expect(asked == [] && watched.events == ["ready"])
    equal(phone.remarks, ["limit listener.no-service"])
  }

  @Test("A second listener of one type fails: the seam has one")
  func second() {
    let phone = SeamPhone()
    _ = Self.listen(phone)
    let (other, asked) = Self.listen(phone)
    expect(asked == [] && other.events == ["failed EADDRINUSE"])
    equal(phone.remarks, ["limit listener.several"])
  }

  @Test("While no interface has a link it waits")
  func noNetwork() {
    let phone = SeamPhone(links: [])
    let (watched, asked) = Self.listen(phone)
    expect(asked.count == 1 && watched.events == ["waiting ENETDOWN"])
    phone.tell(.pathChanged([.infrastructure]), Self.ready())
    equal(watched.events, ["waiting ENETDOWN", "ready", "add Keynote"])
  }

  @Test(
    "What ends it, and the error",
    arguments: [
      (NetworkReason.reclaimed, NWError.dns(DNSServiceErrorType(kDNSServiceErr_DefunctConnection))),
      (.invalid, .dns(DNSServiceErrorType(kDNSServiceErr_BadParam))), (.noPath, .posix(.ENETDOWN)),
    ])
  func failures(_ reason: NetworkReason, _ error: NWError) {
    let phone = SeamPhone()
    let (watched, _) = Self.listen(phone)
    phone.tell(.listenerFailed(type: "_talk._tcp", reason))
    equal(watched.listener.state, .failed(error))
    // Another one takes its place.
    equal(Self.listen(phone).asked.count, 1)
  }

  @Test("A connection that comes in is handed over in setup; started, it is ready")
  func incoming() throws {
    let phone = SeamPhone()
    let (watched, _) = Self.listen(phone)
    phone.tell(Self.ready(), .incoming(ConnectionID(1), .peerToPeer, peer: "guest-1"))
    let connection = try required(watched.connections.first)
    expect(connection.state == .setup && connection.parameters === watched.listener.parameters)
    let app = Watched(connection, phone.queue)
    equal(phone.act { app.start() }, [])
    equal(app.states, [.preparing, .ready])
    equal(connection.currentPath?.availableInterfaces.map(\.name), ["awdl0"])
    equal(phone.act { app.send([1]) }, [.send(ConnectionID(1), octets: [1])])
  }

  @Test("Its endpoint is the device at the other end, one on all interfaces, with another port each time")
  func endpoints() {
    let phone = SeamPhone()
    let (watched, _) = Self.listen(phone)
    phone.tell(
      Self.ready(), .incoming(ConnectionID(1), .peerToPeer, peer: "guest-1"),
      .incoming(ConnectionID(3), .infrastructure, peer: "guest-1"))
    let hosts = watched.connections.map { if case .hostPort(let host, _) = $0.endpoint { "\(host)" } else { "" } }
    equal(hosts, ["guest-1", "guest-1"])
    expect(watched.connections[0].endpoint != watched.connections[1].endpoint)
  }

  @Test("Octets, and the end, from before the app starts it are kept")
  func early() {
    let phone = SeamPhone()
    let (watched, _) = Self.listen(phone)
    phone.tell(
      Self.ready(), .incoming(ConnectionID(1), .infrastructure, peer: "guest-1"),
      .received(ConnectionID(1), octets: [1, 2]), .ended(ConnectionID(1)))
    let app = Watched(watched.connections[0], phone.queue)
    phone.act {
      app.start()
      app.receive()
    }
    equal(app.received, [.init(octets: [1, 2], isComplete: true, isFinal: true, error: nil)])
  }

  @Test("One that broke before the app started it fails when it is started")
  func broken() {
    let phone = SeamPhone()
    let (watched, _) = Self.listen(phone)
    phone.tell(
      Self.ready(), .incoming(ConnectionID(1), .infrastructure, peer: "guest-1"), .failed(ConnectionID(1), .reset))
    let app = Watched(watched.connections[0], phone.queue)
    phone.act { app.start() }
    equal(app.states, [.preparing, .ready, .failed(.posix(.ECONNRESET))])
  }

  @Test("One that the app cancels without a start is refused")
  func refused() {
    let phone = SeamPhone()
    let (watched, _) = Self.listen(phone)
    phone.tell(Self.ready(), .incoming(ConnectionID(1), .infrastructure, peer: "guest-1"))
    equal(phone.act { watched.connections[0].cancel() }, [.cancel(ConnectionID(1))])
  }

  @Test("newConnectionLimit counts down; connections beyond it wait until it is raised")
  func limit() {
    let phone = SeamPhone()
    let (watched, _) = Self.listen(phone)
    phone.act { watched.listener.newConnectionLimit = 1 }
    phone.tell(
      Self.ready(), .incoming(ConnectionID(1), .infrastructure, peer: "guest-1"),
      .incoming(ConnectionID(3), .infrastructure, peer: "guest-2"))
    expect(watched.connections.count == 1 && watched.listener.newConnectionLimit == 0)
    phone.act { watched.listener.newConnectionLimit = NWListener.InfiniteConnectionLimit }
    equal(watched.connections.count, 2)
  }

  @Test("cancel ends the service and what waits, not the connections; cancelled is the last call")
  func cancel() {
    let phone = SeamPhone()
    let (watched, _) = Self.listen(phone)
    phone.tell(Self.ready(), .incoming(ConnectionID(1), .infrastructure, peer: "guest-1"))
    phone.act {
      watched.connections[0].start(queue: phone.queue)
      watched.listener.newConnectionLimit = 0
    }
    phone.tell(.incoming(ConnectionID(3), .infrastructure, peer: "guest-2"))
    equal(
      phone.act { watched.listener.cancel() }, [.stopListening(type: "_talk._tcp"), .cancel(ConnectionID(3))])
    equal(watched.events, ["ready", "add Keynote", "remove Keynote", "cancelled"])
    equal(watched.connections[0].state, .ready)
    equal(phone.act { watched.listener.cancel() }, [])
  }

  @Test("Another service while it runs takes the place of the one before; nil takes it away")
  func changes() {
    let phone = SeamPhone()
    let (watched, _) = Self.listen(phone)
    phone.tell(Self.ready())
    equal(
      phone.act { watched.listener.service = .init(name: "Other", type: "_talk._tcp") },
      [
        .stopListening(type: "_talk._tcp"),
        .listen(ListenRequest(type: "_talk._tcp", name: "Other", peerToPeer: false)),
      ])
    phone.tell(Self.ready("Other"))
    equal(watched.events, ["ready", "add Keynote", "remove Keynote", "add Other"])
    equal(phone.act { watched.listener.service = nil }, [.stopListening(type: "_talk._tcp")])
    equal(watched.events.last, "remove Other")
  }

  @Test("What a service says of itself is registered with it; another record alone is no other service")
  func record() {
    let phone = SeamPhone()
    let service = NWListener.Service(name: "Keynote", type: "_talk._tcp", txtRecord: NWTXTRecord(["v": "1"]))
    let (watched, asked) = Self.listen(phone, service: service)
    let record = Array("\u{3}v=1".utf8)
    equal(
      asked, [.listen(ListenRequest(type: "_talk._tcp", name: "Keynote", peerToPeer: false, record: record))])
    equal(watched.listener.service?.txtRecordObject?["v"], "1")
    func change(_ record: NWTXTRecord) -> [NetworkEffect] {
      phone.act { watched.listener.service = .init(name: "Keynote", type: "_talk._tcp", txtRecord: record) }
    }
    equal(change(NWTXTRecord(["v": "2"])), [.updateRecord(type: "_talk._tcp", record: Array("\u{3}v=2".utf8))])
    equal(change(NWTXTRecord(["v": "2"])), [])
    equal(change(NWTXTRecord()), [.updateRecord(type: "_talk._tcp", record: [])])
    equal(phone.remarks, [])
  }

  @Test("Octets that are no TXT record are remarked")
  func noRecord() {
    let phone = SeamPhone()
    _ = Self.listen(phone, service: NWListener.Service(type: "_talk._tcp", txtRecord: Data([9, 0x61])))
    equal(phone.remarks, ["misuse listener.txt-record"])
  }

  @Test("A second start is ignored; one after its end too")
  func startTwice() {
    let phone = SeamPhone()
    let (watched, _) = Self.listen(phone)
    equal(phone.act { watched.listener.start(queue: phone.queue) }, [])
    phone.act { watched.listener.cancel() }
    phone.act { watched.listener.start(queue: phone.queue) }
    equal(phone.remarks, ["misuse network.started-twice", "misuse network.started-after-cancel"])
  }

  @Test("Where an app has two listeners, the first has all connections, and a remark says so")
  func several() {
    let phone = SeamPhone()
    let (first, _) = Self.listen(phone)
    let (other, _) = Self.listen(phone, service: .init(name: "Keynote", type: "_other._tcp"))
    phone.tell(Self.ready(), .incoming(ConnectionID(1), .infrastructure, peer: "guest-1"))
    expect(first.connections.count == 1 && other.connections.isEmpty)
    equal(phone.remarks, ["limit listener.several"])
  }

  @Test("A connection for which there is no listener any more is ended")
  func nobody() {
    let phone = SeamPhone()
    let (watched, _) = Self.listen(phone)
    phone.act { watched.listener.cancel() }
    equal(phone.tell(.incoming(ConnectionID(1), .infrastructure, peer: "guest-1")), [.cancel(ConnectionID(1))])
  }
}

/// A listener, and what its app was told.
private final class WatchedListener: @unchecked Sendable {
  let listener: NWListener
  private(set) var events: [String] = []
  private(set) var connections: [NWConnection] = []

  init(_ service: NWListener.Service?, _ parameters: NWParameters, _ queue: DispatchQueue) {
    guard let listener = try? NWListener(service: service, using: parameters) else { fatalError("no listener") }
    self.listener = listener
    listener.stateUpdateHandler = { [self] state in
      dispatchPrecondition(condition: .onQueue(queue))
      switch state {
      case .waiting(.posix(let code)): events.append("waiting \(code)")
      case .failed(.posix(let code)): events.append("failed \(code)")
      default: events.append("\(state)")
      }
    }
    listener.serviceRegistrationUpdateHandler = { [self] change in
      switch change {
      case .add(.service(let name, _, _, _)): events.append("add \(name)")
      case .remove(.service(let name, _, _, _)): events.append("remove \(name)")
      default: events.append("\(change)")
      }
    }
    listener.newConnectionHandler = { [self] in connections.append($0) }
  }
}
