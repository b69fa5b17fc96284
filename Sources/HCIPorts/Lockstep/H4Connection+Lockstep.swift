import SimKernel
import VirtualRadio

/// A host that says what it waits for: packets and messages about time in one stream.
extension H4Connection {
  /// Takes octets of a partner that has not said yet that it is a plain host. False when it is one: then these are H4.
  func readLockstep(_ octets: [UInt8], _ stamp: SimInstant) -> Bool {
    if !isSeated, lockstep?.waiting == 0, octets.first != LockstepMessage.indicator {
      if port.owner.settings.settle != nil {
        lockstep = nil
        takeSeat()
        return false
      }
      end(
        "cannot say what it waits for: its first octet is \(H4Connection.hex(Array(octets.prefix(1)))), not 54;"
          + " hosts without the lockstep protocol need --settle")
      return true
    }
    var pieces: [LockstepFramer.Piece] = []
    lockstep?.feed(octets) { pieces.append($0) }
    for piece in pieces where isActive { handle(piece, stamp) }
    return true
  }

  private func handle(_ piece: LockstepFramer.Piece, _ stamp: SimInstant) {
    switch piece {
    case .refused(let octets):
      port.report.lossesOfStep += 1
      end("sent octets that are neither a packet nor a message of a host: \(H4Connection.hex(octets))")
    case .message(.hello(let version, let group)): hello(version, group)
    case .packet, .message:
      guard isSeated else { return end("has not said hello") }
      if case .message(.wait(let instant)) = piece { port.owner.waits(port, until: instant) }
      if case .packet(let octets) = piece {
        port.report.packetsIn += 1
        port.enter(.packet(octets), stamp: stamp)
      }
    }
  }

  private func hello(_ version: UInt8, _ group: UInt32) {
    if isSeated { return end("says hello a second time") }
    guard version == LockstepMessage.version else {
      return end("speaks version \(version) of the lockstep protocol; this port speaks \(LockstepMessage.version)")
    }
    guard port.current == nil else {
      port.report.refusals += 1
      return end("is turned away: the seat is taken")
    }
    self.group = group
    send(LockstepMessage.seated(version: LockstepMessage.version).encoded)
    takeSeat()
    flush()
  }

  /// Gives the turn to the host, with what was sent to it since its last one.
  func giveTurn(at instant: SimInstant) {
    if lockstep != nil { send(LockstepMessage.turn(at: instant).encoded) }
    flush()
  }

  /// Closes the connection, and says why on both sides.
  func end(_ reason: String) {
    sayEnd(reason)
    if isSeated { return giveUpSeat(reason) }
    port.line("\(partner) \(reason)")
    close()
  }
}
