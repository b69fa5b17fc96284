/// Any JSON value, for the parts of a snapshot that the bench carries but does not interpret.
///
/// Spec: BAB 4.45.
public indirect enum JSONValue: Hashable, Sendable {
  case null
  /// `true`, `false` or a number, as it was written: text is kept so that no digit is lost. Other unquoted text is
  /// read as a string.
  case literal(String)
  case string(String)
  case array([JSONValue])
  /// Keys in order; of a key that occurs twice the last value counts.
  case object(OrderedMap<JSONValue>)
}
