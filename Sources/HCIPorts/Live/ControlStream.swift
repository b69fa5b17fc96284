/// Who asks a run for a stream of octets, by the same address as orders.
public enum ControlStream {
  /// Octets of the line that comes before the stream.
  private static let lineLimit = 1 << 12

  /// Says a line, waits for “ok”, and hands on what comes until the run ends or somebody has enough.
  /// - Parameter take: takes octets; false: enough.
  /// - Throws: nobody listens there, or the answer is an error.
  public static func follow(
    _ line: String, at address: ControlAddress, _ take: ([UInt8]) -> Bool
  ) throws(PortError) {
    let socket = try ControlSocket(address)
    let answer = try socket.ask(line, limit: lineLimit)
    guard answer == "ok" else { throw PortError(answer.hasPrefix("error: ") ? String(answer.dropFirst(7)) : answer) }
    while let octets = socket.read(), take(octets) {}
  }
}
