extension BTSnoop {
  /// Appends the file header.
  public static func appendHeader(datalink: UInt32 = h4Datalink, to file: inout [UInt8]) {
    file += magic
    file.append(big: UInt64(version), 4)
    file.append(big: UInt64(datalink), 4)
  }

  /// Appends one packet whole.
  ///
  /// - Parameter nanoseconds: since the start of the run; the file shows microseconds since `CaptureEpoch`.
  public static func appendRecord(
    _ packet: [UInt8], nanoseconds: Int64, isReceived: Bool, isCommandOrEvent: Bool, to file: inout [UInt8]
  ) {
    let length = UInt64(packet.count)
    file.reserveCapacity(file.count + recordHeaderLength + packet.count)
    file.append(big: length, 4)
    file.append(big: length, 4)
    file.append(big: (isReceived ? 1 : 0) | (isCommandOrEvent ? 2 : 0), 4)
    file.append(big: 0, 4)
    file.append(big: UInt64(bitPattern: CaptureEpoch.btsnoopMicroseconds + nanoseconds / 1_000), 8)
    file.append(contentsOf: packet)
  }
}
