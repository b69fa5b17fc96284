import BeamScribe

/// Reads bodies of frames, and remembers the newest: a host sends the same octets to all its guests, and each of them
/// is told them, so that one reading is as good as sixteen.
final class BodyMemory {
  private var body: [UInt8] = []
  private var reading: Result<BeamPacket, PacketRefusal>?
  /// It is a packet.
  private var isOne = false
  /// What is wrong with the newest body's text; nil: nobody has asked.
  private var problem: String??

  /// Whether a body is a packet.
  func isPacket(_ body: [UInt8]) -> Bool {
    read(body)
    return isOne
  }

  /// - Throws: `PacketRefusal` for what is no packet.
  func packet(_ body: [UInt8]) throws(PacketRefusal) -> BeamPacket {
    read(body)
    return try reading!.get()
  }

  private func read(_ body: [UInt8]) {
    // Whoever asks next has this array: an array is equal to itself without a look at its octets.
    if reading != nil, body == self.body { return self.body = body }
    let result: Result<BeamPacket, PacketRefusal>
    do throws(PacketRefusal) {
      result = .success(try BeamPacket(decoding: body))
      isOne = true
    } catch {
      result = .failure(error)
      isOne = false
    }
    (self.body, reading, problem) = (body, result, nil)
  }

  /// The first thing by which the text of a packet is not canonical (BEAM 4.1, 4.3, 4.4); nil: nothing.
  /// - Throws: `PacketRefusal` for what is no packet.
  func canonicalProblem(_ body: [UInt8]) throws(PacketRefusal) -> String? {
    if !isPacket(body) { _ = try packet(body) }
    if let problem { return problem }
    let found = CanonicalForm.problem(body)
    problem = found
    return found
  }
}
