import SimKernel

/// Devices that come to a room while it lives.
extension RadioWorld {
  /// Puts a device in the place of one whose controller was never used: what is drawn for it follows from its own name,
  /// and nobody else's draws change.
  public func replace(_ device: Int, by configuration: RadioConfiguration) {
    medium.replace(device, by: configuration)
    let controller = Controller(device: device, configuration: configuration, waiting: waiting)
    let radio = Radio(index: device, configuration: configuration, controller: controller, medium: medium, seed: seed)
    controllers.replace(at: device, with: controller)
    radios.replace(at: device, with: radio)
    controller.attach(world: self, radio: radio)
  }
}
