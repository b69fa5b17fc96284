/// The record that is being read, for those who remember where something happened.
public final class ReadPlace {
  /// As `Finding.record`; nil before the first one and after the last one.
  @exclusivity(unchecked) public var record: Int?

  public init() {}
}
