/// What a `Roster` holds where it is a value of a protocol: the list hands out objects of one class.
public final class Seated<Occupant> {
  public let occupant: Occupant
  @inlinable public init(_ occupant: Occupant) { self.occupant = occupant }
}
