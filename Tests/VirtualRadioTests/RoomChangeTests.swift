import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

@Suite("A room that changes")
struct RoomChangeTests {
  /// One idle link; how many of a thousand PDUs are lost in a minute before the room changes, while it is another, and
  /// after.
  private func lost(
    _ change: RadioEnvironment.Change, _ back: RadioEnvironment.Change, in room: RadioEnvironment = .lossless
  ) -> [Int] {
    let bench = RadioBench(RadioBench.radios(2), environment: room, seed: 3)
    _ = bench.connect(1, to: 0, interval: 24)
    var counts: [Int] = []
    for next in [nil, change, back] {
      if let next { bench.world.change(next) }
      bench.world.settle()
      let (lost, sent) = (bench.world.statistics.pdusLost, bench.world.statistics.pdusSent)
      bench.run(for: .seconds(60))
      bench.world.settle()
      counts.append((bench.world.statistics.pdusLost - lost) * 1_000 / (bench.world.statistics.pdusSent - sent))
    }
    return counts
  }

  @Test("A loss begins with the change and ends with the next one, in the share that it has")
  func loss() {
    var (lossy, clean) = (RadioEnvironment.Change(), RadioEnvironment.Change())
    (lossy.packetLoss, clean.packetLoss) = (.partsPerMillion(200_000), .never)
    let counts = lost(lossy, clean)
    equal([counts[0], counts[2]], [0, 0])
    var room = RadioEnvironment.lossless
    room.packetLoss = .partsPerMillion(200_000)
    let always = lost(lossy, lossy, in: room)
    // Four standard errors of six thousand PDUs are 2 %.
    expect(always.allSatisfy { abs($0 - counts[1]) < 30 }, "\(counts), \(always)")
  }

  @Test("An interferer begins with the change and ends with the next one")
  func interferer() {
    var (noisy, quiet) = (RadioEnvironment.Change(), RadioEnvironment.Change())
    noisy.interferers = [
      RadioEnvironment.Interferer(
        name: "oven", position: Position(x: 0, y: 0), spectrum: .flat(0...39), power: 3_000,
        activity: .onOff(meanOn: .milliseconds(10), meanOff: .milliseconds(10)))
    ]
    quiet.interferers = []
    let counts = lost(noisy, quiet)
    equal([counts[0], counts[2]], [0, 0])
    expect(counts[1] > 300, "\(counts)")
  }
}
