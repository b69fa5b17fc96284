package import Bench
import BluetoothWire
import CaptureFormats
import SimKernel
import VirtualRadio

/// What passes in a run, as pcapng for those who listen while it goes on: the air, or the HCI of every device.
///
/// A listener's capture begins when it comes: with a section, its interfaces, and then packets as they pass. For the
/// HCI each device is an interface of its own, with its name.
package final class LiveCaptureReader: TraceReader {
  package enum Source: String, CaseIterable, Sendable {
    case air, hci
  }

  /// Takes octets; false: it does not listen any more.
  package typealias Sink = ([UInt8]) -> Bool

  private var sinks: [(source: Source, send: Sink)] = []
  private var air = AirPackets()
  private var names: [String] = []

  package init() {}

  package var wantsAir: Bool { true }
  package var wantsHCI: Bool { true }

  package func begin(_ header: TraceHeader) { names = header.devices.map(\.name) }
  package func joins(_ header: TraceHeader, device: Int) { names[device] = header.devices[device].name }

  /// Somebody listens from now on.
  package func add(_ source: Source, _ send: @escaping Sink) {
    var octets: [UInt8] = []
    PCAPNG.appendSectionHeader(application: "babbench", comments: [], to: &octets)
    switch source {
    case .air: PCAPNG.appendInterface(linkType: PCAPNG.leLinkType, name: "air", to: &octets)
    case .hci: for name in names { PCAPNG.appendInterface(linkType: Self.hciLinkType, name: name, to: &octets) }
    }
    if send(octets) { sinks.append((source, send)) }
  }

  /// LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR.
  private static let hciLinkType: UInt16 = 201

  package func read(_ record: TraceRecord) {
    guard !sinks.isEmpty, case .radio(let event) = record.event else { return }
    switch event {
    case .air(let pdu): send(.air, air.octets(pdu), 0, pdu.start)
    case .hciCommand(let command): send(command.h4Octets, record, isReceived: false)
    case .hciEvent(let event): send(event.h4Octets, record, isReceived: true)
    case .aclToController(let data): send(data.h4Octets, record, isReceived: false)
    case .aclToHost(let data): send(data.h4Octets, record, isReceived: true)
    case .isoToController(let data): send(data.h4Octets, record, isReceived: false)
    case .isoToHost(let data): send(data.h4Octets, record, isReceived: true)
    }
  }

  /// The pseudo-header is a direction, most significant octet first: 0 from the host, 1 to it.
  private func send(_ packet: [UInt8], _ record: TraceRecord, isReceived: Bool) {
    send(.hci, [0, 0, 0, isReceived ? 1 : 0] + packet, UInt32(record.device), record.instant)
  }

  private func send(_ source: Source, _ packet: [UInt8], _ interface: UInt32, _ instant: SimInstant) {
    guard sinks.contains(where: { $0.source == source }) else { return }
    var octets: [UInt8] = []
    PCAPNG.appendPacket(packet, interface: interface, nanoseconds: instant.nanoseconds, comments: [], to: &octets)
    sinks.removeAll { $0.source == source && !$0.send(octets) }
  }
}
