import AppSeam
import SimKernel

/// A device that advertises octets and does nothing else.
final class AdvertiserEngine: AppEngine {
  private let data: [UInt8]
  private let scanResponse: [UInt8]

  init(data: [UInt8], scanResponse: [UInt8]) {
    self.data = data
    self.scanResponse = scanResponse
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .launched, .radioPower(true): [.gap(.advertise(data: data, scanResponse: scanResponse))]
    default: []
    }
  }
}
