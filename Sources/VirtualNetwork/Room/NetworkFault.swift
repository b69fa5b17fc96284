public import SimKernel

/// What happens to a device's network from outside.
public enum NetworkFault: Hashable, Sendable {
  /// Both interfaces go off, as with the switch of a phone (NET 8.5).
  case wifiOff, wifiOn
  /// The infrastructure only (NET 3.2, 3.5).
  case joinNetwork, leaveNetwork
  /// Nothing passes between the device and another, or all others; neither end is told (NET 5.6).
  case partition(from: Int?), endPartition(from: Int?)
  /// What is added to all paths of the device, both ways.
  case loss(Ratio), delay(SimDuration)
  /// The device sends and hears nothing, and knows of nothing; until `appear`.
  case vanish, appear
  /// Devices or the access point are at other places: who reaches whom is asked again.
  case moved
  /// The app is not run: inputs wait, buffers fill (NET 8.6).
  case suspend, resume
}
