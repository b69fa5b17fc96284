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
    file.reserveCapacity(file.count + recordHeaderLength + packet.count)
    appendRecordHeader(
      included: packet.count, original: packet.count, flags: (isReceived ? 1 : 0) | (isCommandOrEvent ? 2 : 0),
      drops: 0,
      microseconds: CaptureEpoch.btsnoopMicroseconds + nanoseconds / 1_000, to: &file)
    file.append(contentsOf: packet)
  }

  /// - Parameter microseconds: since the year 0.
  static func appendRecordHeader(
    included: Int, original: Int, flags: UInt32, drops: UInt32, microseconds: Int64, to file: inout [UInt8]
  ) {
    file.append(big: UInt64(original), 4)
    file.append(big: UInt64(included), 4)
    file.append(big: UInt64(flags), 4)
    file.append(big: UInt64(drops), 4)
    file.append(big: UInt64(bitPattern: microseconds), 8)
  }
}
