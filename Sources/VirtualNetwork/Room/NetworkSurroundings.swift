package import SimKernel

/// What a network asks of the room and tells it.
package protocol NetworkSurroundings: AnyObject {
  /// Whether two stations hear each other, by place (NET 1.5); asked again after the fault `moved`.
  /// `NetworkWorld.accessPointStation` stands for the access point.
  func reaches(_ a: Int, _ b: Int) -> Bool
  func observe(_ event: NetworkEvent, device: Int)
  /// A station sends on a channel of 2.4 GHz (NET 9.4). Told when the exchange starts, so that the span of an answer
  /// lies ahead.
  func occupies(_ device: Int, centreMHz: Int, from start: SimInstant, to end: SimInstant)
}
