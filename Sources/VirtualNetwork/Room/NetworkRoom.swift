package import SimKernel

/// The network's side of a room.
package struct NetworkRoom: Hashable, Sendable {
  /// What carries packets from device to device.
  package enum Air: Hashable, Sendable {
    /// Every packet takes so long, and none waits for another. Interfaces from peer to peer are always awake, joining
    /// takes no time, and neighbours know each other.
    case fixed(delay: SimDuration)
    /// Channels that stations share: airtime, back-off, repeats, windows of AWDL (NET 2 to 4).
    case shared
  }

  /// How octets that arrived are cut for the app (NET 6.11).
  package enum Chopping: Hashable, Sendable {
    /// As they are there when the app is run, at most 65 536.
    case none
    /// Lengths drawn evenly from 1 to this one.
    case drawn(upTo: Int)
    case exactly(Int)
  }

  package var air = Air.shared
  /// nil: there is no infrastructure.
  package var accessPoint: AccessPoint? = AccessPoint()
  package var peerToPeer = PeerToPeerRules()
  /// Holds for all paths that have no rules of their own.
  package var path = PathRules()
  package var paths: [PathException] = []
  package var chopping = Chopping.none

  package init() {}

  /// A fixed delay of 1 ms, and nothing else.
  package static let ideal: NetworkRoom = {
    var room = NetworkRoom()
    room.air = .fixed(delay: .milliseconds(1))
    return room
  }()

  /// The rules of one direction between two devices.
  package struct PathException: Hashable, Sendable {
    package var from: Int
    package var to: Int
    package var rules: PathRules

    package init(from: Int, to: Int, rules: PathRules) {
      self.from = from
      self.to = to
      self.rules = rules
    }
  }
}
