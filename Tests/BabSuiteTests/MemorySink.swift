import Judging

/// Keeps what is written.
final class MemorySink: OctetSink {
  private(set) var octets: [UInt8] = []
  func write(_ octets: [UInt8]) { self.octets.append(contentsOf: octets) }
  func close() {}
}
