import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import Judging
import SimKernel
import Testing
import VirtualRadio

@testable import CaptureCheck

/// Captures of our own conforming runs, encrypted and damaged as sniffers damage them: with the key, a wrong key and
/// none nobody is guilty of anything. All 200 with `BABBENCH_PROOFS=1`.
@Suite("Guilty only where proven, with a key")
struct EncryptedDamageTests {
  private static let cases = SnifferDamage.allCases.filter { $0 != .missingDecryption }
  private static let seeds: [UInt64] = Array(1...UInt64(Part.isAll ? 200 : cases.count))
  private static let right = CaptureKey.longTerm(AirLinkBench.key.reversed())

  @Test("Unharmed, the runs are read whole and have nothing wrong", arguments: [3, 5, 8, 9])
  func unharmed(seed: UInt64) {
    let air = ConformingTalk.air(seed: seed, isPlain: false, isEncryptedEarly: true)
    let read = DecryptedRecords(AirRecords.records(air), [Self.right])
    equal(read.sessions.map(\.origin), [.given(isReversed: false)])
    equal(RuleCaptures.lines(RuleScript.judge(read.records)), [])
    expect(read.sessions.allSatisfy { $0.unread == 0 })
  }

  @Test("No finding against a device, whatever a sniffer does to the capture", arguments: seeds)
  func damaged(seed: UInt64) {
    var random = RandomStream(seed: seed, component: "test", purpose: "encrypted damage")
    let damage = Self.cases[Int(seed) % Self.cases.count]
    let style = random.next() % 3
    let air = ConformingTalk.air(seed: seed, isPlain: false, isEncryptedEarly: seed % 4 != 0)
    let records = damage.apply(
      to: AirRecords.records(air, tellsDirection: style != 2, checksCRC: style != 1), &random)
    for keys in [[Self.right], [.longTerm([UInt8](repeating: 9, count: 16))], []] {
      let read = DecryptedRecords(records, keys)
      let results = RuleScript.judge(read.records)
      equal(RuleCaptures.lines(results), [], "seed \(seed), \(damage): \(results.flatMap(\.findings))")
      if keys != [Self.right] { equal(read.records, records) }
    }
  }

  @Test("Enough of the runs are encrypted, and most of what is damaged is read all the same")
  func coverage() {
    var (read, unread, sessions) = (0, 0, 0)
    for seed in 1...12 as ClosedRange<UInt64> {
      var random = RandomStream(seed: seed, component: "test", purpose: "losses")
      let records = SnifferDamage.lostBursts.apply(
        to: AirRecords.records(ConformingTalk.air(seed: seed, isPlain: false, isEncryptedEarly: true)), &random)
      let decrypted = DecryptedRecords(records, [Self.right])
      for session in decrypted.sessions where session.origin != nil {
        sessions += 1
        read += session.read
        unread += session.unread
      }
    }
    expect(sessions >= 3, "\(sessions)")
    expect(read > 20, "\(read)")
    expect(unread * 10 < read, "\(unread) of \(read)")
  }
}
