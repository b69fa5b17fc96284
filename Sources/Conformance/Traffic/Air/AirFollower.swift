import BluetoothWire
import CaptureFormats

/// Follows connections on the air by their access addresses, through channel hopping as the sniffer recorded it.
final class AirFollower {
  private let output: TrafficOutput

  init(_ output: TrafficOutput) { self.output = output }

  func read(_ octets: ArraySlice<UInt8>, _ header: AirHeader) {
    output.emit(.air) { .air(nil, header, octets) }
  }
}
