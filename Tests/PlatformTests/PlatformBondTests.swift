import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import Platform
@testable import VirtualRadio

@Suite("A bond that the other end has lost")
struct PlatformBondTests {
  /// Two phones with a bond, of which device 0 loses it; device 1 has connected again and looked for nothing yet.
  private func lost(_ habit: PhonePreset.LostBond, pairsLinks: Bool = false) throws -> PlatformBench {
    let bench = try required(
      Apps.connected { phone, device in
        phone.pairing = PhonePreset.PairingHabits()
        phone.pairing?.pairsLinks = pairsLinks && device == 1
        phone.lostBond = habit
      })
    let server = PlatformBench.address(0)
    bench.perform(1, .gap(.watch(bonds: true, links: false)))
    if !pairsLinks { bench.perform(1, .gap(.pair(try required(bench.link(1, to: 0))))) }
    bench.run(for: .seconds(5))
    expect(bench.platforms[1].host.bond(with: server) != nil)
    bench.apply(.forgetBonds(nil), 0)
    bench.perform(1, .disconnect(try required(bench.link(1, to: 0))))
    bench.run(for: .seconds(1))
    bench.perform(0, .advertise(Apps.request))
    bench.perform(1, .connect(server))
    bench.run(for: .seconds(5))
    return bench
  }

  private func bonds(_ bench: PlatformBench) -> [BondState] {
    bench.inputs(1).compactMap { if case .gap(.bond(_, let state)) = $0 { state } else { nil } }
  }

  private func remarks(_ bench: PlatformBench) -> [String] {
    bench.seen.compactMap { entry in
      if case .remark(let remark) = entry.what, remark.kind == .bondLost { remark.text } else { nil }
    }
  }

  @Test("A phone that ends the link keeps its bond")
  func endsLink() throws {
    let bench = try lost(.endsLink)
    expect(bench.inputs(1).contains { if case .disconnected(_, .pinOrKeyMissing) = $0 { true } else { false } })
    equal(bonds(bench), [.pairing, .bonded])
    expect(bench.platforms[1].host.bond(with: PlatformBench.address(0)) != nil)
  }

  @Test("A phone that pairs again keeps the link in clear, and pairs when its app asks for it")
  func pairsAgain() throws {
    let bench = try lost(.pairsAgain)
    let link = try required(bench.link(1, to: 0))
    expect(!bench.inputs(1).contains { if case .disconnected(_, .pinOrKeyMissing) = $0 { true } else { false } })
    expect(bench.platforms[1].host.bond(with: PlatformBench.address(0)) == nil)
    equal(bonds(bench), [.pairing, .bonded], "for the app it is there")
    equal(
      remarks(bench),
      [
        "its peer has no key of their bond any more, and the phone pairs again: 0x06, PIN or key missing"
      ])
    let before = bench.seen.count
    bench.perform(1, .gap(.watch(bonds: false, links: false)), .gap(.watch(bonds: true, links: false)))
    equal(bench.inputs(1, since: before), [.gap(.bond(PlatformBench.address(0), .bonded))], "and it is said so")
    bench.perform(1, .gap(.pair(link)))
    bench.run(for: .seconds(5))
    equal(bench.inputs(1).last, .gap(.paired(link, error: nil)))
    equal(bonds(bench).suffix(2), [.pairing, .bonded])
    expect(bench.platforms[1].keylessBonds.isEmpty)
    expect(bench.platforms[0].host.bond(with: PlatformBench.address(1)) != nil)
  }

  @Test("A bond whose key is forgotten goes for its app, too, when a person removes it or the pairing fails")
  func gone() throws {
    let removed = try lost(.pairsAgain)
    removed.apply(.forgetBonds(nil), 1)
    expect(bonds(removed).last == .some(.none) && removed.platforms[1].keylessBonds.isEmpty)
    let failed = try lost(.pairsAgain)
    let link = try required(failed.link(1, to: 0))
    failed.perform(1, .gap(.pair(link)))
    failed.perform(1, .disconnect(link))
    failed.run(for: .seconds(2))
    expect(bonds(failed).suffix(2) == [.pairing, .none] && failed.platforms[1].keylessBonds.isEmpty)
  }

  @Test("A phone that pairs all its links does so at once")
  func pairsLinks() throws {
    let bench = try lost(.pairsAgain, pairsLinks: true)
    let link = try required(bench.platforms[1].links.last)
    expect(bench.platforms[1].host.securityLevel(of: link.handle).protection != .none)
    equal(bonds(bench), [.bonded, .pairing, .bonded])
  }
}
