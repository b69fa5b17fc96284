import AppSeam
import Bench
import SimKernel

/// An engine with a layer of the bench around it. What can go wrong with the engine inside shows here.
final class LayeredEngine: FallibleEngine, PromisingEngine {
  private let inner: any AppEngine
  private let whole: any AppEngine

  /// - Parameter whole: the layer, with the engine inside.
  init(around engine: any AppEngine, whole: any AppEngine) {
    inner = engine
    self.whole = whole
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] { whole.handle(input, at: now) }

  var failure: IUTFailure? { (inner as? any FallibleEngine)?.failure }
  var log: String { (inner as? any FallibleEngine)?.log ?? "" }
  var logLines: [AppLog.Line] { (inner as? any FallibleEngine)?.logLines ?? [] }
  var promisedReports: [String] { (inner as? any PromisingEngine)?.promisedReports ?? [] }
  func close() { (inner as? any FallibleEngine)?.close() }
}
