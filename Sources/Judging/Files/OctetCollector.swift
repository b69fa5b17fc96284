/// A sink that keeps everything in memory: for files that are only read again by the same program.
package final class OctetCollector: OctetSink {
  package private(set) var octets: [UInt8] = []
  package init() {}
  package func write(_ octets: [UInt8]) { self.octets += octets }
  package func close() {}
}
