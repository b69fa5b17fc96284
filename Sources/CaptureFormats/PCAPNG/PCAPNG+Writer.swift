extension PCAPNG {
  /// Appends a section header block; every file starts with one.
  public static func appendSectionHeader(application: String, comments: [String], to file: inout [UInt8]) {
    let start = open(BlockType.sectionHeader, in: &file)
    file.append(little: UInt64(byteOrderMagic), 4)
    file.append(little: 1, 2)
    file.append(little: 0, 2)
    // The section's length is not known while it is being written.
    file.append(little: UInt64.max, 8)
    append(comments: comments, to: &file)
    append(option: Option.userApplication, Array(application.utf8), to: &file)
    append(option: Option.end, [], to: &file)
    close(start, in: &file)
  }

  /// Appends an interface description block; interfaces count from 0. Times are nanoseconds.
  ///
  /// - Parameter secondsOffset: when its clock starts, since 1970.
  public static func appendInterface(
    linkType: UInt16, name: String?, secondsOffset: Int64 = 0, to file: inout [UInt8]
  ) {
    let start = open(BlockType.interfaceDescription, in: &file)
    file.append(little: UInt64(linkType), 2)
    file.append(little: 0, 2)
    file.append(little: 0, 4)
    if let name { append(option: Option.interfaceName, Array(name.utf8), to: &file) }
    append(option: Option.timestampResolution, [9], to: &file)
    if secondsOffset != 0 {
      var octets: [UInt8] = []
      octets.append(little: UInt64(bitPattern: secondsOffset), 8)
      append(option: Option.timestampOffset, octets, to: &file)
    }
    append(option: Option.end, [], to: &file)
    close(start, in: &file)
  }

  /// Appends an enhanced packet block.
  ///
  /// - Parameter nanoseconds: since the start of the run, not negative; the file shows them since `CaptureEpoch`.
  public static func appendPacket(
    _ octets: [UInt8], interface: UInt32 = 0, nanoseconds: Int64, comments: [String], to file: inout [UInt8]
  ) {
    file.reserveCapacity(file.count + octets.count + 40)
    let start = openPacket(
      interface: interface, time: UInt64(bitPattern: CaptureEpoch.unixSeconds * 1_000_000_000 + nanoseconds),
      captured: octets.count, original: octets.count, to: &file)
    file.append(contentsOf: octets)
    closePacket(start, captured: octets.count, isToHost: nil, drops: nil, comments: comments, in: &file)
  }

  /// Starts an enhanced packet block, after which its octets are to be appended.
  ///
  /// - Parameter time: nanoseconds since 1970.
  static func openPacket(
    interface: UInt32, time: UInt64, captured: Int, original: Int, to file: inout [UInt8]
  ) -> Int {
    let start = open(BlockType.enhancedPacket, in: &file)
    file.append(little: UInt64(interface), 4)
    append(time: time, to: &file)
    file.append(little: UInt64(captured), 4)
    file.append(little: UInt64(original), 4)
    return start
  }

  /// - Parameter drops: packets lost since the one before.
  static func closePacket(
    _ start: Int, captured: Int, isToHost: Bool?, drops: UInt64?, comments: [String], in file: inout [UInt8]
  ) {
    pad(captured, in: &file)
    append(comments: comments, to: &file)
    if let isToHost { append(option: Option.packetFlags, [isToHost ? 1 : 2, 0, 0, 0], to: &file) }
    if let drops {
      var count: [UInt8] = []
      count.append(little: drops, 8)
      append(option: Option.dropCount, count, to: &file)
    }
    if isToHost != nil || drops != nil || !comments.isEmpty { append(option: Option.end, [], to: &file) }
    close(start, in: &file)
  }

  /// Appends an interface statistics block that only carries comments, for a file without packets to carry them.
  public static func appendRemarks(
    _ comments: [String], interface: UInt32 = 0, nanoseconds: Int64, to file: inout [UInt8]
  ) {
    let start = open(BlockType.interfaceStatistics, in: &file)
    file.append(little: UInt64(interface), 4)
    append(time: UInt64(bitPattern: CaptureEpoch.unixSeconds * 1_000_000_000 + nanoseconds), to: &file)
    append(comments: comments, to: &file)
    append(option: Option.end, [], to: &file)
    close(start, in: &file)
  }

  private static func append(time: UInt64, to file: inout [UInt8]) {
    file.append(little: time >> 32, 4)
    file.append(little: time, 4)
  }

  private static func append(comments: [String], to file: inout [UInt8]) {
    for comment in comments { append(option: Option.comment, Array(comment.utf8), to: &file) }
  }

  /// The length of an option has 16 bits; longer text is cut between two UTF-8 characters.
  private static func append(option code: UInt16, _ value: [UInt8], to file: inout [UInt8]) {
    var count = min(value.count, 0xFFFF)
    while count < value.count, value[count] & 0xC0 == 0x80 { count -= 1 }
    file.append(little: UInt64(code), 2)
    file.append(little: UInt64(count), 2)
    file.append(contentsOf: value.prefix(count))
    pad(count, in: &file)
  }

  private static func pad(_ count: Int, in file: inout [UInt8]) {
    for _ in 0..<(4 - count & 3) & 3 { file.append(0) }
  }

  /// Starts a block; its two length fields are set by `close`.
  private static func open(_ type: UInt32, in file: inout [UInt8]) -> Int {
    let start = file.count
    file.append(little: UInt64(type), 4)
    file.append(little: 0, 4)
    return start
  }

  private static func close(_ start: Int, in file: inout [UInt8]) {
    let length = UInt64(file.count + 4 - start)
    for index in 0..<4 { file[start + 4 + index] = UInt8(truncatingIfNeeded: length >> (8 * UInt64(index))) }
    file.append(little: length, 4)
  }
}
