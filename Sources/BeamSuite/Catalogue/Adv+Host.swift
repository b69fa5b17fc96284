import AppSeam
import BeamScribe
import BluetoothWire
import Conformance
import Platform
import SimKernel

/// ADV: what a host says over BLE (BEAM 5.1, 5.2).
extension Catalog {
  static let advHost: [TestPurpose] = advHostNames + advHostTimes

  private static let advHostNames: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/ADV/BV-01-C", ["BEAM 5.1.1", "BEAM 5.2.4"],
      "Starting an event starts listener, service and advertising in the same instant; before and after it "
        + "there is none.",
      initial: "The host has no event.",
      expects: ["listener and advertising begin with the event and end with it, and at no other time"],
      needs: [.beamBLE]
    ) { t in
      try t.pause(.seconds(2))
      try t.require("the IUT listens before the event: no", actual: "it listens", t.iut.listens.isEmpty)
      try t.require(
        "the IUT advertises before the event: no", actual: "it advertises",
        t.iut.firstAsked(\.isOfBluetooth) == nil)
      t.iut.user(.startEvent(name: "Keynote"))
      try t.pause(.milliseconds(50))
      guard let start = t.iut.userInstant else { throw t.inconclusive("the event is started") }
      try t.require("the IUT listens", t.iut.listens.first?.instant, is: .zero, after: start)
      try t.require(
        "the IUT advertises", t.iut.firstAsked(\.isAdvertise), is: .zero, after: start, clause: "BEAM 5.2.4")
      try t.pause(.seconds(2))
      t.iut.user(.endEvent)
      try t.pause(.milliseconds(50))
      try t.require("the IUT has ended its listener", !t.iut.isListening)
      try t.require("the IUT has stopped to advertise", t.iut.advertisement == nil)
      try t.never("the IUT listens or advertises", for: .seconds(3)) {
        t.iut.isListening || t.iut.advertisement != nil
      }
    },
    TestPurpose(
      "BEAM/HOST/ADV/BV-02-C", ["BEAM 5.2.1"],
      "The service UUID and the first 8 characters of the name are advertised.",
      initial: "A scanner listens.", expects: ["the UUID and the name “Keynote ” for the event “Keynote 2026”"],
      needs: [.beamBLE]
    ) { t in
      t.guest.scan()
      try t.preamble { try t.startEvent("Keynote 2026") }
      let request = t.iut.advertisement
      try t.require(
        "the service UUID is asked for", actual: "\(request?.serviceUUIDs.map(\.description) ?? [])",
        request?.serviceUUIDs == [.beamScribe])
      try t.require(
        "the name is “Keynote ”", actual: "it is “\(request?.localName ?? "")”", request?.localName == "Keynote ")
      try t.expect("the UUID is on the air") {
        t.guest.advertisements.contains { $0.advertisement.serviceUUIDs.contains(.beamScribe) }
      }
    },
    TestPurpose(
      "BEAM/HOST/ADV/BV-03-C", ["BEAM 5.2.2"],
      "A name of 8 characters with 2 to 4 octets each is cut to at most 8 octets, at a character.",
      initial: "The host has no event.", expects: ["as many whole characters as 8 octets hold"], needs: [.beamBLE]
    ) { t in
      for (name, part) in [
        ("äöü€😀éßñ", "äöü"), ("€€€€€€€€", "€€"), ("😀😀😀😀😀😀😀😀", "😀😀"), ("éééééééé", "éééé"),
      ] {
        t.iut.user(.startEvent(name: name))
        try t.pause(.milliseconds(100))
        try t.require(
          "“\(name)” is advertised as “\(part)”", actual: "as “\(t.iut.advertisement?.localName ?? "")”",
          t.iut.advertisement?.localName == part)
        t.iut.user(.endEvent)
        try t.pause(.seconds(1))
      }
    },
    TestPurpose(
      "BEAM/HOST/ADV/BV-04-C", ["BEAM 5.2.5"], "A host publishes nothing over BLE.",
      initial: "A guest joins and leaves.", expects: ["no service is published in the whole event"], needs: [.beamBLE]
    ) { t in
      try t.preamble { try t.seat(1) }
      t.guest.cancel()
      try t.pause(.seconds(1))
      t.iut.user(.endEvent)
      try t.pause(.seconds(1))
      let publishes = t.iut.asked { if case .publish = $0 { true } else { false } }
      try t.require("the IUT publishes no service", record: publishes, actual: "it does", publishes == nil)
    },
  ]

  private static let advHostTimes: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/ADV/BV-05-C", ["BEAM 5.2.6"], "Advertising stops in the instant in which the first stream is ready.",
      initial: "The host advertises.", expects: ["advertising ends with the stream's ready"], needs: [.beamBLE]
    ) { t in
      try t.preamble {
        try t.startEvent()
        try t.expect("the IUT advertises") { t.iut.advertisement != nil }
        try t.guest.connect()
      }
      let ready = try t.connection(t.guest).instant
      try t.require(
        "the IUT stops to advertise", t.iut.firstAsked { $0 == .stopAdvertising }, is: .zero, after: ready)
      try t.never("the IUT advertises", for: .seconds(6)) { t.iut.advertisement != nil }
    },
    TestPurpose(
      "BEAM/HOST/ADV/BV-06-C", ["BEAM 5.2.7"], "Advertising begins again when the last stream has ended.",
      initial: "Two guests have open streams.",
      expects: ["no advertising after the first has left, and again in the instant in which the second has"],
      needs: [.beamBLE], testers: 2
    ) { t in
      try t.preamble { try t.seat(2) }
      t.guest.cancel()
      try t.never("the IUT advertises", for: .seconds(2)) { t.iut.advertisement != nil }
      t.guests[1].cancel()
      try t.expect("the IUT advertises again", within: .seconds(1)) { t.iut.advertisement != nil }
      guard let over = t.iut.over(try t.connection(t.guests[1]).id) else { throw t.inconclusive("the stream ends") }
      try t.require(
        "the IUT advertises again at once", t.iut.lastAsked(\.isAdvertise), is: .zero, after: over)
    },
    TestPurpose(
      "BEAM/HOST/ADV/BV-07-C", ["BEAM 5.2.6", "BEAM 5.2.7"],
      "With `host advertises: free seats` it stops at the seventh guest and begins again with the sixth.",
      initial: "Six guests have streams, the first of them two.",
      expects: ["advertising until the seventh is ready, and again when one has left"], needs: [.beamBLE], testers: 7,
      arrange: { $0.scenario.beamScribe.advertisesFreeSeats = true }
    ) { t in
      try t.preamble {
        try t.startEvent()
        try t.guest.connect(over: [.infrastructure])
        try t.guest.connect(over: [.peerToPeer])
        for guest in t.guests.dropFirst().prefix(5) { try guest.connect() }
      }
      try t.require(
        "the IUT advertises with six guests", actual: "it does not", t.iut.advertisement != nil)
      try t.preamble { try t.guests[6].connect() }
      let ready = try t.connection(t.guests[6]).instant
      try t.require(
        "the IUT stops to advertise", t.iut.lastAsked { $0 == .stopAdvertising }, is: .zero, after: ready)
      t.guests[6].cancel()
      try t.expect("the IUT advertises again", within: .seconds(1), clause: "BEAM 5.2.7") {
        t.iut.advertisement != nil
      }
    },
    TestPurpose(
      "BEAM/HOST/ADV/BV-08-C", ["BEAM 5.2.8"],
      "Bluetooth off and on during an event: advertising again; streams are not touched.",
      initial: "The host advertises.", expects: ["advertising again at once", "a stream goes on meanwhile"],
      needs: [.beamBLE]
    ) { t in
      try t.preamble { try t.startEvent() }
      t.iut.suffers(.radioOff, "Bluetooth is switched off")
      try t.pause(.seconds(2))
      let before = t.newestRecord
      t.iut.suffers(.radioOn, "Bluetooth is on again")
      try t.expect("the IUT advertises again", within: .milliseconds(500)) {
        t.iut.asked(after: before, for: \.isAdvertise) != nil
      }
      let stream = try t.preamble { try t.guest.join() }
      t.iut.suffers(.radioOff, "Bluetooth is switched off")
      t.speak("meanwhile")
      try t.guest.expect("is sent the final", on: stream) { $0.chunks.map(\.text) == ["meanwhile"] }
      t.iut.suffers(.radioOn, "Bluetooth is on again")
      try t.never("the stream ends", for: .seconds(2)) { !stream.isUp }
    },
    TestPurpose(
      "BEAM/HOST/ADV/BI-01-C", ["BEAM 5.2.8"], "Without Bluetooth from the start the event works.",
      initial: "Bluetooth is off.", expects: ["a guest joins and is sent a final"]
    ) { t in
      t.iut.suffers(.radioOff, "Bluetooth is switched off")
      t.iut.user(.startEvent(name: "Keynote"))
      try t.expect("the IUT's service is registered", within: .seconds(10)) {
        t.iut.told { if case .listenerReady = $0 { true } else { false } } != nil
      }
      let stream = try t.guest.join()
      t.speak("heard")
      try t.guest.expect("is sent the final", on: stream) { $0.chunks.map(\.text) == ["heard"] }
    },
  ]
}
