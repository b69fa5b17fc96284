import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import Platform
@testable import VirtualRadio

@Suite("A platform whose phone directs its advertising at another device")
struct PlatformDirectedTests {
  private func bench(_ kind: HCI.AdvertisingParameters.Kind) -> PlatformBench {
    PlatformBench([Apps.server, Apps.client, Apps.client]) { phone, index in
      if index == 0 { phone.advertising.kind = kind }
    }
  }

  private func remarks(_ bench: PlatformBench) -> [PlatformRemark.Kind] {
    bench.seen.compactMap { entry in
      if entry.device == 0, case .remark(let remark) = entry.what { remark.kind } else { nil }
    }
  }

  private func discoveries(_ bench: PlatformBench, _ device: Int) -> [Advertisement] {
    bench.inputs(device).compactMap { if case .discovered(let advertisement) = $0 { advertisement } else { nil } }
  }

  @Test("After 1.28 s without a connection it stops with a remark, and begins again when the app asks")
  func timeout() throws {
    let bench = bench(.connectableDirectedHighDuty)
    bench.launch(0)
    bench.run(for: .seconds(3))
    equal(remarks(bench), [.advertisingTimeout])
    equal(bench.inputs(0), [.launched, .advertisingStarted(true)])
    expect(!bench.platforms[0].isAdvertising)
    bench.apply(.background, 0)
    bench.apply(.foreground, 0)
    bench.run(for: .seconds(3))
    equal(remarks(bench).count, 1, "the app has not asked")
    bench.launch(1)
    bench.perform(0, .advertise(Apps.request))
    expect(bench.wait { bench.link(0, to: 1) != nil })
    expect(!bench.platforms[0].isAdvertising)
    bench.run(for: .seconds(3))
    equal(remarks(bench).count, 1)
  }

  @Test("A scan for services finds it, without name and services; the scan of another device does not")
  func discovery() throws {
    let bench = bench(.connectableDirectedLowDuty)
    bench.launch(0, 1, 2)
    expect(bench.wait { bench.link(0, to: 1) != nil })
    bench.run(for: .seconds(3))
    let found = try required(discoveries(bench, 1).first)
    expect(found.address == PlatformBench.address(0) && found.localName == nil && found.serviceUUIDs.isEmpty)
    equal(discoveries(bench, 1).count, 1)
    expect(discoveries(bench, 2).isEmpty && bench.platforms[2].links.isEmpty)
    expect(remarks(bench).isEmpty)
  }

  @Test("While there is a link with its target the app is refused")
  func linked() throws {
    let bench = bench(.connectableDirectedLowDuty)
    bench.launch(0, 1)
    expect(bench.wait { bench.link(0, to: 1) != nil })
    let before = bench.seen.count
    bench.perform(0, .advertise(Apps.request))
    equal(bench.inputs(0, since: before), [.advertisingStarted(false)])
    expect(!bench.platforms[0].isAdvertising)
  }
}
