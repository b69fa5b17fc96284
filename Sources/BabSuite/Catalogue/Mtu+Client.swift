import AppSeam
import BabSim
import Bench
import BluetoothWire
import Conformance
import SimKernel
import VirtualRadio

/// MTU, client: what it asks for and when, and that values fit what it gets (BAB 2.7, 3.4, 5.1.4).
extension Catalog {
  static let mtuClient: [TestPurpose] =
    zip(["01", "02", "03", "04"], [23, 185, 247, 517]).map { size($0, $1) } + mtuClientExchange

  private static func size(_ number: String, _ attMTU: Int) -> TestPurpose {
    TestPurpose(
      "BAB/CLIENT/MTU/BV-\(number)-C", ["BAB 3.4"],
      "With an ATT_MTU of \(attMTU) no value is longer than \(min(attMTU - 3, 512)) octets.",
      initial: "The IUT's phone agrees on an ATT_MTU of \(attMTU); its display name has 600 characters.",
      expects: ["whole packets in values that fit"],
      arrange: { stage in
        stage.setATTMTU(attMTU)
        stage.hurry()
        stage.iut.displayName = String(repeating: "x", count: 600)
      }
    ) { t in
      try joinAndFit(t, attMTU: attMTU)
    }
  }

  private static func joinAndFit(_ t: BabBed, attMTU: Int) throws {
    let host = t.hosts[0]
    try t.preamble { host.host() }
    t.iut.user(.joinHost)
    try t.preamble {
      try t.expect("the ATT_MTU is \(attMTU)", within: .seconds(10)) { host.newestLink?.attMTU == attMTU }
      try t.pause(.seconds(8))
    }
    try t.requireFit()
    try host.requireWhole(atLeast: 2)
  }

  /// The IUT's phone exchanges when its app asks, and not before.
  @Sendable private static func appAsks(_ stage: inout Stage) {
    stage.setATTMTU(517)
    stage.iut.phone.att.exchangesAutomatically = false
    stage.iut.phone.att.appMayExchange = true
  }

  private static let mtuClientExchange: [TestPurpose] = [
    .client(
      "BAB/CLIENT/MTU/BV-05-C", ["BAB 2.7"],
      "A client asks for the ATT_MTU of its dialect.",
      initial: "The IUT's phone exchanges when its app asks; both sides can do 517.",
      expects: ["the dialect's ATT_MTU is agreed on"], arrange: appAsks
    ) { t, host in
      try t.preamble { host.host() }
      t.iut.user(.joinHost)
      try t.preamble { try host.expect(.handshake, within: .seconds(10)) }
      try t.require(
        "the ATT_MTU is \(t.dialect.wishedATTMTU)", actual: "it is \(host.newestLink?.attMTU ?? 0)",
        host.newestLink?.attMTU == t.dialect.wishedATTMTU)
    },
    .client(
      "BAB/CLIENT/MTU/BV-06-C", ["BAB 5.1.4"],
      "A client exchanges the ATT_MTU before its first packet.",
      initial: "The IUT's phone exchanges when its app asks.",
      expects: ["the exchange comes before the first value"], arrange: appAsks
    ) { t, host in
      try t.preamble { host.host() }
      t.iut.user(.joinHost)
      try t.preamble { try t.expect("the IUT writes", within: .seconds(10)) { !host.values.isEmpty } }
      try t.pause(.seconds(3))
      let exchanged = host.told.first { if case .attMTU = $0.input { true } else { false } }?.record
      try t.require(
        "the exchange comes before the first value", record: exchanged,
        actual: exchanged == nil ? "there is none" : "it came later",
        exchanged ?? .max < host.values.first?.record ?? -1)
    },
    TestPurpose(
      "BAB/CLIENT/MTU/BV-07-C", ["BAB 2.7", "BAB 3.4"],
      "Values fit what is agreed on, not what was asked for.",
      initial: "host-1's phone agrees to an ATT_MTU of 50 only.",
      expects: ["whole packets in values of at most 47 octets"],
      arrange: { stage in
        appAsks(&stage)
        stage.testers[0].phone.att.serverMTU = 50
      }
    ) { t in try joinAndFit(t, attMTU: 50) },
    TestPurpose(
      "BAB/CLIENT/MTU/BV-08-C", ["BAB 2.7", "BAB 3.4"],
      "On a phone that never exchanges values fit an ATT_MTU of 23.",
      initial: "The IUT's phone neither exchanges nor lets its app.",
      expects: ["whole packets in values of at most 20 octets"],
      arrange: { stage in
        stage.iut.phone.att.exchangesAutomatically = false
        stage.iut.phone.att.appMayExchange = false
      }
    ) { t in try joinAndFit(t, attMTU: 23) },
  ]
}
