extension Scenario {
  /// What people should know of the devices before they trust a run, a line each.
  package var remarks: [String] {
    devices.flatMap { device -> [String] in
      guard let settings = device.settings, let app = apps.first(where: { $0.app.name == device.app }) else {
        return []
      }
      return app.app.remarks(on: settings).map { "\(device.name): \($0)" }
    }
  }
}
