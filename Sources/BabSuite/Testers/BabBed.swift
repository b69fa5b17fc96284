import AppSeam
import BabSim
import Bench
import Conformance

/// The test bed of Bab: with lower testers that play clients and hosts.
final class BabBed: TestBed {
  let dialect: Dialect
  /// A seat is taken by subscribing, and no packet asks for it or tells of it.
  let seatsOnSubscription: Bool
  /// Packets that the implementation's profile does not have.
  private let foreignTypes: [PacketType]
  /// Lower testers that play clients, for a host under test.
  let clients: Testers<ClientTester>
  /// Lower testers that play hosts, for a client under test.
  let hosts: Testers<HostTester>

  /// All lower testers that take part.
  var testers: [LowerTester] { Array(clients) + Array(hosts) }

  /// What a host owes once its person hosts, and a client once its person joins.
  override var firstSteps: [FirstStep] {
    let isAsked = iut.inputs.contains { entry in
      switch entry.input.bab {
      case .startHosting, .joinHost, .joinHostAt: true
      default: false
      }
    }
    guard isAsked else { return [] }
    return iut.role == .host
      ? [
        FirstStep(.publish, Cause("never publishes its service", clause: "BAB 2.1")),
        FirstStep(.advertise, Cause("never advertises", clause: "BAB 5.1.2")),
      ]
      : [
        FirstStep(.scan, Cause("never scans", clause: "BAB 2.4")),
        FirstStep(.connect, .connectsToNoHost),
        FirstStep(.discover, Cause("never discovers its host's service", clause: "BAB 5.1.4")),
        FirstStep(.subscribe, .doesNotSubscribe),
      ]
  }

  /// Whoever neither sends a value nor shows anything when one comes may not read fragments.
  override var deafness: Cause? {
    guard dialect.framing == .framed, !assumption.steps.contains(where: { $0.name == BabStep.framing }),
      testers.allSatisfy(\.values.isEmpty)
    else { return nil }
    let values = iut.inputs.filter { if case .valueReceived = $0.input { true } else { false } }.map(\.instant)
    let reacts = iut.babReports.contains { $0.report.isOfScreen && values.contains($0.instant) }
    return values.isEmpty || reacts
      ? nil : Cause("shows nothing of what it is sent in fragments", clause: "BAB 3.1", step: BabStep.framing)
  }

  /// What is sent may not arrive: its fragments are the first thing to help with.
  override var lastResort: String? { BabStep.framing }

  /// A procedure says, or waits for, a packet of this type.
  func uses(_ type: PacketType) { if !has(type) { goesOutside(type.rawValue) } }

  /// Whether the implementation's profile has packets of this type.
  func has(_ type: PacketType) -> Bool { !foreignTypes.contains(type) }

  init(_ setup: CaseSetup) {
    let dialect = setup.id.dialect.profile
    var clients = Testers<ClientTester>()
    var hosts = Testers<HostTester>()
    for (index, device) in setup.played {
      if device.role == .client {
        clients.append(ClientTester(index: index, device, dialect: dialect))
      } else {
        hosts.append(HostTester(index: index, device, dialect: dialect))
      }
    }
    self.dialect = dialect
    seatsOnSubscription = setup.profile?.seatsOnSubscription ?? false
    foreignTypes = setup.profile?.foreignTypes ?? []
    self.clients = clients
    self.hosts = hosts
    let testers: [LowerTester] = clients.withAbsent + hosts.withAbsent
    super.init(setup, testers: TestBed.present(testers))
    for tester in testers { tester.bed = self }
  }
}
