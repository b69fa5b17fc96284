public import Platform
public import SimKernel

/// A share of devices that do what they must not: drawn for each device from the seed.
///
/// Nothing is claimed of a device that is hostile in a world, and no condition asks it; the others must be served as if
/// it were a stranger's.
public struct Hostility: Hashable, Sendable {
  /// How probable it is that a device is hostile in a world.
  public var share: Ratio
  public var way: Way

  public enum Way: Hashable, Sendable {
    /// The name of a mutant, which runs in place of the device's engine.
    case engine(String)
    /// What its stack does to values from the launch on.
    case messages(MessageFaultRule)
  }

  /// Whether the device of this name is hostile in the world of this seed.
  func strikes(_ device: String, seed: UInt64) -> Bool {
    var stream = RandomStream(seed: seed, component: device, purpose: "hostility")
    return stream.happens(share)
  }
}
