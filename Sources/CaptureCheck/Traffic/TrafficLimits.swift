/// What bounds the memory of whoever follows captures, whatever they claim.
public enum TrafficLimits {
  /// Links that `TrafficReader.links` keeps; later ones are followed and told to observers all the same.
  public static let links = 16_384
  /// Links that are up at once, over all captures; one more closes the one that was opened first.
  public static let liveLinks = 1_024
  /// Adapters over all captures; records of more are told as asides.
  public static let adapters = 256
  /// Records of hosts' logs whose findings do not count, because they were not in the order of time.
  public static let doubtfulRecords = 65_536
  /// Services, characteristics and descriptors of one server, of each at most so many.
  public static let attributesOfServer = 4_096
  /// All of them of all servers; above, those are forgotten whose last link closed first.
  public static let attributes = 262_144
  /// Extended advertisements of one adapter that wait for more fragments.
  public static let openAdvertisements = 16
  /// Octets of one advertisement. Spec: Core v5.4, Vol 4, Part E, 7.8.57.
  public static let advertisingOctets = 1_650
  /// Credit-based channels of one link.
  public static let channels = 64
  /// Streams of networks that are followed at once, over all captures.
  public static let liveStreams = 4_096
  /// Octets of streams that wait for earlier ones, over all captures, with 64 for each segment.
  public static let heldOctets = 64 << 20
  /// Services that Multicast DNS announces, over all captures; later ones are not told. As many hosts.
  public static let services = 4_096
  public static let addressesOfHost = 16
}
