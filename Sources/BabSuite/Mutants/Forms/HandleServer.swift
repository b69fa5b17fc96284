import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// A correct host whose app names its attributes one by one and answers requests itself, as apps on phones do; its
/// defect is in what it makes of the parts of a write, or in its answer.
final class HandleServer: AppEngine {
  /// The value that its app reads from the parts of a write; nil: none.
  typealias Reading = @Sendable ([WritePart]) -> [UInt8]?

  private let inner: any AppEngine
  private let reading: Reading
  private let error: UInt8?
  private var characteristics: [BluetoothUUID] = []
  private var values: [BluetoothUUID: [UInt8]] = [:]

  /// - Parameter error: the ATT error code of the answer to every write.
  init(wrapping inner: any AppEngine, error: UInt8? = nil, reading: @escaping Reading = HandleServer.whole) {
    self.inner = inner
    self.error = error
    self.reading = reading
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    guard case .gatt(let asked) = input else { return inner.handle(input, at: now).compactMap(renamed) }
    switch asked {
    case .writesAsked(let request, let link, let type, let parts, let needsAnswer):
      let answer: [AppEffect] = needsAnswer ? [.gatt(.answer(request, value: [], error: error))] : []
      guard let octets = reading(parts) else { return answer }
      return answer + pass(.valueReceived(link, characteristic: type, octets: octets), now)
    case .readAsked(let request, _, _, let type, let offset):
      return [.gatt(.answer(request, value: Array((values[type] ?? []).dropFirst(offset)), error: nil))]
    case .published, .confirmed: return []
    default: return pass(input.plain, now)
    }
  }

  private func pass(_ input: AppInput, _ now: SimInstant) -> [AppEffect] {
    inner.handle(input, at: now).compactMap(renamed)
  }

  private func renamed(_ effect: AppEffect) -> AppEffect? {
    switch effect {
    case .publish(let service):
      characteristics = service.characteristics.map(\.uuid)
      return .gatt(.publish(Self.local(service)))
    case .setValue(let characteristic, let octets):
      values[characteristic] = octets
      return nil
    case .notify(let link, let type, let octets):
      let key = AttributeKey(characteristics.firstIndex(of: type) ?? 0)
      return .gatt(.notify(link, key, type: type, octets: octets))
    default: return effect
    }
  }

  private static func local(_ service: ServiceDefinition) -> LocalService {
    LocalService(
      key: ServiceKey(0), uuid: service.uuid,
      characteristics: service.characteristics.enumerated().map { index, characteristic in
        LocalCharacteristic(
          key: AttributeKey(index), uuid: characteristic.uuid, properties: characteristic.properties.rawValue,
          permissions: [.read, .write])
      })
  }

  /// The parts of one value in their order.
  static let whole: Reading = { parts in parts.flatMap(\.octets) }
}
