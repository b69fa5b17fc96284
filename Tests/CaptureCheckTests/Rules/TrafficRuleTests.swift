import BluetoothWire
import Expectations
import Judging
import Testing

@testable import CaptureCheck

@Suite("Rules for any traffic")
struct TrafficRuleTests {
  @Test("Ids are unique, and every rule has its clause and a mutant that it fails")
  func registry() {
    let ids = TrafficRules.all.map { $0.id }
    equal(Set(ids).count, ids.count)
    let mutated = Set(RuleMutants.all.map { $0.rule.id })
    for rule in TrafficRules.all {
      expect(rule.clause.hasPrefix("Core v5.4, Vol "), "\(rule.id)")
      expect(rule.claim.hasSuffix("."), "\(rule.id)")
      expect(mutated.contains(rule.id), "\(rule.id) has no mutant: it cannot be seen to fail")
    }
    expect(mutated.subtracting(ids).isEmpty)
  }

  @Test("The clean captures pass, and give every rule something to judge")
  func clean() {
    let host = RuleScript.cleanHost.judge()
    let air = RuleScript.cleanAir.judge()
    for (atHost, onAir) in zip(host, air) {
      equal(atHost.findings + onAir.findings, [], "\(atHost.id)")
      equal([atHost.verdict, onAir.verdict].combined(), .pass, "\(atHost.id)")
      equal(atHost.open + onAir.open, 0, "\(atHost.id)")
    }
  }

  @Test("Every mutant is failed at the packet that is the fault", arguments: RuleMutants.all.indices)
  func mutants(_ index: Int) {
    let mutant = RuleMutants.all[index]
    let (script, faults) = mutant.make()
    let result = script.judge([mutant.rule])[0]
    equal(result.verdict, .fail, "\(mutant.rule.id): \(mutant.summary)")
    equal(result.findings.compactMap(\.record), faults, "\(mutant.rule.id): \(mutant.summary): \(result.findings)")
    equal(result.findings.first?.clause, mutant.clause ?? mutant.rule.clause, "\(mutant.rule.id)")
  }

  @Test("A version that may be a repeat, or the other end's, is open; a failed command may return its status only")
  func unproven() {
    var script = RuleScript.air()
    script.exchange(.empty, RuleScript.centralVersion)
    expect(script.judge([VersionIsSentOnce.self])[0].findings.isEmpty)
    var alone = RuleScript()
    alone.advertise(.connectInd(RuleScript.request))
    alone.exchange(RuleScript.centralVersion)
    alone.exchange()
    alone.exchange(RuleScript.centralVersion)
    let result = alone.judge([VersionIsSentOnce.self])[0]
    expect(result.findings.isEmpty && result.judged == 1 && result.open == 1)
    var failed = RuleScript.reset()
    failed.completed(0x2020, [0x40, 0], returns: [0x02])
    equal(failed.judge([CompletionsHaveTheirLength.self])[0].verdict, .pass)
  }

  @Test("The same fault behind missing octets is open, not failed")
  func afterGap() {
    var script = RuleScript.host()
    script.client([0x0A, 0x15, 0x00])
    script.acl(toHost: true, boundary: 1, [1, 2, 3])
    script.client([0x0A, 0x15, 0x00])
    script.server([0x0B, 1])
    let result = script.judge([RequestsGoOneByOne.self])[0]
    equal(result.verdict, .pass)
    equal(result.open, 2)
  }
}

extension RuleScript {
  /// Captures in which nothing is wrong.
  static var cleanHost: RuleScript {
    var script = host()
    script.disconnect()
    script.pairOnAnotherLink()
    script.pairSecurelyOnAnotherLink()
    return script
  }

  static var cleanAir: RuleScript {
    var script = air()
    script.startEncryption()
    return script
  }
}
