import CoreBluetooth

/// A chat in the manner of public guides: the peripheral publishes one characteristic, the central subscribes to it.
public enum Chat {
  public static let service = CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
  public static let line = CBUUID(string: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
}
