import AppSeam
import BluetoothWire
import VirtualRadio

/// Phones that take one operation of an app at a time for each link, as Android's `BluetoothGatt` does: what is asked
/// for before the answer to the one before is refused.
///
/// *Decision*: an app is told of the refusal as of an error, 201 (`ERROR_GATT_WRITE_REQUEST_BUSY`), where Android
/// returns it from the call. Operations of different links do not wait for each other.
extension DevicePlatform {
  private static let busy: UInt8 = 201

  /// Whether the platform refuses what the app asks for, which it has been told then; else it is what is running.
  func isRefusedAsBusy(_ effect: AppEffect) -> Bool {
    guard let (operation, id) = effect.clientOperation, let link = link(id) else { return false }
    // An exchange that is the platform's own business is none.
    if operation == .attMTU, phone.att.exchangesAutomatically || !phone.att.appMayExchange { return false }
    guard let running = link.operation else {
      link.operation = operation
      return false
    }
    observe(
      .operationRefused, id,
      "\(operation.words) is asked for while \(running.words) is not finished; it takes one at a time (\(Self.busy))")
    end(effect, on: link, error: Self.busy)
    return true
  }
}

extension AppLink {
  /// The answer to an operation is there.
  func end(_ ended: FailingOperation) { if operation == ended { operation = nil } }
}
