import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

/// Decision 0005 over lives of links that nobody wrote down. Twenty histories; ten thousand with
/// `BABBENCH_PROOFS=1`.
@Suite("Random link histories: stepped, skipped, observed and run ahead")
struct LinkHistoryTests {
  private static let slices = Part.isAll ? 20 : 7
  private static let perSlice = Part.isAll ? 500 : 1

  @Test("The same is told to every host, with the same digest, and every link ends for a cause", arguments: 0..<slices)
  func same(slice: Int) {
    for number in 0..<Self.perSlice {
      let seed = UInt64(slice * Self.perSlice + number)
      Self.compare(seed)
      Self.compare(seed, isCrowded: true)
      Self.compare(seed, meets: true)
      Self.compare(seed, isCrowded: true, meets: true)
      Self.compare(seed, isCrowded: seed % 2 == 1, meets: seed % 4 > 1, ranksLinks: true)
      Self.compare(seed, subrates: true)
      Self.compare(seed, isCrowded: true, meets: true, subrates: true)
      Self.compare(seed, isCrowded: seed % 2 == 0, meets: seed % 4 > 1, manages: true)
      Self.compare(seed, isCrowded: seed % 2 == 1, meets: seed % 4 > 1, streams: true)
    }
  }

  @Test("Histories with streams make some, refuse some, and carry SDUs")
  func streams() {
    var (made, refused, carried) = (0, 0, 0)
    for seed: UInt64 in 0..<6 {
      let history = LinkHistory(seed: seed, mode: .skipped, isCrowded: seed % 2 == 1, streams: true)
      history.run(steps: 40)
      for case .stream(.leCISEstablished(let event)) in history.bench.events.joined().map(\.event) {
        if event.status == .success { made += 1 } else { refused += 1 }
      }
      carried += history.bench.isochronous.joined().count { $0.data.head?.status == 0 }
    }
    expect(made > 10 && refused > 0 && carried > 10, "\(made) made, \(refused) refused, \(carried) SDUs")
  }

  private static func compare(
    _ seed: UInt64, isCrowded: Bool = false, meets: Bool = false, ranksLinks: Bool = false, subrates: Bool = false,
    manages: Bool = false, streams: Bool = false
  ) {
    let runs = LinkHistory.Mode.allCases.map { mode in
      let history = LinkHistory(
        seed: seed, mode: mode, isCrowded: isCrowded, meets: meets, ranksLinks: ranksLinks, subrates: subrates,
        manages: manages, streams: streams)
      history.run(steps: 40)
      return history
    }
    let kinds = [
      (isCrowded, "crowded"), (meets, "meeting"), (ranksLinks, "ranked"), (subrates, "subrated"), (manages, "managed"),
      (streams, "with streams"),
    ]
    let name = (["seed \(seed)"] + kinds.filter(\.0).map(\.1)).joined(separator: ", ")
    equal(runs[0].unexplained, [], "\(name)")
    for other in runs.dropFirst() {
      equal(runs[0].radioTimes, other.radioTimes, "\(name)")
      equal(runs[0].receptions, other.receptions, "\(name)")
      let (first, second) = (runs[0].told, other.told)
      if first != second {
        let place = zip(first, second).first { $0 != $1 }
        Issue.record("\(name): \(place.map { "\($0)" } ?? "\(first.count) against \(second.count)")")
      }
      let parting = zip(runs[0].trail, other.trail).first { $0.digest != $1.digest }?.0.at
      equal(
        runs[0].bench.world.digest, other.bench.world.digest,
        "\(name), by \(parting.map(\.description) ?? "the end"), which is not before the first difference")
    }
  }

  @Test(
    "Histories that once differed, or ended for a cause that was not known",
    arguments: [28, 89, 105, 662, 681, 816, 818, 4622, 4973, 5482, 5969, 6973, 7135, 9138] as [UInt64])
  func found(seed: UInt64) { Self.compare(seed) }

  @Test("Histories of crowds that once differed", arguments: [13, 3321, 5436, 6885] as [UInt64])
  func foundCrowded(seed: UInt64) { Self.compare(seed, isCrowded: true) }

  @Test("Crowds are worth something: events skipped with loss, collisions of links that share no radio")
  func crowds() {
    var (skippedWithLoss, collided) = (0, 0)
    for seed in 0..<20 {
      let history = LinkHistory(seed: UInt64(seed), mode: .skipped, isCrowded: true)
      history.run(steps: 40)
      guard history.bench.world.statistics.skippedConnectionEvents > 0 else { continue }
      skippedWithLoss += history.bench.world.statistics.pdusLost > history.bench.world.collisions ? 1 : 0
      collided += history.bench.world.collisions > 0 ? 1 : 0
    }
    expect(skippedWithLoss > 5)
    expect(collided > 1)
  }

  @Test("Histories of subrated links are worth something: changes at both ends, and PDUs of few events")
  func subrated() {
    var changed = 0
    for seed in 0..<10 {
      let history = LinkHistory(seed: UInt64(seed), mode: .skipped, subrates: true)
      history.run(steps: 40)
      for (_, event) in history.bench.events.joined() {
        if case .leSubrateChange(_, .success, let factor, _, _, _) = event, factor > 1 { changed += 1 }
      }
    }
    expect(changed > 20, "\(changed)")
  }

  @Test("Histories of managed links are worth something: powers change, channels are reported, zones entered")
  func managed() {
    var (powers, zones, reports, clocks) = (0, 0, 0, 0)
    for seed in 0..<20 {
      let history = LinkHistory(seed: UInt64(seed), mode: .observed, manages: true)
      history.run(steps: 40)
      for (_, event) in history.bench.events.joined() {
        switch event {
        case .link(.leTransmitPowerReporting(let report)) where report.delta != 0 && report.status == .success:
          powers += 1
        case .link(.lePathLossThreshold): zones += 1
        case .link(.leRequestPeerSCAComplete(_, .success, _)): clocks += 1
        default: break
        }
      }
      reports += history.bench.air.filter { $0.pdu.count > 2 && $0.pdu[0] & 3 == 3 && $0.pdu[2] == 0x29 }.count
    }
    expect(powers > 5 && zones > 5 && reports > 20 && clocks > 5, "\(powers) \(zones) \(reports) \(clocks)")
  }

  @Test("The histories are worth something: links, skipped events, ends of every kind")
  func coverage() {
    var skipped = 0
    var reasons: Set<String> = []
    for seed in 0..<30 {
      let history = LinkHistory(seed: UInt64(seed), mode: .skipped)
      history.run(steps: 40)
      skipped += history.bench.world.statistics.skippedConnectionEvents > 0 ? 1 : 0
      for device in 0..<2 { reasons.formUnion(history.bench.disconnections(of: device).map { "\($0.reason)" }) }
    }
    expect(skipped > 10)
    expect(reasons.count >= 3, "\(reasons)")
  }
}
