import AppSeam
import Bench
import BluetoothWire
import CaptureCheck
import Conformance
import Judging
import SimKernel

/// Echo in captures: pings and pongs of each link, judged by the oracle of simulated runs.
final class EchoTraffic: TrafficProtocol {
  static let name = EchoApp.name
  static let dialects = ["plain"]

  private struct Moment {
    var link: TrafficLink
    var at: TrafficMoment
    var event: TraceEvent
  }

  private var moments: [Moment] = []
  private var end = SimInstant.zero

  init(dialect: String?, session: TrafficSession) {}

  var interests: TrafficEvent.Interests { [.links, .att] }

  func observe(_ event: TrafficEvent) {
    if case .linkClosed(let link, _) = event.kind {
      let reason = HCI.ErrorCode.connectionTimeout
      note(link, event.moment, .input(.disconnected(LinkID(link.index), reason: reason)))
    }
  }

  func observe(att pdu: TrafficPDU) {
    for value in TrafficValue.values(in: pdu.octets) ?? [] {
      let server = pdu.link.attributes(ofCentral: pdu.fromCentral == value.isFromServer)
      let uuid = server.characteristic(value: value.handle)?.uuid
      let link = LinkID(pdu.link.index)
      let octets = Array(value.octets)
      if uuid == EchoService.ping.uuid {
        note(
          pdu.link, pdu.moment,
          .input(.valueReceived(link, characteristic: EchoService.ping.uuid, octets: octets)))
      } else if uuid == EchoService.pong.uuid {
        note(pdu.link, pdu.moment, .effect(.notify(link, characteristic: EchoService.pong.uuid, octets: octets)))
      }
    }
  }

  func finish(at end: SimInstant) { self.end = end }

  private func note(_ link: TrafficLink, _ moment: TrafficMoment, _ event: TraceEvent) {
    moments.append(Moment(link: link, at: moment, event: event))
  }

  var results: TrafficJudgement {
    let links = moments.filter { if case .input(.valueReceived) = $0.event { true } else { false } }.map(\.link)
    let places = Set(links.map(\.index)).sorted()
    let hosts = places.map { index in
      TraceHeader.Device(
        name: "host of link \(index + 1)", role: .echoHost, phone: "", dialect: "plain", engine: "captured",
        address: BluetoothAddress(kind: .random, bits: UInt64(index)))
    }
    let reader = OracleReader.echo()
    reader.begin(TraceHeader(scenario: "", seed: 0, devices: hosts, options: []))
    for moment in moments {
      guard let device = places.firstIndex(of: moment.link.index) else { continue }
      reader.read(
        TraceRecord(
          sequence: moment.at.place.record, instant: moment.at.instant, device: device, event: moment.event))
    }
    reader.end(
      RunOutcome(ending: .stopped, endInstant: end, digest: TraceDigest(), statistics: .init(), devices: []))
    return TrafficJudgement(
      participants: hosts.map {
        TrafficParticipant(name: $0.name, role: "host", dialect: "plain", address: $0.address.description)
      },
      dialect: hosts.isEmpty ? nil : "plain", oracles: reader.judgement?.oracles ?? [], notes: [])
  }

  static func makePrinter() -> any PacketPrinter { EchoPrinter() }
}

private final class EchoPrinter: PacketPrinter {
  func packet(in value: PrintedValue) -> PrintedPacket? {
    guard let uuid = value.uuid, name(of: uuid) != nil, let packet = EchoPacket(value.octets) else { return nil }
    switch packet {
    case .ping(let number): return PrintedPacket(text: "ping \(number)", details: [])
    case .pong(let number): return PrintedPacket(text: "pong \(number)", details: [])
    }
  }

  func name(of uuid: BluetoothUUID) -> String? {
    switch uuid {
    case EchoService.definition.uuid: "Echo"
    case EchoService.ping.uuid: "ping"
    case EchoService.pong.uuid: "pong"
    default: nil
    }
  }

  func close(link: Int) {}
}
