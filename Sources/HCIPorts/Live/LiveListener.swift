import NIOCore

/// Somebody at the control port who has asked for a stream of octets instead of further answers.
public final class LiveListener {
  /// Octets that may wait for one who does not read; beyond, the connection is closed.
  static let waitingOctets = 16 << 20

  private var channel: (any Channel)?

  init(_ channel: any Channel) { self.channel = channel }

  /// - Returns: false when nobody listens any more.
  public func send(_ octets: [UInt8]) -> Bool {
    guard let channel, channel.isActive else { return false }
    if !channel.isWritable {
      close()
      return false
    }
    channel.writeAndFlush(ByteBuffer(bytes: octets), promise: nil)
    return true
  }

  func close() {
    channel?.close(promise: nil)
    channel = nil
  }
}
