import AppSeam
import BeamOracles
import BeamScribe
import Bench
import BluetoothWire
import Conformance
import Expectations
import Judging
import Platform
import SimKernel
import Testing

@Suite("Oracles of finding and losing on hand-written traces")
struct GuestTraceTests {
  private let request = AdvertisementRequest(localName: "Keynote", serviceUUIDs: [.beamScribe])
  private let attempt = ConnectRequest(endpoint: EndpointID(1), interfaces: [.infrastructure])

  @Test("The name on the air is the start of the event's, in 8 octets")
  func names() {
    for (name, verdict) in [("Keynote", Verdict.pass), ("Key", .pass), ("Talk", .fail), ("Keynote 2026", .fail)] {
      var script = BeamScript()
      script.add(0, .effect(.advertise(AdvertisementRequest(localName: name, serviceUUIDs: [.beamScribe]))))
      equal(script.verdict(AdvertisingFits.self), verdict)
    }
  }

  @Test("BLE is off in the instant in which a stream is ready")
  func off() {
    for (isStopped, verdict) in [(true, Verdict.pass), (false, .fail)] {
      var script = BeamScript()
      script.add(0, .effect(.advertise(request)))
      script.connect(1)
      if isStopped { script.add(0, .effect(.stopAdvertising)) }
      script.wait(1)
      script.show(0, .guests(count: 1, open: 0))
      equal(script.verdict(BluetoothOffWhileUp.self), verdict)
    }
  }

  @Test("BLE is on again within 100 ms, unless Bluetooth is off")
  func resumes() {
    for (time, isOff, verdict) in [(100, false, Verdict.pass), (101, false, .fail), (101, true, .none)] {
      var script = BeamScript()
      for device in [0, 1] {
        script.add(device, device == 0 ? .effect(.advertise(request)) : .effect(.scan(services: [])))
      }
      script.connect(1)
      for device in [0, 1] { script.add(device, .effect(device == 0 ? .stopAdvertising : .stopScanning)) }
      script.wait(10_000)
      if isOff { script.add(1, .input(.radioPower(false))) }
      script.hear(1, .failed(ConnectionID(2), .reset))
      script.wait(Int64(time))
      if time == 100 { script.add(1, .effect(.scan(services: []))) }
      script.wait(1)
      script.show(0, .guests(count: 0, open: 0))
      let findings = script.result(BluetoothResumes.self).findings.filter { $0.device == 1 }
      equal(findings.isEmpty, (verdict != .fail))
    }
  }

  @Test("A sighting primes at once")
  func primes() {
    for (isPrimed, verdict) in [(true, Verdict.pass), (false, .fail)] {
      var script = BeamScript()
      script.add(1, .effect(.scan(services: [.beamScribe])))
      let address = BluetoothAddress(kind: .random, bits: 0xC000_0000_0000)
      let sighting = Advertisement(address: address, localName: nil, serviceUUIDs: [.beamScribe], rssi: -40)
      script.add(1, .input(.discovered(sighting)))
      if isPrimed { script.ask(1, .prime(.seconds(10))) }
      script.wait(1)
      script.show(0, .guests(count: 0, open: 0))
      equal(script.verdict(SightingsPrime.self), verdict)
    }
  }

  @Test(
    "Attempts come 1, 2 and 4 s after what they follow, and no fourth",
    arguments: [
      ([1_000, 2_000, 4_000], Verdict.pass), ([0], .fail), ([1_000, 1_000], .fail),
      ([1_000, 2_000, 4_000, 8_000], .fail), ([999], .fail),
    ] as [([Int64], Verdict)])
  func retries(_ waits: [Int64], _ verdict: Verdict) {
    var script = BeamScript()
    script.open(1)
    script.show(1, .historyShown(upTo: 0))
    script.hear(1, .failed(ConnectionID(2), .timedOut))
    for (number, wait) in waits.enumerated() {
      script.wait(wait)
      let id = ConnectionID(4 + 2 * number)
      script.ask(1, .connect(id, attempt))
      script.wait(10)
      script.hear(1, .failed(id, .refused))
    }
    equal(script.verdict(RetriesWait.self), verdict)
  }

  @Test("A new finding begins from the start")
  func finding() {
    var script = BeamScript()
    script.open(1)
    script.hear(1, .failed(ConnectionID(2), .timedOut))
    script.wait(100)
    script.hear(1, .found(EndpointID(2), type: "_beamscribe._tcp", name: "Keynote", interfaces: [.infrastructure]))
    script.ask(1, .connect(ConnectionID(4), attempt))
    expect(script.result(RetriesWait.self).findings.isEmpty)
  }

  @Test("A guest that could have a stream has one within 30 s")
  func returns() {
    for (isBack, verdict) in [(true, Verdict.pass), (false, .fail)] {
      var script = BeamScript()
      script.hear(1, .found(EndpointID(1), type: "_beamscribe._tcp", name: "Keynote", interfaces: [.infrastructure]))
      script.open(1)
      script.hear(1, .failed(ConnectionID(2), .timedOut))
      script.hear(0, .failed(BeamScript.end(1), .timedOut))
      script.wait(20_000)
      if isBack { script.hear(1, .ready(ConnectionID(4), .infrastructure)) }
      script.wait(10_001)
      script.show(0, .guests(count: 0, open: 0))
      equal(script.verdict(LostGuestsReturn.self), verdict)
    }
  }

  @Test("A guest that never found the event, or whose host is away, need not return")
  func apart() {
    var script = BeamScript()
    script.wait(60_000)
    script.show(0, .guests(count: 0, open: 0))
    expect(script.result(LostGuestsReturn.self).findings.isEmpty)
    script.hear(1, .found(EndpointID(1), type: "_beamscribe._tcp", name: "Keynote", interfaces: [.infrastructure]))
    script.add(0, .fault(.vanish))
    script.wait(60_000)
    script.show(1, .state("LOOKING"))
    expect(script.result(LostGuestsReturn.self).findings.isEmpty)
  }

  @Test("A host that vanished is noticed within 60 s")
  func vanished() {
    for (isShown, verdict) in [(true, Verdict.pass), (false, .fail)] {
      var script = BeamScript()
      script.open(1)
      script.add(0, .fault(.vanish))
      script.wait(60_000)
      if isShown { script.show(1, .alertShown("hostDisconnected", isOwn: true)) }
      script.wait(1)
      script.show(1, .state("LOOKING"))
      equal(script.verdict(VanishedHostsAreNoticed.self), verdict)
    }
  }
}
