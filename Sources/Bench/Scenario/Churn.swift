public import SimKernel

/// Devices that go away and come back, again and again: each has its own draws, so one more device changes no other.
public struct Churn: Hashable, Sendable {
  /// Mean time from the start, or from coming back, to going away; exponentially distributed.
  public var stay: SimDuration
  /// Mean time away; exponentially distributed.
  public var away: SimDuration
  /// Nobody goes away after this time. Who is away then comes back in his time.
  public var span: SimDuration
  /// What is done to a device that goes away, in order.
  public var leaving: [Step.Action]
  /// What is done to one that comes back, in order.
  public var returning: [Step.Action]
}
