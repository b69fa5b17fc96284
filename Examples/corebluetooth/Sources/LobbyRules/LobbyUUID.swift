/// The lobby's service and its characteristics (bab.md 2, dialect `guide`), as texts for `CBUUID(string:)`.
public enum LobbyUUID {
  public static let service = "12345678-1234-1234-1234-123456789ABC"
  /// What guests write to.
  public static let command = "12345678-1234-1234-1234-123456789ABD"
  /// What the host notifies.
  public static let state = "12345678-1234-1234-1234-123456789ABE"
}
