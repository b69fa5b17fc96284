public import BluetoothWire
public import SimKernel

/// The LE host of one device, GAP to GATT, as a sans-IO state machine above the HCI seam.
///
/// Its clock is what `start`, `receive` and `advance` were last told: an owner that calls anything else after time has
/// passed calls `advance(to:)` first. What happened is taken with `popEvent` after each call.
public final class HostStack {
  public let configuration: HostConfiguration

  public init(door: any HCIDoor, configuration: HostConfiguration) {
    self.configuration = configuration
  }

  public func start(at now: SimInstant) {}
  public func stop(at now: SimInstant) {}
  public func receive(_ message: HCI.ToHost, at now: SimInstant) {}
  public var nextDeadline: SimInstant? { nil }
  public func advance(to now: SimInstant) {}
  public func popEvent() -> HostEvent? { nil }

  public func startAdvertising(data: [UInt8], scanResponse: [UInt8]) {}
  public func stopAdvertising() {}
  public func startScanning() {}
  public func stopScanning() {}
  public func connect(to peer: BluetoothAddress) {}
  public func cancelConnect(_ peer: BluetoothAddress? = nil) {}
  public func disconnect(
    _ handle: HCI.ConnectionHandle, reason: HCI.ErrorCode = .remoteUserTerminatedConnection
  ) {}

  public func publish(_ service: GATT.Service) {}
  @discardableResult
  public func setValue(_ value: [UInt8], characteristic: BluetoothUUID) -> Bool { false }
  public func notify(_ handle: HCI.ConnectionHandle, characteristic: BluetoothUUID, value: [UInt8]) -> Bool { false }
  public func indicate(_ handle: HCI.ConnectionHandle, characteristic: BluetoothUUID, value: [UInt8]) -> Bool { false }

  public func attMTU(_ handle: HCI.ConnectionHandle) -> Int? { nil }
  public func exchangeMTU(_ handle: HCI.ConnectionHandle, _ mtu: Int) {}
  public func discoverServices(_ handle: HCI.ConnectionHandle) {}
  public func discover(_ handle: HCI.ConnectionHandle, service: BluetoothUUID) {}
  public func subscribe(_ handle: HCI.ConnectionHandle, characteristic: BluetoothUUID, _ isOn: Bool) {}
  public func read(_ handle: HCI.ConnectionHandle, characteristic: BluetoothUUID) {}
  public func write(_ handle: HCI.ConnectionHandle, characteristic: BluetoothUUID, value: [UInt8]) {}
  public func writeWithoutResponse(
    _ handle: HCI.ConnectionHandle, characteristic: BluetoothUUID, value: [UInt8]
  ) -> Bool { false }
}
