import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// MPC, guest: the old transport (BEAM 6).
extension Catalog {
  static let mpcGuest: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/MPC/BV-01-C", ["BEAM 6.1", "BEAM 8.5"],
      "It invites what it finds, and gives up an invitation after 10 s.",
      initial: "A host listens, and answers nothing.",
      expects: ["an invitation at once", "the end 10 s after the attempt began"],
      needs: [.beamMPC], dialects: [.beamMPC]
    ) { t in
      t.host.answer = .nothing
      try t.host.listen()
      t.iut.user(.join)
      let stream = try t.host.expectStream()
      try t.expect("host-1 is invited", within: .milliseconds(100)) { !t.host.invitations.isEmpty }
      let attempt = t.iut.attempts[0]
      try t.pause(until: attempt.instant + .milliseconds(10_500))
      guard let ready = t.iut.ready(attempt.id), let end = t.iut.cancelled(attempt.id) else {
        throw t.failed("the IUT gives up", "it waits", record: nil, clause: "BEAM 8.5")
      }
      // The invitation goes out some milliseconds after the attempt has begun; both count.
      try t.require(
        "the IUT gives up after 10 s", actual: "it gives up at \(end)",
        end >= attempt.instant + .seconds(10) && end <= ready + .seconds(10))
      try t.require("the stream has ended", actual: "it is up", !stream.isUp)
    },
    TestPurpose(
      "BEAM/GUEST/MPC/BI-01-C", ["BEAM 6.3"], "Declined, it retries at 1, 2, 4 s.",
      initial: "A host declines every invitation.",
      expects: ["three more invitations, 1 s, 2 s and 4 s after each refusal"],
      needs: [.beamMPC], dialects: [.beamMPC]
    ) { t in
      t.host.answer = .declines
      try t.host.listen()
      t.iut.user(.join)
      try t.host.expectStream()
      for (number, wait) in [SimDuration.seconds(1), .seconds(2), .seconds(4)].enumerated() {
        try t.expect("the attempt is over", within: .seconds(1)) { t.iut.end(t.iut.attempts[number].id) != nil }
        let failed = t.iut.end(t.iut.attempts[number].id) ?? t.now
        try t.host.expectStream(number + 2, within: .seconds(6))
        try t.require("the IUT tries again", t.iut.attempts[number + 1].instant, is: wait, after: failed)
        try t.expect("host-1 is invited", within: .milliseconds(100), clause: "BEAM 6.1") {
          t.host.invitations.count == number + 2
        }
      }
    },
    TestPurpose(
      "BEAM/GUEST/MPC/BV-02-C", ["BEAM 6.4"], "It neither scans nor primes.",
      initial: "A host advertises over BLE and listens.",
      expects: ["no BLE and no priming, before the stream and after its loss"],
      needs: [.beamMPC], dialects: [.beamMPC]
    ) { t in
      t.host.advertise("Keynote")
      t.iut.user(.join)
      try t.pause(.seconds(3))
      try t.host.listen()
      try t.host.expectStream()
      t.host.open(["1"])
      try t.pause(.milliseconds(200))
      t.host.cancel()
      try t.pause(.seconds(5))
      try t.require("the IUT has used no BLE", actual: "it has", t.iut.firstAsked(\.isOfBluetooth) == nil)
      try t.require("the IUT has not primed", actual: "it has", t.iut.primings.isEmpty)
    },
  ]
}
