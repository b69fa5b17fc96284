public import BluetoothWire

extension Controller {
  /// Host to controller isochronous data (Vol 4, Part E, 5.4.5).
  ///
  /// Data for a handle that is no isochronous stream is dropped silently, as ACL data for a handle that is gone. This
  /// controller has no streams, so it drops all.
  public func submit(_ data: consuming HCI.ISOData) {
    if wantsHCI { world.observer?.observe(.isoToController(data), device: device) }
  }
}
