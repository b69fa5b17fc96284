import VirtualRadio

/// Places for groups of devices, in integers: the same on every machine.
enum Layout {
  /// Centimetres from the origin along each axis: ±10 km.
  static let limits: ClosedRange<Int64> = -1_000_000...1_000_000

  /// `count` places evenly on a circle, counter-clockwise from straight right, angles to the nearest degree.
  static func circle(around centre: Position, radius: Int, count: Int) -> [Position] {
    (0..<count).map { index in
      let angle = (index * 360 + count / 2) / count
      return Position(
        x: centre.x + rounded(radius * sine(angle + 90), by: 10_000),
        y: centre.y + rounded(radius * sine(angle), by: 10_000), z: centre.z)
    }
  }

  /// `count` places evenly on the line between two points, both ends taken; one device stands at the first.
  static func line(from first: Position, to last: Position, count: Int) -> [Position] {
    (0..<count).map { index in
      let gaps = max(1, count - 1)
      return Position(
        x: first.x + rounded((last.x - first.x) * index, by: gaps),
        y: first.y + rounded((last.y - first.y) * index, by: gaps),
        z: first.z + rounded((last.z - first.z) * index, by: gaps))
    }
  }

  static func isWithinLimits(_ place: Position) -> Bool {
    [place.x, place.y, place.z].allSatisfy { limits.contains(Int64($0)) }
  }

  /// The sine of whole degrees, ten-thousandths.
  static func sine(_ degrees: Int) -> Int {
    let angle = ((degrees % 360) + 360) % 360
    return switch angle {
    case 0...90: quarter[angle]
    case 91...180: quarter[180 - angle]
    case 181...270: -quarter[angle - 180]
    default: -quarter[360 - angle]
    }
  }

  /// Rounds half away from zero.
  private static func rounded(_ value: Int, by divisor: Int) -> Int {
    value >= 0 ? (value + divisor / 2) / divisor : -((-value + divisor / 2) / divisor)
  }

  private static let quarter: [Int] = [
    0, 175, 349, 523, 698, 872, 1045, 1219, 1392, 1564, 1736, 1908, 2079,
    2250, 2419, 2588, 2756, 2924, 3090, 3256, 3420, 3584, 3746, 3907, 4067, 4226,
    4384, 4540, 4695, 4848, 5000, 5150, 5299, 5446, 5592, 5736, 5878, 6018, 6157,
    6293, 6428, 6561, 6691, 6820, 6947, 7071, 7193, 7314, 7431, 7547, 7660, 7771,
    7880, 7986, 8090, 8192, 8290, 8387, 8480, 8572, 8660, 8746, 8829, 8910, 8988,
    9063, 9135, 9205, 9272, 9336, 9397, 9455, 9511, 9563, 9613, 9659, 9703, 9744,
    9781, 9816, 9848, 9877, 9903, 9925, 9945, 9962, 9976, 9986, 9994, 9998, 10000,
  ]
}
