import BeamScribe

/// Reads bodies of frames, and remembers the newest: a host sends the same octets to all its guests, and each of them
/// is told them, so that one reading is as good as sixteen.
final class BodyMemory {
  private var body: [UInt8] = []
  private var reading: Result<BeamPacket, PacketRefusal>?
  /// What is wrong with the newest body's text; nil: nobody has asked.
  private var problem: String??

  /// - Throws: `PacketRefusal` for what is no packet.
  func packet(_ body: [UInt8]) throws(PacketRefusal) -> BeamPacket {
    if let reading, body == self.body {
      // Whoever asks next has this array: an array is equal to itself without a look at its octets.
      self.body = body
      return try reading.get()
    }
    let result: Result<BeamPacket, PacketRefusal>
    do throws(PacketRefusal) {
      result = .success(try BeamPacket(decoding: body))
    } catch {
      result = .failure(error)
    }
    (self.body, reading, problem) = (body, result, nil)
    return try result.get()
  }

  /// The first thing by which the text of a packet is not canonical (BEAM 4.1, 4.3, 4.4); nil: nothing.
  /// - Throws: `PacketRefusal` for what is no packet.
  func canonicalProblem(_ body: [UInt8]) throws(PacketRefusal) -> String? {
    _ = try packet(body)
    if let problem { return problem }
    let found = CanonicalForm.problem(body)
    problem = found
    return found
  }
}
