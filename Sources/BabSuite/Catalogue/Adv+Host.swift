import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel
import VirtualRadio

/// ADV, host: what is advertised, and when (BAB 1.1, 2.2, 5.1.1, 5.1.2).
extension Catalog {
  static let advHost: [TestPurpose] = advHostData + advHostTimes

  private static let advHostData: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/ADV/BV-01-C", ["BAB 2.2"],
      "A host advertises the local name and the service UUID of its dialect.",
      initial: "client-1 scans without a filter.",
      expects: ["advertising data and scan response together hold the dialect's whole name and service UUID"]
    ) { t in
      try t.preamble { t.clients[0].look() }
      t.iut.user(.startHosting)
      try t.expectOwnName(heardBy: t.clients[0])
    },
    TestPurpose(
      "BAB/HOST/ADV/BV-02-C", ["BAB 2.2"],
      "On a phone with room for eight octets of name a host still advertises, and the phone shortens its name.",
      initial: "The IUT's phone has ten octets for the scan response; client-1 scans without a filter.",
      expects: ["the service UUID, and the first eight octets of the dialect's name"],
      arrange: { stage in
        stage.iut.phone.advertising.responseRoom = 10
        stage.iut.phone.advertising.nameOverflow = .shorten
      }
    ) { t in
      try t.preamble { t.clients[0].look() }
      t.iut.user(.startHosting)
      let name = t.dialect.advertisedName(peerID: t.iut.peerID, displayName: "iut")
      try t.clients[0].expectAdvertiser(named: String(name.prefix(8)))
    },
    TestPurpose(
      "BAB/HOST/ADV/BV-03-C", ["BAB 2.2"],
      "The name has the first eight characters of the display name, however many octets they take.",
      initial: "The IUT's display name is \"Zoë Grünwald-Łukasz\"; client-1 scans without a filter.",
      expects: ["the local name \"BAB-Zoë Grün\""], dialects: [.app],
      arrange: { $0.iut.displayName = "Zoë Grünwald-Łukasz" }
    ) { t in
      try t.preamble { t.clients[0].look() }
      t.iut.user(.startHosting)
      try t.clients[0].expectAdvertiser(named: "BAB-Zoë Grün")
    },
    TestPurpose(
      "BAB/HOST/ADV/BV-04-C", ["BAB 2.2"],
      "A host asks for nothing beyond name and service UUID, so that a phone that refuses too much takes it.",
      initial: "The IUT runs on a phone that refuses what does not fit; client-1 scans without a filter.",
      expects: ["the dialect's whole name and service UUID are on the air"], dialects: [.guide, .app],
      arrange: { $0.iut.phone = .android }
    ) { t in
      try t.preamble { t.clients[0].look() }
      t.iut.user(.startHosting)
      try t.clients[0].expectAdvertiser(named: t.dialect.advertisedName(peerID: t.iut.peerID, displayName: "iut"))
    },
    TestPurpose(
      "BAB/HOST/ADV/BV-05-C", ["BAB 1.1"],
      "A host is Peripheral only: it looks for nobody and connects to nobody.",
      initial: "The IUT hosts.",
      expects: ["no scan and no connection attempt, alone and with a client"]
    ) { t in
      t.iut.user(.startHosting)
      try t.preamble { try t.clients[0].join() }
      try t.never("the IUT scans or connects", for: .seconds(20)) {
        t.iut.asked { effect in
          switch effect {
          case .scan, .connect: true
          default: false
          }
        } != nil
      }
    },
  ]

  private static let advHostTimes: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/ADV/BV-06-C", ["BAB 5.1.1"],
      "A host publishes its service before it advertises.",
      initial: "The IUT's app has been launched.",
      expects: ["the service is published, then advertising begins"]
    ) { t in
      t.iut.user(.startHosting)
      try t.expect("the IUT advertises") { t.iut.advertisement != nil }
      let published = t.iut.asked {
        if case .publish(let service) = $0 { service.uuid == t.dialect.service } else { false }
      }
      let advertised = t.iut.asked { if case .advertise = $0 { true } else { false } }
      try t.require(
        "the service is published before the first advertising", record: advertised,
        actual: published == nil ? "no service is published" : "advertising came first",
        published ?? .max < advertised ?? .max)
    },
    TestPurpose(
      "BAB/HOST/ADV/BV-07-C", ["BAB 5.1.2"],
      "After a connection a host with free seats asks to advertise again, because platforms stop advertising then.",
      initial: "The IUT advertises.",
      expects: ["a request to advertise follows the connection", "with re-advertises, client-2 finds the host"],
      testers: 2
    ) { t in
      try t.preamble {
        t.iut.user(.startHosting)
        try t.clients[0].join()
      }
      let connected = t.iut.lastTold { if case .connected = $0 { true } else { false } } ?? .max
      guard !t.ics.claims(.readvertises) else {
        // Its platform asks in its place; what counts is that it can be found.
        t.clients[1].look()
        return try t.clients[1].expectAdvertiser()
      }
      try t.expect("the IUT asks to advertise again after the connection") {
        t.iut.asked(after: connected) { if case .advertise = $0 { true } else { false } } != nil
      }
    },
    TestPurpose(
      "BAB/HOST/ADV/BV-08-C", ["BAB 5.1.2"],
      "A full host advertises again once a seat is free.",
      initial: "Clients hold all seats.",
      expects: ["a scan that begins after one has left finds the host"], testers: 7
    ) { t in
      let seated = t.clients.prefix(t.dialect.capacity - 1)
      try t.preamble {
        t.iut.user(.startHosting)
        for client in seated { try client.join() }
        try t.pause(.seconds(1))
      }
      let leaver = seated[0]
      leaver.disconnect()
      try t.preamble { try t.expect("the IUT knows that \(leaver.name) has gone") { t.iut.links.count < seated.count } }
      leaver.look()
      try leaver.expectAdvertiser()
    },
    TestPurpose(
      "BAB/HOST/ADV/BV-09-C", ["BAB 5.1.2"],
      "Until the game begins a host goes on advertising while a seat is free, though nobody comes.",
      initial: "The IUT has hosted alone for two minutes.",
      expects: ["a scan finds the host"]
    ) { t in
      try t.preamble {
        t.iut.user(.startHosting)
        try t.pause(.seconds(120))
      }
      t.clients[0].look()
      try t.clients[0].expectAdvertiser()
    },
  ]
}

