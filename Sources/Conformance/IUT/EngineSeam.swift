import AppSeam
import SimKernel

/// What an engine under test is connected by.
public enum EngineSeam: String, Hashable, Sendable, CaseIterable {
  /// The platform's words: advertise, connect, notify.
  case ble
  /// Peers and whole messages; the bench provides the BLE half: `EngineGlue`.
  case messages
}

/// An engine with the BLE half around it. What can go wrong with the engine inside shows here.
final class GluedEngine: FallibleEngine {
  private let inner: any AppEngine
  private let whole: any AppEngine

  init(_ engine: any AppEngine, _ glue: EngineGlue, _ configuration: AppConfiguration) {
    inner = engine
    whole = glue.make(engine, configuration)
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] { whole.handle(input, at: now) }

  var failure: IUTFailure? { (inner as? any FallibleEngine)?.failure }
  var log: String { (inner as? any FallibleEngine)?.log ?? "" }
  func close() { (inner as? any FallibleEngine)?.close() }
}
