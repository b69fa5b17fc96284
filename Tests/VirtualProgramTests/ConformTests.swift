import Expectations
import Foundation
import Testing

/// The suite as it judges apps written for CoreBluetooth (Docs/corebluetooth-program.md has the tables).
@Suite("babbench conform, on apps written for CoreBluetooth", .enabled(if: Conform.isPossible))
struct ConformTests {
  @Test("One mistake of a host is named by the clause that it breaks", arguments: Mistake.ofHosts)
  func host(_ mistake: Mistake) throws { try Self.names(mistake, .soundHost) }

  @Test("One mistake of a client is named by the clause that it breaks", arguments: Mistake.ofClients)
  func client(_ mistake: Mistake) throws { try Self.names(mistake, .soundClient) }

  private static func names(_ mistake: Mistake, _ sample: Sample) throws {
    let mistaken = try Conform(sample, with: [mistake.name], mistake.findings.map(\.purpose))
    for (purpose, clause) in mistake.findings {
      equal(mistaken.verdict(purpose), "fail", "\(purpose): \(mistaken.output)")
      equal(mistaken.clause(purpose), clause, "\(purpose)")
    }
    guard let remark = mistake.remark else { return }
    expect(mistaken.logs.contains { $0.contains("misuse \(remark): ") }, "\(mistaken.logs)")
  }

  @Test("What names the mistakes passes without them")
  func sound() throws {
    for (sample, mistakes) in [(Sample.soundHost, Mistake.ofHosts), (.soundClient, Mistake.ofClients)] {
      let purposes = mistakes.flatMap { $0.findings.map(\.purpose) }
      let sound = try Conform(sample, purposes)
      expect(sound.result.cases.filter { $0.verdict == "pass" }.count >= purposes.count, "\(sound.output)")
      equal(sound.result.verdict, "pass", "\(sound.output)")
    }
  }

  @Test(
    "Apps of Network.framework and CoreBluetooth together pass what they claim",
    arguments: [Sample.beamHost, .beamGuest])
  func beam(_ sample: Sample) throws {
    let groups = sample.role == "host" ? ["ADV", "FRAME", "CAP"] : ["SCAN", "HIST"]
    let beam = try Conform(sample, Part.isAll ? ["**"] : groups.map { $0 + "/**" })
    expect(beam.result.verdict == "pass" && beam.result.cases.count > 8, "\(beam.output)")
  }

  @Test("A manager as guides write it comes to the end of the suite; what crashes it has its line")
  func guide() throws {
    let guide = try Conform(.guideHost, with: ["--headers"], ["FRAG/BI-06-C", "GATT/BV-01-C", "MTU/BV-01-C"])
    equal(guide.verdict("GATT/BV-01-C"), "pass")
    equal(guide.clause("MTU/BV-01-C"), "BAB 3.4")
    equal(guide.clause("FRAG/BI-06-C"), "BAB 7.13")
    expect(guide.output.contains("BluetoothManager.swift:59"), "\(guide.output)")
    expect(guide.logs.contains { $0.contains("misuse update.truncated: updateValue with 182 octets where 20 fit") })
  }

  @Test("A run gives the same digests again, and with two jobs")
  func repeats() throws {
    let digests = try [1, 1, 2].map { jobs in
      let host = try Conform(.guideHost, with: ["--headers"], ["LINK/**", "LOBBY/BV-16-C"], jobs: jobs)
      let client = try Conform(.soundClient, ["LINK/BI-01-C", "LINK/BV-02-C"], jobs: jobs)
      return (host.result.cases + client.result.cases).map(\.digest)
    }
    expect(digests[0].count >= 12)
    expect(digests[0] == digests[1] && digests[0] == digests[2])
  }
}
