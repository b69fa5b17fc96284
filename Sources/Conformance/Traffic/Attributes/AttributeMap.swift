public import BluetoothWire

/// What the handles of one server mean, as far as a capture shows it.
///
/// Filled from the answers of discovery (Core v5.4, Vol 3, Part G, 4.4 to 4.7). Of a server whose discovery is not in
/// the capture nothing is known, until somebody who knows its profile says so with `assume`.
public final class AttributeMap {
  public struct Service: Hashable, Sendable {
    public var uuid: BluetoothUUID
    public var start: ATT.Handle
    public var end: ATT.Handle
  }

  public struct Characteristic: Hashable, Sendable {
    public var uuid: BluetoothUUID
    public var properties: GATT.Properties
    public var declaration: ATT.Handle
    public var value: ATT.Handle
    /// Not from the capture: somebody who knows the profile said so.
    public var isAssumed = false
  }

  /// Sorted by handle.
  public private(set) var services: [Service] = []
  public private(set) var characteristics: [Characteristic] = []
  /// Sorted by handle: types of descriptors.
  public private(set) var descriptors: [(handle: ATT.Handle, uuid: BluetoothUUID)] = []

  public init() {}

  public var isEmpty: Bool { characteristics.isEmpty }

  /// The characteristic whose value a handle is.
  public func characteristic(value handle: ATT.Handle) -> Characteristic? {
    characteristics.first { $0.value == handle }
  }

  /// The characteristic that a descriptor's handle belongs to.
  public func characteristic(owning handle: ATT.Handle) -> Characteristic? {
    characteristics.last { $0.declaration < handle }
  }

  public func descriptor(_ handle: ATT.Handle) -> BluetoothUUID? { descriptors.first { $0.handle == handle }?.uuid }

  public func learn(_ service: Service) {
    services.removeAll { $0.start == service.start }
    services.insert(service, at: services.firstIndex { $0.start > service.start } ?? services.count)
  }

  public func learn(_ characteristic: Characteristic) {
    characteristics.removeAll { $0.value == characteristic.value }
    let place = characteristics.firstIndex { $0.value > characteristic.value } ?? characteristics.count
    characteristics.insert(characteristic, at: place)
  }

  public func learn(descriptor uuid: BluetoothUUID, at handle: ATT.Handle) {
    descriptors.removeAll { $0.handle == handle }
    descriptors.insert((handle, uuid), at: descriptors.firstIndex { $0.handle > handle } ?? descriptors.count)
  }

  /// Forgets everything: the server said that its services changed.
  public func forget() {
    services = []
    characteristics = []
    descriptors = []
  }
}
