import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import Platform
@testable import VirtualRadio

@Suite("What the system does by itself, told to an app that watches")
struct PlatformWatchTests {
  /// Two phones that pair, connected; both apps watch, or neither.
  private func connected(watches: Bool = true) throws -> (bench: PlatformBench, link: LinkID) {
    let bench = try required(Apps.connected { phone, _ in phone.pairing = PhonePreset.PairingHabits() })
    if watches { for device in 0...1 { bench.perform(device, .gap(.watch(bonds: true, links: true))) } }
    bench.run(for: .seconds(1))
    return (bench, try required(bench.link(1, to: 0)))
  }

  private func bonds(_ bench: PlatformBench, _ device: Int) -> [AppInput] {
    bench.inputs(device).filter { if case .gap(.bond) = $0 { true } else { false } }
  }

  @Test("A bond is told at both ends as it begins and as it is there, and again when it is removed")
  func bond() throws {
    let (bench, link) = try connected()
    bench.perform(1, .gap(.pair(link)))
    bench.run(for: .seconds(5))
    for (device, other) in [(0, 1), (1, 0)] {
      let peer = PlatformBench.address(other)
      equal(bonds(bench, device), [.gap(.bond(peer, .pairing)), .gap(.bond(peer, .bonded))])
    }
    bench.perform(1, .gap(.forgetBond(PlatformBench.address(0))))
    equal(bonds(bench, 1).last, .gap(.bond(PlatformBench.address(0), .none)))
    bench.perform(1, .gap(.forgetBond(PlatformBench.address(0))))
    expect(bonds(bench, 1).count == 3 && bench.link(1, to: 0) == link, "once, and the link stays")
    bench.apply(.forgetBonds(nil), 0)
    equal(bonds(bench, 0).last, .gap(.bond(PlatformBench.address(1), .none)), "a person removes it, too")
  }

  @Test("A pairing that its link does not outlive leaves no bond; bonds that there are come first")
  func ends() throws {
    let (bench, link) = try connected()
    bench.perform(1, .gap(.pair(link)))
    bench.perform(1, .disconnect(link))
    bench.run(for: .seconds(5))
    let peer = PlatformBench.address(0)
    equal(bonds(bench, 1), [.gap(.bond(peer, .pairing)), .gap(.bond(peer, .none))])
    bench.perform(1, .connect(peer))
    expect(bench.wait { bench.link(1, to: 0) != nil })
    bench.perform(1, .gap(.pair(try required(bench.link(1, to: 0)))))
    bench.run(for: .seconds(5))
    bench.apply(.relaunch, 1)
    bench.run(for: .seconds(1))
    let before = bench.seen.count
    bench.perform(1, .gap(.watch(bonds: true, links: false)))
    equal(bench.inputs(1, since: before), [.gap(.bond(peer, .bonded))])
  }

  @Test("Parameters and PHYs are told at both ends, and what the controller refuses to the one that asked")
  func links() throws {
    let (bench, link) = try connected()
    let server = try required(bench.link(0, to: 1))
    bench.perform(1, .gap(.requestInterval(link, shortest: 80, longest: 80)))
    bench.run(for: .seconds(5))
    for (device, link) in [(0, server), (1, link)] {
      let told = bench.inputs(device).contains {
        if case .gap(.parameters(link, interval: 80, latency: 0, timeout: _)) = $0 { true } else { false }
      }
      expect(told, "device \(device)")
    }
    bench.perform(1, .gap(.preferPHY(link, tx: 1, rx: 1)))
    bench.run(for: .seconds(5))
    bench.perform(1, .gap(.preferPHY(link, tx: 2, rx: 2)))
    bench.run(for: .seconds(5))
    equal(bench.inputs(1).last, .gap(.phy(link, tx: 2, rx: 2, error: nil)))
    equal(bench.inputs(0).last, .gap(.phy(server, tx: 2, rx: 2, error: nil)))
    let before = bench.seen.count
    bench.perform(1, .gap(.preferPHY(link, tx: 4, rx: 4)))
    bench.run(for: .seconds(5))
    equal(bench.inputs(1, since: before), [.gap(.phy(link, tx: 2, rx: 2, error: 0x11))])
    expect(bench.inputs(0, since: before).isEmpty)
  }

  @Test("An app that does not watch is told nothing of it")
  func unwatched() throws {
    let (bench, link) = try connected(watches: false)
    let before = bench.seen.count
    bench.perform(1, .gap(.pair(link)), .gap(.requestInterval(link, shortest: 80, longest: 80)))
    bench.run(for: .seconds(5))
    equal(bench.inputs(1, since: before), [.gap(.paired(link, error: nil))])
    expect(bench.inputs(0, since: before).isEmpty)
  }
}
