import BabSim
import Conformance

/// Something new that a client under test shows when it has taken the packet: another difficulty in LOBBY_UPDATE, or
/// another role of the host in ROLE_ASSIGNED where the profile has no LOBBY_UPDATE.
extension HostTester {
  /// The packet's payload; what is new is in `change` from now on.
  ///
  /// - Parameter padding: so many octets more; where the payload has no room for them, the clock gets an entry of that
  ///   length.
  func makeChange(padding: Int = 0) -> PacketPayload {
    let pad = String(repeating: "x", count: padding)
    guard bed.has(.lobbyUpdate) else {
      change = change == "barista" ? "customer" : "barista"
      if padding > 0 { clock.increment(pad) }
      return .roleAssigned(playerID: peerID, roleID: change)
    }
    change = change == "hard" ? "easy" : "hard"
    lobby.difficultyLevel = change
    var told = lobby
    told.connectedPlayers[0].displayName += pad
    return .lobbyUpdate(told)
  }

  func tellChange() { send(makeChange()) }

  /// The type of packets that tell a change.
  var changeType: PacketType { bed.has(.lobbyUpdate) ? .lobbyUpdate : .roleAssigned }

  func isShown(_ change: String) -> Bool {
    bed.has(.lobbyUpdate) ? bed.iut.lobby?.difficulty == change : bed.iut.role(of: peerID) == change
  }

  /// The implementation must show what was told last.
  func expectChangeShown(_ addition: String = "") throws {
    let (change, what) = (change, bed.has(.lobbyUpdate) ? "difficulty" : "host as")
    try bed.expect("the IUT shows the \(what) \(change)" + addition) { isShown(change) }
  }
}
