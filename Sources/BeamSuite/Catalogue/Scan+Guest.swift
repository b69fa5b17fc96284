import AppSeam
import BeamScribe
import Bench
import BluetoothWire
import Conformance
import Platform
import SimKernel
import VirtualRadio

/// SCAN: BLE of a guest (BEAM 5.2, 5.3).
extension Catalog {
  static let scanGuest: [TestPurpose] = scanGuestPriming + scanGuestTimes

  private static let scanGuestPriming: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/SCAN/BV-01-C", ["BEAM 5.2.3", "BEAM 5.2.4", "BEAM 5.3.1"],
      "Joining starts the filtered scan and the browser in the same instant.",
      initial: "Nobody hosts.", expects: ["a scan for the service UUID and a browser, and neither before"],
      needs: [.beamBLE]
    ) { t in
      try t.pause(.seconds(1))
      try t.require("no scan and no browser before", !t.iut.isBrowsing && t.iut.firstAsked(\.isOfBluetooth) == nil)
      t.iut.user(.join)
      try t.pause(.milliseconds(20))
      guard let start = t.iut.userInstant else { throw t.inconclusive("the person joins") }
      let scan = t.iut.firstAsked { $0 == .scan(services: [.beamScribe]) }
      try t.require("the IUT scans for the service UUID", scan, is: .zero, after: start)
      let browse = t.iut.firstAsked { if case .network(.browse) = $0 { true } else { false } }
      try t.require("the IUT browses", browse, is: .zero, after: start, clause: "BEAM 5.2.4")
    },
    TestPurpose(
      "BEAM/GUEST/SCAN/BV-02-C", ["BEAM 5.3.3"], "A sighting primes peer to peer for 10 s at once.",
      initial: "The guest looks for a host.", expects: ["priming for 10 s in the instant of the first sighting"],
      needs: [.beamBLE]
    ) { t in
      try t.preamble { try looking(t) }
      t.host.advertise("Keynote")
      try t.expect("the IUT hears the host", within: .seconds(5)) { sightings(t).first != nil }
      guard let sighting = sightings(t).first else { throw t.inconclusive("the IUT hears the host") }
      try t.require("the IUT primes peer to peer", t.iut.primings.first?.instant, is: .zero, after: sighting)
      let time = t.iut.primings.first?.time
      try t.require("for 10 s", actual: time.map(BeamBed.text) ?? "", time == .seconds(10))
    },
    TestPurpose(
      "BEAM/GUEST/SCAN/BV-03-C", ["BEAM 5.3.3"],
      "It primes again while it still hears the host 10 s later, and not in between.",
      initial: "The guest hears a host for half a minute.",
      expects: ["priming every 10 s, with the sighting that follows"],
      needs: [.beamBLE]
    ) { t in
      try t.preamble { try looking(t) }
      t.host.advertise("Keynote")
      try t.expect("the IUT hears the host", within: .seconds(5)) { sightings(t).first != nil }
      try t.pause(.seconds(25))
      var due = SimInstant.zero
      var expected: [SimInstant] = []
      for sighting in sightings(t) where sighting >= due {
        expected.append(sighting)
        due = sighting + .seconds(10)
      }
      let primed = t.iut.primings.map(\.instant)
      try t.require(
        "the IUT has primed \(CountedNoun.text(expected.count, "time")), 10 s apart", actual: "at \(primed)",
        primed == expected)
    },
    TestPurpose(
      "BEAM/GUEST/SCAN/BV-04-C", ["BEAM 5.3.4"],
      "Told a name, it primes for the advertiser with the right start of it and for one without a name, not "
        + "for another.",
      initial: "The guest was told “Keynote 2026”.",
      expects: ["nothing for “Other”", "priming for one without a name, and for “Keynote ”"], needs: [.beamBLE],
      testers: 3,
      arrange: { stage in
        // BEAM 5.2: the name is in the advertising data, so that no sighting is without it.
        for index in stage.testers.indices {
          stage.testers[index].phone.advertising.namePlacement = .advertisingDataFirst
        }
      }
    ) { t in
      t.iut.user(.joinEvent(name: "Keynote 2026"))
      try t.pause(.milliseconds(100))
      t.host.advertise("Other")
      try t.pause(.seconds(25))
      let others = names(t)
      guard others.contains("Other") else { throw t.inconclusive("the IUT hears host-1") }
      // A platform may show an advertiser before it knows the name.
      try t.require(
        "the IUT does not prime for “Other”",
        actual: "primings at \(t.iut.primings.map(\.instant)), names \(others.map { $0 ?? "none" })",
        primedNames(t).allSatisfy { $0 == nil })
      t.host.stopAdvertising()
      let known = t.iut.primings.count
      t.hosts[1].advertise("Keynote ")
      try t.expect("the IUT primes for host-2", within: .seconds(12)) { t.iut.primings.count > known }
      t.hosts[1].stopAdvertising()
      try t.pause(.seconds(11))
      let before = t.iut.primings.count
      t.hosts[2].advertise("")
      try t.pause(.seconds(3))
      guard names(t).contains(nil) else { throw t.inconclusive("the platform shows an advertiser without a name") }
      try t.require("the IUT primes for host-3", actual: "it does not", t.iut.primings.count > before)
    },
  ]

  private static let scanGuestTimes: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/SCAN/BV-05-C", ["BEAM 5.2.6"], "The scan stops in the instant in which the stream is ready.",
      initial: "The guest scans, and a host is found.", expects: ["the scan ends with the stream's ready"],
      needs: [.beamBLE]
    ) { t in
      try t.preamble {
        try looking(t)
        try t.host.listen()
        try t.host.expectStream()
      }
      try t.pause(.milliseconds(100))
      guard let ready = t.iut.attempts.last.flatMap({ t.iut.ready($0.id) }) else { throw t.inconclusive("it is ready") }
      try t.require(
        "the IUT stops to scan", t.iut.firstAsked { $0 == .stopScanning }, is: .zero, after: ready)
      try t.never("the IUT scans", for: .seconds(5)) { t.iut.isScanning }
    },
    TestPurpose(
      "BEAM/GUEST/SCAN/BV-06-C", ["BEAM 5.2.7", "BEAM 5.9.1"],
      "The scan begins again in the instant in which the stream is lost.",
      initial: "The guest shows a history.", expects: ["a scan and LOST with the loss"], needs: [.beamBLE, .beamScreen]
    ) { t in
      try t.preamble {
        try t.host.serve(["Hi."])
        try t.expectState(.showing)
      }
      let before = t.newestRecord
      t.host.cancel()
      try t.pause(.milliseconds(100))
      let lost = try t.endOfNewest()
      let scan = t.iut.effects.first { $0.record > before && $0.effect.isScan }?.instant
      try t.require("the IUT scans again", scan, is: .zero, after: lost)
      try t.require("the IUT shows LOST", t.iut.instant(of: .lost), is: .zero, after: lost, clause: "BEAM 5.9.1")
    },
    TestPurpose(
      "BEAM/GUEST/SCAN/BI-01-C", ["BEAM 5.2.5"], "It does not connect over BLE, though the advertiser is connectable.",
      initial: "The guest looks for a host.", expects: ["no connection over BLE in 15 s"], needs: [.beamBLE]
    ) { t in
      try t.preamble { try looking(t) }
      t.host.advertise("Keynote")
      try t.expect("the IUT hears the host", within: .seconds(5)) { !sightings(t).isEmpty }
      try t.never("the IUT connects over BLE", for: .seconds(15)) {
        t.iut.asked { if case .connect = $0 { true } else { false } } != nil
      }
    },
    TestPurpose(
      "BEAM/GUEST/SCAN/BI-02-C", ["BEAM 5.2.8"],
      "Bluetooth off and on while looking: it scans again; without Bluetooth it still finds the host.",
      initial: "The guest looks for a host.", expects: ["a scan when Bluetooth is back", "a stream without Bluetooth"],
      needs: [.beamBLE]
    ) { t in
      try t.preamble { try looking(t) }
      t.iut.suffers(.radioOff, "Bluetooth is switched off")
      try t.pause(.seconds(2))
      let before = t.newestRecord
      t.iut.suffers(.radioOn, "Bluetooth is on again")
      try t.expect("the IUT scans again", within: .milliseconds(500)) {
        t.iut.asked(after: before, for: \.isScan) != nil
      }
      t.iut.suffers(.radioOff, "Bluetooth is switched off")
      try t.host.listen()
      try t.host.expectStream(within: .seconds(10))
    },
  ]

  /// The guest's person has joined, and it scans.
  private static func looking(_ t: BeamBed) throws {
    t.iut.user(.join)
    try t.expect("the IUT scans") { t.iut.isScanning }
  }

  /// When the implementation was shown advertisements with the service UUID.
  private static func sightings(_ t: BeamBed) -> [SimInstant] { advertisements(t).map(\.instant) }

  /// The names of advertisers with the service UUID, as the implementation was shown them.
  private static func names(_ t: BeamBed) -> [String?] { advertisements(t).map(\.name) }

  /// The names of those for which it primed.
  private static func primedNames(_ t: BeamBed) -> [String?] {
    let instants = t.iut.primings.map(\.instant)
    return advertisements(t).filter { instants.contains($0.instant) }.map(\.name)
  }

  private static func advertisements(_ t: BeamBed) -> [(instant: SimInstant, name: String?)] {
    t.iut.inputs.compactMap {
      if case .discovered(let advertisement) = $0.input, advertisement.serviceUUIDs.contains(.beamScribe) {
        ($0.instant, advertisement.localName)
      } else {
        nil
      }
    }
  }
}
