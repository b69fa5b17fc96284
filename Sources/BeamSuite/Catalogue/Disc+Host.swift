import AppSeam
import BeamScribe
import Bench
import Conformance
import SimKernel

/// DISC: listening and names (BEAM 2, 5.1).
extension Catalog {
  static let discHost: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/DISC/BV-01-C", ["BEAM 2.1", "BEAM 5.1.2"],
      "The service type and the event's name are registered, peer to peer allowed.",
      initial: "The host has no event.",
      expects: ["the service is found under the event's name, and reached over Wi-Fi from peer to peer"]
    ) { t in
      try t.preamble { try t.startEvent("Keynote 2026") }
      guard let request = t.iut.listens.first?.request else { throw t.inconclusive("the IUT listens") }
      try t.require("the type is that of the dialect", actual: request.type, request.type == t.serviceType)
      try t.require("the name is the event's", actual: request.name, request.name == "Keynote 2026")
      try t.require(
        "peer to peer is allowed", clause: "BEAM 5.1.2", actual: "it is not", request.peerToPeer)
      try t.guest.join(over: [.peerToPeer])
      try t.require(
        "guest-1 found “Keynote 2026”", actual: t.guest.names.joined(separator: ", "),
        t.guest.names.contains("Keynote 2026"))
    },
    TestPurpose(
      "BEAM/HOST/DISC/BV-02-C", ["BEAM 2.1"], "A name of more than 63 octets is cut at a character.",
      initial: "The host has no event.", expects: ["the longest start of the name that 63 octets hold"]
    ) { t in
      let name = String(repeating: "é", count: 40)
      t.guest.look()
      t.iut.user(.startEvent(name: name))
      try t.pause(.milliseconds(50))
      let asked = t.iut.listens.first?.request.name ?? ""
      try t.require(
        "the name is cut to 31 characters", actual: "“\(asked)”", asked == String(repeating: "é", count: 31))
      try t.expect("guest-1 finds it under that name", within: .seconds(5)) { t.guest.names.contains(asked) }
    },
    TestPurpose(
      "BEAM/HOST/DISC/BV-03-C", ["BEAM 2.2"], "Renamed by the network, the host shows the new name and goes on.",
      initial: "Somebody else has a service called “Keynote”.",
      expects: ["the host shows the name that it was told, and guests join under it"], needs: [.beamScreen], testers: 2
    ) { t in
      let other = t.guest
      if other.gives("listens as \"Keynote\"") {
        other.ask(.listen(ListenRequest(type: t.serviceType, name: "Keynote", peerToPeer: true)))
      }
      try t.pause(.seconds(3))
      try t.preamble { try t.startEvent() }
      let told = t.iut.tellings.compactMap { entry -> String? in
        if case .listenerReady(_, let name, _) = entry.input { name } else { nil }
      }
      guard let name = told.last, name != "Keynote" else { throw t.inconclusive("the network gives another name") }
      try t.require(
        "the IUT shows “\(name)”", actual: "it shows “\(t.iut.eventName ?? "")”", t.iut.eventName == name)
      try t.never("the IUT registers again", for: .seconds(3)) { t.iut.listens.count > 1 }
      let guest = t.guests[1]
      guest.look()
      try t.expect("guest-2 finds “\(name)”", within: .seconds(5)) { guest.names.contains(name) }
    },
    TestPurpose(
      "BEAM/HOST/DISC/BI-01-C", ["BEAM 5.1.3"], "A listener that fails is there again after 1 s.",
      initial: "Something else on the host's device has a listener of the type.",
      expects: ["1 s after the failure the host listens again, and is registered"]
    ) { t in
      let foreign = ListenRequest(type: t.serviceType, name: "taken", peerToPeer: true)
      t.step("another app of the IUT's device listens")
      t.world.perform([.network(.listen(foreign))], device: t.iut.index)
      try t.pause(.seconds(2))
      t.iut.user(.startEvent(name: "Keynote"))
      try t.pause(.milliseconds(50))
      t.step("that app stops to listen")
      t.world.perform([.network(.stopListening(type: t.serviceType))], device: t.iut.index)
      let failure = t.iut.told { if case .listenerFailed = $0 { true } else { false } }
      guard let failed = failure, let start = t.iut.userInstant else { throw t.inconclusive("the listener fails") }
      let own = { t.iut.listens.filter { $0.instant >= start } }
      try t.expect("the IUT listens again", within: .seconds(3)) { own().count > 1 }
      try t.require("the IUT listens again", own()[1].instant, is: .seconds(1), after: failed)
      t.guest.look()
      try t.expect("guest-1 finds “Keynote”", within: .seconds(5)) { t.guest.names.contains("Keynote") }
    },
    TestPurpose(
      "BEAM/HOST/DISC/BI-02-C", ["BEAM 5.1.4"], "A second start changes nothing.",
      initial: "An event is on, and two finals were spoken.",
      expects: ["no other listener or name", "a guest gets both finals"]
    ) { t in
      try t.preamble {
        try t.startEvent()
        t.speak(2)
        try t.pause(.milliseconds(100))
      }
      let listens = t.iut.listens.count
      t.iut.user(.startEvent(name: "Other"))
      try t.never("the IUT listens again", for: .seconds(1)) { t.iut.listens.count > listens }
      let stream = try t.guest.join()
      try t.requireFinals(["final 1", "final 2"], on: stream, of: t.guest)
    },
  ]
}
