/// Lobbies side by side in one room: a scenario tells the story of one of them, and each plays it.
public struct Lobbies: Hashable, Sendable {
  /// At least 1.
  public var count = 1
  /// How far the middles of two neighbours are from each other, centimetres.
  public var spacing = 500
  /// When they begin; nil: all at once.
  public var spread: Spread? = nil

  /// From the place of a device in the first lobby to that in another one: a square grid, row by row.
  func offset(of lobby: Int) -> (x: Int, y: Int) {
    var columns = 1
    while columns * columns < count { columns += 1 }
    return (lobby % columns * spacing, lobby / columns * spacing)
  }
}