extension BabBed {
  /// The host under test must be found with the whole name of its dialect. When it chooses its id itself, which may be
  /// part of the name and too long for the air, it is asked for the id, and the name may be cut.
  fileprivate func expectOwnName(heardBy client: ClientTester) throws {
    guard ics.claims(.ownPeerID) else {
      return try client.expectAdvertiser(named: dialect.advertisedName(peerID: iut.peerID, displayName: "iut"))
    }
    try client.expectAdvertiser()
    client.ask(.stopScanning)
    try preamble { try client.join() }
    let name = dialect.advertisedName(peerID: iut.peerID, displayName: "iut")
    let fixed = dialect.advertisedName(peerID: "", displayName: "iut")
    let told = client.advertisements.compactMap(\.advertisement.localName)
    try require(
      "it has the name \"\(name)\", or as much as fits", actual: "\(told)",
      !told.isEmpty && told.allSatisfy { name.hasPrefix($0) && $0.hasPrefix(fixed) })
  }
}

extension LowerTester {
  /// Scans for whatever advertises.
  func look() {
    guard gives("scans without a filter") else { return }
    ask(.scan(services: []))
  }

  /// From now on the implementation must be found, with its dialect's service and, when one is given, just that name.
  func expectAdvertiser(named wanted: String? = nil, within limit: SimDuration = .seconds(5)) throws {
    let start = bed.now
    let found = {
      self.advertisements.filter { $0.instant >= start && $0.advertisement.address == self.bed.iut.address }
    }
    try bed.expect(
      "\(name) finds the IUT" + (wanted.map { " with the name \"\($0)\"" } ?? "") + " and the service UUID",
      within: limit,
      actual: {
        guard let newest = found().last?.advertisement else { return "it was not found" }
        let services = CountedNoun.text(newest.serviceUUIDs.count, "service UUID")
        return "it has name \"\(newest.localName ?? "")\" and \(services)"
      }
    ) {
      found().contains { entry in
        entry.advertisement.serviceUUIDs.contains(dialect.service)
          && wanted.map { entry.advertisement.localName == $0 } ?? true
      }
    }
  }
}
