import AppSeam
public import Bench
import CaptureFormats
import Judging
import SimKernel
import VirtualNetwork

/// Writes the packets of a run's network into a pcapng file that Wireshark opens: an interface for each device's
/// interface, packets as that one sent and received them (NET 10).
///
/// Lost packets are in the capture of their sender only, and say so in a comment. A run without packets leaves no file.
/// Times start at `CaptureEpoch`. Memory does not grow with the run.
public final class NetworkCaptureReader: TraceReader {
  private let path: String
  private var file: WholeFile?
  private var writer = CaptureWriter(format: .pcapng, application: "babbench")
  private var names: [String] = []
  private var count = 0
  private var failure: (any Error)?

  /// The file is begun with the first packet, and gets its name in `close`.
  public init(path: String) { self.path = path }

  public var wantsNetwork: Bool { true }

  public func begin(_ header: TraceHeader) { names = header.devices.map(\.name) }

  public func read(_ record: TraceRecord) {
    guard case .network(.packet(let packet)) = record.event, failure == nil else { return }
    do {
      let file = try self.file ?? WholeFile(path: path)
      self.file = file
      count += 1
      try writer.append(
        CaptureRecord(
          ethernet: packet.octets, interfaceName: name(record.device) + " " + packet.interface.rawValue,
          isOutgoing: packet.isOutgoing, nanoseconds: record.instant.nanoseconds, number: count,
          comments: packet.isLost ? ["it did not arrive"] : []),
        to: &file.buffer)
      file.flushWhenFull()
    } catch {
      failure = error
    }
  }

  private func name(_ device: Int) -> String { names.indices.contains(device) ? names[device] : "device \(device)" }

  /// To be called once, after `end`.
  public func close() throws {
    if let failure { throw failure }
    try file?.finish()
    file = nil
  }
}
