import Conformance

/// Kinds of what BeamScribe's apps show.
extension TraceKind {
  /// A final, and the end of all that was shown.
  static let text = TraceKind(rawValue: TraceKind.firstOfApp)
  static let partial = TraceKind(rawValue: TraceKind.firstOfApp + 1)
  static let alert = TraceKind(rawValue: TraceKind.firstOfApp + 2)
  /// Unstable and refused streams.
  static let complaint = TraceKind(rawValue: TraceKind.firstOfApp + 3)
}
