import AppSeam
import BeamScribe
import Bench
import Conformance
import Platform
import SimKernel
import VirtualNetwork

/// The test bed of BeamScribe: with lower testers that play guests and hosts.
final class BeamBed: TestBed {
  let dialect: DialectName
  /// Lower testers that play guests, for a host under test.
  let guests: Testers<GuestTester>
  /// Lower testers that play hosts, for a guest under test.
  let hosts: Testers<HostTester>

  init(_ setup: CaseSetup) {
    var guests = Testers<GuestTester>()
    var hosts = Testers<HostTester>()
    for (index, device) in setup.played {
      if device.role == .beamGuest {
        guests.append(GuestTester(index: index, device, dialect: setup.id.dialect))
      } else {
        hosts.append(HostTester(index: index, device, dialect: setup.id.dialect))
      }
    }
    dialect = setup.id.dialect
    self.guests = guests
    self.hosts = hosts
    let testers: [LowerTester] = guests.withAbsent + hosts.withAbsent
    super.init(setup, testers: TestBed.present(testers))
    for tester in testers { tester.bed = self }
  }

  /// The service type of the case's dialect.
  var serviceType: String { BeamConfiguration(dialect: dialect, peerID: "", displayName: "").serviceType }

  /// What a host owes once its event is on, and a guest once its person joins. BLE only makes it quicker.
  override var firstSteps: [FirstStep] {
    let isAsked = iut.inputs.contains { entry in
      switch entry.input.beam {
      case .startEvent, .join, .joinEvent: true
      default: false
      }
    }
    guard isAsked else { return [] }
    return iut.role == .beamHost
      ? [FirstStep(.listen, Cause("never listens for guests", clause: "BEAM 5.1.1"))]
      : [
        FirstStep(.browse, Cause("never browses for events", clause: "BEAM 5.3.1")),
        FirstStep(.open, Cause("connects to no event", clause: "BEAM 5.3.2")),
      ]
  }

  /// What was said and nobody was sent comes after the first steps.
  override var absence: Cause? { super.absence ?? unsent }

  var host: HostTester { hosts[0] }
  var guest: GuestTester { guests[0] }

  /// Lets time pass until an instant; none when it is over.
  func pause(until instant: SimInstant) throws {
    if instant > now { try pause(instant - now) }
  }

  /// An instant must be exactly so long after another one.
  func require(
    _ text: String, _ instant: SimInstant?, is span: SimDuration, after start: SimInstant, record: Int? = nil,
    clause: String? = nil
  ) throws {
    let actual = instant.map { "it is \(TestBed.text($0 - start)) after it" } ?? "it did not happen"
    try require(text, record: record, clause: clause, actual: actual, instant == start + span)
  }

  /// Something happens to a device and is a stimulus of the case.
  func suffers(_ fault: DeviceFault, device: Int, _ text: String) {
    if gives(text) { world.apply(fault, device: device) }
  }
}
