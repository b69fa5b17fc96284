import AppSeam
import CoreBluetooth
import Expectations
import Network
import SimKernel
import Testing

@Suite("What a connection asks for")
struct ConnectionAttemptTests {
  /// What a start asks for, where the service is known.
  private static func request(_ change: (NWParameters) -> Void) -> ConnectRequest? {
    let phone = SeamPhone()
    phone.findService()
    let parameters = NWParameters.tcp
    change(parameters)
    let watched = phone.connection(using: parameters)
    let asked = phone.act { watched.start() }
    if case .connect(_, let request)? = asked.first { return request }
    equal(watched.states.last, .waiting(.posix(.ENETDOWN)))
    return nil
  }

  private static let wifi = NWPath(interfaces: 1).availableInterfaces[0]

  @Test("Infrastructure alone, unless peer to peer is included; infrastructure is preferred")
  func peerToPeer() {
    equal(Self.request { _ in }?.interfaces, [.infrastructure])
    equal(Self.request { $0.includePeerToPeer = true }?.interfaces, [.infrastructure, .peerToPeer])
  }

  @Test("What is required or prohibited leaves fewer interfaces; with none it waits")
  func constraints() {
    equal(Self.request { $0.requiredInterfaceType = .wifi }?.interfaces, [.infrastructure])
    expect(Self.request { $0.requiredInterfaceType = .cellular } == nil)
    expect(Self.request { $0.prohibitedInterfaceTypes = [.wifi] } == nil)
    equal(Self.request { $0.prohibitedInterfaceTypes = [.cellular] }?.interfaces, [.infrastructure])
    equal(
      Self.request {
        $0.includePeerToPeer = true
        $0.prohibitedInterfaces = [Self.wifi]
      }?.interfaces, [.peerToPeer])
    equal(Self.request { $0.requiredInterface = Self.wifi }?.interfaces, [.infrastructure])
    equal(Self.request { $0.prohibitExpensivePaths = true }?.interfaces, [.infrastructure])
  }

  @Test("An endpoint with an interface is reached over that one only")
  func endpointInterface() {
    let phone = SeamPhone()
    phone.findService()
    let endpoint = NWEndpoint.service(name: "Keynote", type: "_talk._tcp.", domain: "local.", interface: Self.wifi)
    let parameters = NWParameters.tcp
    parameters.includePeerToPeer = true
    let watched = phone.connection(to: endpoint, using: parameters)
    equal(
      phone.act { watched.start() },
      [.connect(ConnectionID(2), ConnectRequest(endpoint: EndpointID(0), interfaces: [.infrastructure]))])
  }

  @Test("connectionTimeout and keep-alive; what is not set is the system's")
  func tcp() {
    func options(_ change: (NWProtocolTCP.Options) -> Void) -> ConnectRequest? {
      Self.request { if let tcp = $0.defaultProtocolStack.transportProtocol as? NWProtocolTCP.Options { change(tcp) } }
    }
    equal(options { $0.connectionTimeout = 7 }?.timeout, .seconds(7))
    expect(options { _ in }?.timeout == nil && options { _ in }?.keepAlive == nil)
    equal(
      options {
        $0.enableKeepalive = true
        $0.keepaliveIdle = 2
      }?.keepAlive, KeepAliveRequest(idle: .seconds(2), interval: .seconds(75), count: 8))
  }

  @Test("A service that nobody has found is looked for, and connected to when it is there")
  func resolves() {
    let phone = SeamPhone()
    let watched = phone.connection()
    equal(phone.act { watched.start() }, [.browse(type: "_talk._tcp", peerToPeer: false)])
    equal(watched.states, [.preparing])
    equal(phone.tell(SeamPhone.found("Other", as: 0)), [])
    equal(
      phone.tell(SeamPhone.found(as: 1)),
      [
        .stopBrowsing(type: "_talk._tcp"),
        .connect(ConnectionID(2), ConnectRequest(endpoint: EndpointID(1), interfaces: [.infrastructure])),
      ])
  }

  @Test("The search of a connection ends with it")
  func resolvesNoMore() {
    let phone = SeamPhone()
    let watched = phone.connection()
    phone.act { watched.start() }
    equal(phone.act { watched.connection.cancel() }, [.stopBrowsing(type: "_talk._tcp")])
    equal(watched.states, [.preparing, .cancelled])
  }

  @Test("A service that a browser found before it was cancelled is connected to without a search")
  func afterBrowser() {
    let phone = SeamPhone()
    phone.findService()
    phone.act { phone.browser?.cancel() }
    let watched = phone.connection()
    let asked = phone.act { watched.start() }
    equal(
      asked, [.connect(ConnectionID(2), ConnectRequest(endpoint: EndpointID(0), interfaces: [.infrastructure]))])
  }

  @Test("While no interface has a link, the search waits")
  func noLink() {
    let phone = SeamPhone(links: [])
    let watched = phone.connection()
    phone.act { watched.start() }
    equal(watched.states, [.preparing, .waiting(.posix(.ENETDOWN))])
    phone.tell(.pathChanged([.infrastructure]))
    equal(watched.states.last, .preparing)
  }

  @Test(
    "Hosts, sockets and addresses of the web lead nowhere, and a remark says so once",
    arguments: [
      NWEndpoint.hostPort(host: "10.0.0.7", port: 80), .unix(path: "/tmp/x"),
      .url(URL(string: "https://example.org") ?? URL(fileURLWithPath: "/")),
    ])
  func otherEndpoints(endpoint: NWEndpoint) {
    let phone = SeamPhone()
    let watched = phone.connection(to: endpoint)
    equal(phone.act { watched.start() }, [])
    equal(watched.states, [.preparing, .waiting(.posix(.EHOSTUNREACH))])
    phone.act { watched.connection.restart() }
    equal(phone.remarks, ["limit network.endpoint"])
  }

  @Test("Parameters without a transport: the connection fails")
  func noTransport() {
    let phone = SeamPhone()
    let watched = phone.connection(using: NWParameters())
    phone.act { watched.start() }
    equal(watched.states.last, .failed(.posix(.EINVAL)))
    equal(phone.remarks, ["misuse network.no-transport"])
  }

  @Test("TLS is remarked once, and octets go as they are")
  func tls() {
    let phone = SeamPhone()
    let watched = phone.ready(using: .tls)
    let other = phone.connection(using: .tls)
    phone.act { other.start() }
    equal(phone.act { watched.send([1, 2]) }, [.send(ConnectionID(2), octets: [1, 2])])
    equal(phone.remarks, ["limit network.tls"])
  }

  @Test("Without a phone nothing happens")
  func noPhone() {
    let connection = NWConnection(to: SeamPhone.service, using: .tcp)
    connection.start(queue: DispatchQueue(label: "nobody"))
    equal(connection.state, .setup)
    connection.cancel()
  }

  @Test("A connection that waits is noted once where its app has no handler to learn it")
  func noHandler() {
    let phone = SeamPhone()
    phone.findService()
    phone.act {
      let connection = NWConnection(to: SeamPhone.service, using: .tcp)
      connection.start(queue: phone.queue)
    }
    phone.tell(.failed(ConnectionID(2), .refused))
    equal(phone.remarks, ["note connection.no-state-handler"])
  }
}

extension NWPath {
  /// The path of a phone with so many interfaces, as a monitor or a connection has it.
  init(interfaces count: Int) {
    let phone = SeamPhone(links: Array(NetworkInterface.allCases.prefix(count)))
    self = phone.phone.whileCurrent { NWPathMonitor().currentPath }
  }
}
