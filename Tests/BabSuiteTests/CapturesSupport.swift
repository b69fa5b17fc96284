import AppSeam
import BabSim
import Bench
import BluetoothWire
import CaptureTestSupport
import Platform
import SimKernel
import VirtualRadio

/// The run as trace: what its readers are told.
extension SyntheticTrace {
  static let header: TraceHeader = {
    let device = { (name: String, role: AppRole, address: BluetoothAddress) in
      TraceHeader.Device(
        name: name, role: role, phone: "ideal", dialect: "reference", engine: "reference", address: address)
    }
    return TraceHeader(
      scenario: "synthetic", seed: 7,
      devices: [device("host", .host, peripheral), device("Zoë / 1", .client, central)],
      options: [.init(key: "room", value: "ideal")])
  }()

  /// Everything, as a run would hand it to its readers.
  static func play(to reader: any TraceReader) {
    reader.begin(header)
    var sequence = 0
    func record(_ event: TraceEvent, at instant: SimInstant, device: Int) {
      reader.read(TraceRecord(sequence: sequence, instant: instant, device: device, event: event))
      sequence += 1
    }
    record(.step("start"), at: .zero, device: -1)
    for (index, pdu) in air.enumerated() {
      if index == 8 { record(.fault(.vanish), at: pdu.start, device: 1) }
      if index == 10 {
        record(.expectation(text: "all are ready", holds: false, detail: "Zoë is not"), at: pdu.start, device: -1)
        record(.expectation(text: "host is there", holds: true, detail: ""), at: pdu.start, device: -1)
      }
      record(.radio(.air(pdu)), at: pdu.start + pdu.duration, device: pdu.transmitter)
    }
    for (index, event) in hci.enumerated() {
      record(.radio(event), at: .zero + .microseconds(Int64(index) * 100 + 7), device: 0)
    }
    record(.radio(.hciCommand(.leSetScanEnable(true, filterDuplicates: false))), at: .zero, device: 1)
    record(
      .fault(.message(.drop, LinkID(3), characteristic: BluetoothUUID(0x2A00), octets: [1, 2])), at: .zero, device: 0)
  }
}
