extension RadioEnvironment {
  /// Reception does not depend on level, and nothing is lost but by collisions.
  public static let ideal: RadioEnvironment = {
    var room = RadioEnvironment()
    room.isLevelDependent = false
    return room
  }()
}
