/// Who gives an order to a run that takes them.
public enum ControlClient {
  /// Octets of an answer.
  private static let answerLimit = 1 << 16

  /// Says one line, and waits for the line of the answer.
  /// - Throws: nobody listens there, or the run has ended before its answer.
  public static func ask(_ line: String, at address: ControlAddress) throws(PortError) -> String {
    try ControlSocket(address).ask(line, limit: answerLimit)
  }
}
