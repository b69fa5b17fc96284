public import Bench
import BluetoothWire
import CaptureFormats
public import Judging
import Platform
import SimKernel
import VirtualRadio

/// Writes everything that was on the air into a pcapng file that Wireshark opens.
///
/// PDUs have link type 256 and their real CRC; one that noise or a collision destroyed has a wrong CRC and is marked
/// so. What the bench did and found is in comments: the run and its devices in the section header; faults, steps,
/// failed expectations and `annotate` on the next PDU, or on the last one when none follows. Times start at
/// `CaptureEpoch`. Memory does not grow with the run. Not modelled: what each single receiver heard of an advertising
/// PDU.
public final class AirCaptureReader: TraceReader {
  private let file: WholeFile
  private var devices: [TraceHeader.Device] = []
  /// Comments that wait for the next PDU.
  private var comments: [String] = []
  private var held: HeldPDU?
  private var lastNanoseconds: Int64 = 0
  private var packets = AirPackets()
  private var hasBegun = false

  /// The newest PDU waits here, because a comment may still come to it.
  private struct HeldPDU {
    var octets: [UInt8]
    var nanoseconds: Int64
    var comments: [String]
  }

  /// Opens the file; it gets its name in `close`.
  public init(path: String) throws(WholeFileError) { file = try WholeFile(path: path) }

  public var wantsAir: Bool { true }

  public func begin(_ header: TraceHeader) {
    devices = header.devices
    writeHeader(
      [CaptureText.run(header)] + header.devices.indices.map { CaptureText.device(header, $0) }
        + header.options.map { "\($0.key) = \($0.value)" })
  }

  public func joins(_ header: TraceHeader, device: Int) { devices = header.devices }

  public func read(_ record: TraceRecord) {
    switch record.event {
    case .radio(.air(let pdu)): hold(pdu)
    case .fault(let fault): annotate("fault: " + CaptureText.fault(fault, on: name(record.device)))
    case .platform(let remark): annotate("\(name(record.device)): \(remark.kind.rawValue), \(remark.text)")
    case .step(let text): annotate("step: " + text)
    case .expectation(let text, holds: false, let detail, _): annotate("failed expectation: \(text) (\(detail))")
    case .expectation(let text, holds: nil, let detail, _): annotate("unknown expectation: \(text) (\(detail))")
    default: break
    }
  }

  /// A remark for the people who read the capture, such as a verdict; it goes onto the next PDU.
  public func annotate(_ text: String) { comments.append(text) }

  /// Writes what is held and gives the file its name; to be called once, after `end` and the last verdict.
  public func close() throws(WholeFileError) {
    if !hasBegun { writeHeader([]) }
    if held != nil {
      held?.comments += comments
      writeHeld()
    } else if !comments.isEmpty {
      PCAPNG.appendRemarks(comments, nanoseconds: lastNanoseconds, to: &file.buffer)
    }
    comments = []
    try file.finish()
  }

  private func writeHeader(_ comments: [String]) {
    hasBegun = true
    PCAPNG.appendSectionHeader(application: "babbench", comments: comments, to: &file.buffer)
    PCAPNG.appendInterface(linkType: PCAPNG.leLinkType, name: "air", to: &file.buffer)
  }

  private func hold(_ pdu: AirPDU) {
    writeHeld()
    if pdu.fate == .unheard, let receiver = pdu.receiver { comments.append("not heard by \(name(receiver))") }
    held = HeldPDU(octets: packets.octets(pdu), nanoseconds: pdu.start.nanoseconds, comments: comments)
    lastNanoseconds = pdu.start.nanoseconds
    comments.removeAll(keepingCapacity: true)
  }

  private func writeHeld() {
    guard let packet = held else { return }
    PCAPNG.appendPacket(
      packet.octets, nanoseconds: packet.nanoseconds, comments: packet.comments, to: &file.buffer)
    file.flushWhenFull()
    held = nil
  }

  private func name(_ device: Int) -> String {
    devices.indices.contains(device) ? devices[device].name : device == -1 ? "world" : "device \(device)"
  }
}
