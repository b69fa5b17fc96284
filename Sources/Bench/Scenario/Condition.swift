public import BluetoothWire

/// Something that is true or not of a run at an instant, decided from inputs, effects and reports alone.
public indirect enum Condition: Hashable, Sendable {
  /// A fact about so many of the devices (indices, ascending, never empty).
  case devices([Int], Quantifier, Fact)
  case all([Condition])
  case any([Condition])

  public enum Quantifier: String, Hashable, Sendable {
    case every, any, none
  }

  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    case exactly, atLeast, atMost

    public func holds(_ value: Int, _ bound: Int) -> Bool {
      switch self {
      case .exactly: value == bound
      case .atLeast: value >= bound
      case .atMost: value <= bound
      }
    }
  }

  /// What can be said of one device.
  public enum Fact: Hashable, Sendable {
    /// The latest `.discovered` input any other device got of it has a local name that contains this.
    case advertisedNameContains(String)
    case count(Counted, Comparison, Int)
    /// A figure within its limit; unknown as long as there is no sample.
    case measure(Measure)
    /// Its latest link that ended did so for this reason; unknown before one has ended.
    case disconnected(HCI.ErrorCode)
    /// Something that only its app shows. Before a report of the kind concerned, it is false.
    case app(AppFact)
  }

  /// What can be counted of any device, whatever its app is.
  public enum Counted: Hashable, Sendable {
    /// `.connected` inputs without a `.disconnected` one; kill and radio off end all.
    case links
    /// Smallest ATT_MTU of its links, from `.attMTU` inputs (23 until one comes); 0 without a link.
    case attMTU
    /// Times that directed advertising ended without a connection, from `PlatformRemark`s.
    case advertisingTimeouts
  }
}
