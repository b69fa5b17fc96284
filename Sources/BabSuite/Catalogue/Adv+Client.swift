import AppSeam
import BabSim
import BluetoothWire
import Conformance
import Platform
import SimKernel

/// ADV, client: whom it looks for, takes for a host and connects to (BAB 1.1, 2.4, 2.5, 8.5, 8.6).
extension Catalog {
  static let advClient: [TestPurpose] = advClientRule + advClientStrangers + advClientTimes

  private static let advClientRule: [TestPurpose] = [
    TestPurpose(
      "BAB/CLIENT/ADV/BV-01-C", ["BAB 2.4"],
      "A client scans with its dialect's filter: the service UUID, or none in `app`.",
      initial: "Nobody advertises.",
      expects: ["every scan it asks for has exactly that filter"]
    ) { t in
      t.iut.user(.joinHost)
      let scans = { t.iut.effects.compactMap { if case .scan(let services) = $0.effect { services } else { nil } } }
      try t.expect("the IUT scans") { !scans().isEmpty }
      try t.pause(.seconds(3))
      try t.require(
        "each scan has the dialect's filter", actual: "filters of \(scans().map(\.count)) UUIDs",
        scans().allSatisfy { $0 == t.dialect.scanFilter })
    },
    TestPurpose(
      "BAB/CLIENT/ADV/BV-02-C", ["BAB 2.5"],
      "A host is known by its service UUID, whatever its name.",
      initial: "host-1 advertises the service UUID and the name \"Kitchen lamp\".",
      expects: ["the client connects and asks for a seat"], dialects: [.guide, .sdk]
    ) { t in
      t.hosts[0].advertisedName = "Kitchen lamp"
      try t.hosts[0].seatIUT()
    },
    TestPurpose(
      "BAB/CLIENT/ADV/BV-03-C", ["BAB 2.5"],
      "A host is known by the prefix of its name, whatever service it advertises.",
      initial: "host-1 advertises the name \"BAB-x\" and no service UUID.",
      expects: ["the client connects and asks for a seat"], dialects: [.app]
    ) { t in
      t.hosts[0].advertisedName = "BAB-x"
      t.hosts[0].advertisedUUIDs = []
      try t.hosts[0].seatIUT()
    },
    TestPurpose(
      "BAB/CLIENT/ADV/BV-04-C", ["BAB 1.1"],
      "A client is Central only: it publishes and advertises nothing.",
      initial: "host-1 hosts.",
      expects: ["no service is published and nothing advertised, on the way to the seat and in it"]
    ) { t in
      try t.preamble { try t.hosts[0].seatIUT() }
      try t.never("the IUT publishes or advertises", for: .seconds(10)) {
        t.iut.asked { effect in
          switch effect {
          case .publish, .advertise: true
          default: false
          }
        } != nil
      }
    },
    TestPurpose(
      "BAB/CLIENT/ADV/BI-01-C", ["BAB 2.5"],
      "An advertiser with a host's name and another service UUID is not a host.",
      initial: "host-1 advertises the dialect's name with a foreign service UUID.",
      expects: ["no connection to host-1; host-2, who is a host, is found"], dialects: [.guide, .sdk], testers: 2
    ) { t in
      t.hosts[0].advertisedUUIDs = [BluetoothUUID(0x1812)]
      try leavesAlone(t)
    },
    TestPurpose(
      "BAB/CLIENT/ADV/BI-02-C", ["BAB 2.5"],
      "An advertiser of the service whose name has another prefix is not a host.",
      initial: "host-1 advertises the dialect's service UUID with the name \"BOB-x\".",
      expects: ["no connection to host-1; host-2, who is a host, is found"], dialects: [.app], testers: 2
    ) { t in
      t.hosts[0].advertisedName = "BOB-x"
      try leavesAlone(t)
    },
  ]

  /// The client must not connect to host-1, and must to host-2.
  private static func leavesAlone(_ t: BabBed) throws {
    let (stranger, host) = (t.hosts[0], t.hosts[1])
    stranger.host()
    t.iut.user(.joinHost)
    try t.never("the IUT connects to \(stranger.name)", for: .seconds(5)) { !stranger.links.isEmpty }
    host.host()
    try t.expect("the IUT connects to \(host.name)") { host.isConnected }
    try t.never("the IUT connects to \(stranger.name)", for: .seconds(2)) { !stranger.links.isEmpty }
  }

  // MARK: Strangers

  private static let advClientStrangers: [TestPurpose] = [
    stranger("03", "no service of the dialect") { service, _ in
      service.uuid = BluetoothUUID(0x1812)
    },
    stranger("04", "no command characteristic") { service, dialect in
      service.characteristics.removeAll { $0.uuid == dialect.command.uuid }
    },
    stranger("05", "no state characteristic") { service, dialect in
      service.characteristics.removeAll { $0.uuid == dialect.state.uuid }
    },
    stranger("06", "a state characteristic that does not notify") { service, dialect in
      for index in service.characteristics.indices where service.characteristics[index].uuid == dialect.state.uuid {
        service.characteristics[index].properties = [.read]
      }
    },
  ]

