import Judging

/// JSON Lines on their way to a sink, each with a version, a kind and a payload.
struct EventLines {
  private let sink: any OctetSink
  private let version: Int
  private var text: JSONText
  /// The first failure to write; later lines are dropped.
  private(set) var failure: (any Error)?

  /// - Parameter capacity: octets that are waiting to be written, about.
  init(_ sink: any OctetSink, version: Int, capacity: Int) {
    self.sink = sink
    self.version = version
    text = JSONText(capacity: capacity)
  }

  /// Octets that are not written yet.
  var waiting: Int { text.octets.count }

  mutating func add(_ kind: StaticString, payload: (inout JSONText) -> Void) {
    text.beginObject()
    text.member("version", version)
    text.key("kind")
    text.value(kind)
    text.key("payload")
    text.beginObject()
    payload(&text)
    text.endObject()
    text.endObject()
    text.endLine()
  }

  mutating func flush() {
    defer { text.removeAll() }
    guard failure == nil else { return }
    do { try sink.write(text.octets) } catch { failure = error }
  }

  mutating func close() {
    flush()
    do { try sink.close() } catch { failure = failure ?? error }
  }
}
