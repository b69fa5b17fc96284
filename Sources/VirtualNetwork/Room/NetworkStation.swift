import AppSeam

/// A device as the network sees it.
package struct NetworkStation: Hashable, Sendable {
  /// Unique in the room: the host name is `name.local`, and other devices know it by this text.
  package var name: String
  /// It is in the room's infrastructure from the start, if the room has an access point.
  package var hasInfrastructure = true
  package var hasPeerToPeer = true
  /// Its system takes the sockets of an app back after 60 s of suspension (NET 8.6).
  package var reclaimsSockets = false
  /// Its system says goodbye for the services of an app that was killed (NET 8.7).
  package var saysGoodbye = true
  package var stream = StreamSettings()
  /// How much it wants to be the master of an AWDL cluster (NET 4.9).
  package var metric = 60

  package init(name: String) { self.name = name }

  /// The header of IPv4 is 20 octets shorter than that of IPv6, for which `stream` says how long segments are.
  func maximumSegment(on interface: NetworkInterface) -> Int {
    stream.maximumSegment + (interface == .infrastructure ? 20 : 0)
  }
}