  /// Something that advertises as a host does and is none.
  private static func stranger(
    _ number: String, _ lack: String, _ change: @escaping @Sendable (inout ServiceDefinition, Dialect) -> Void
  ) -> TestPurpose {
    TestPurpose(
      "BAB/CLIENT/ADV/BI-\(number)-C", ["BAB 2.5"],
      "A client ends the link to an advertiser that has \(lack), and does not try that address again.",
      initial: "host-1 advertises as a host of the dialect, and has \(lack).",
      expects: ["one connection to host-1, which the client ends; then host-2, who is a host, is found"], testers: 2
    ) { t in
      let (stranger, host) = (t.hosts[0], t.hosts[1])
      change(&stranger.service, t.dialect)
      stranger.host()
      t.iut.user(.joinHost)
      try t.preamble { try t.expect("the IUT connects to \(stranger.name)") { stranger.isConnected } }
      try stranger.expectDisconnected(reasons: [.remoteUserTerminatedConnection])
      try t.never("the IUT connects to \(stranger.name) again", for: .seconds(6)) { stranger.links.count > 1 }
      host.host()
      try host.expect(.clientJoin, within: .seconds(8))
      try t.require("\(stranger.name) was left alone", stranger.links.count == 1)
    }
  }

  // MARK: Times

  private static let advClientTimes: [TestPurpose] = [
    .client(
      "BAB/CLIENT/ADV/BV-05-C", ["BAB 8.5"],
      "A connection attempt that leads nowhere is given up after 10 s, in `app` after 30 s.",
      initial: "host-1 is found and vanishes before the connection.",
      expects: ["the attempt is cancelled no earlier and no later; the host is found when it is there again"]
    ) { t, host in
      let tries = { t.iut.asked { if case .connect = $0 { true } else { false } } }
      let gaveUp = { t.iut.asked { if case .cancelConnect = $0 { true } else { false } } != nil }
      let limit: SimDuration = t.dialect.name == "app" ? .seconds(30) : .seconds(10)
      try t.preamble {
        host.hostAndBeJoined()
        try t.expect("the IUT tries to connect") { tries() != nil }
        host.suffers(.vanish, "vanishes")
      }
      let start = t.now
      try t.never("the attempt is given up", for: limit - .milliseconds(100)) { gaveUp() }
      try t.preamble { try t.require("no connection came about", host.links.isEmpty) }
      try t.expect("the attempt is given up", within: start + limit + .milliseconds(100) - t.now) { gaveUp() }
      host.suffers(.appear, "is there again")
      try host.expect(.clientJoin, within: .seconds(10))
    },
    TestPurpose(
      "BAB/CLIENT/ADV/BV-06-C", ["BAB 8.6"],
      "The scan for a first host ends after 15 s.",
      initial: "Nobody advertises.",
      expects: ["the scan goes on at 14.9 s and has ended at 15.1 s"], dialects: [.app]
    ) { t in
      t.iut.user(.joinHost)
      try t.preamble { try t.expect("the IUT scans", within: .milliseconds(20)) { t.iut.isScanning } }
      try t.never("the scan ends", for: .milliseconds(14_880)) { !t.iut.isScanning }
      try t.expect("the scan ends", within: .milliseconds(200)) { !t.iut.isScanning }
      try t.never("it scans again", for: .seconds(20)) { t.iut.isScanning }
    },
    TestPurpose(
      "BAB/CLIENT/ADV/BV-07-C", ["BAB 8.6"],
      "The scan for a first host goes on until the client is told.",
      initial: "Nobody advertises for a minute.",
      expects: ["a host that comes after a minute is found"], dialects: [.guide, .sdk]
    ) { t in
      try t.preamble {
        t.iut.user(.joinHost)
        try t.pause(.seconds(60))
      }
      t.hosts[0].host()
      try t.hosts[0].expect(.clientJoin, within: .seconds(10))
    },
    TestPurpose(
      "BAB/CLIENT/ADV/BV-08-C", ["BAB 8.6"],
      "A client that is told to leave ends its scan.",
      initial: "The client looks for a host.",
      expects: ["the scan ends, and no connection to a host that comes later"]
    ) { t in
      try t.preamble {
        t.iut.user(.joinHost)
        try t.expect("the IUT scans") { t.iut.isScanning }
      }
      t.iut.user(.leave)
      try t.expect("the scan ends", within: .seconds(1)) { !t.iut.isScanning }
      t.hosts[0].host()
      try t.never("the IUT connects", for: .seconds(5)) { t.hosts[0].isConnected }
    },
  ]
}
