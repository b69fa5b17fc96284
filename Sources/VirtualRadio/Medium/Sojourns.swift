import SimKernel

/// A two-state process in continuous time whose sojourns are exponential: bursts and interferers.
///
/// The sequence of sojourns comes from the stream alone; asking at other instants never changes it.
struct Sojourns: Sendable {
  private var stream: RandomStream
  private let means: (SimDuration, SimDuration)
  private(set) var isOn = false
  private var until: SimInstant

  /// - Parameters: mean time off (good) and on (bad); both are at least a microsecond.
  init(meanOff: SimDuration, meanOn: SimDuration, stream: RandomStream) {
    self.stream = stream
    means = (max(meanOff, .microseconds(1)), max(meanOn, .microseconds(1)))
    until = .zero
    until = .zero + draw(means.0)
  }

  /// Whether the process is on at any time within `start ..< end`. Calls must not go back by more than one sojourn.
  mutating func isOn(from start: SimInstant, to end: SimInstant) -> Bool {
    while until <= start { turn() }
    if isOn { return true }
    return until < end
  }

  private mutating func turn() {
    isOn.toggle()
    until = until + draw(isOn ? means.1 : means.0)
  }

  /// Exponential by the quantiles of 256 equal slices, 1/1024 of the mean.
  private mutating func draw(_ mean: SimDuration) -> SimDuration {
    let quantile = Int64(Self.quantiles[Int(stream.below(256))])
    return max(.nanoseconds(mean.nanoseconds / 1024 * quantile), .nanoseconds(1))
  }

  private static let quantiles: [UInt16] = [
    6_388, 5_263, 4_740, 4_395, 4_138, 3_933, 3_762, 3_615, 3_487, 3_373, 3_270, 3_177, 3_092, 3_013, 2_940, 2_872,
    2_808, 2_747, 2_690, 2_637, 2_585, 2_537, 2_490, 2_445, 2_403, 2_362, 2_322, 2_285, 2_248, 2_213, 2_179, 2_145,
    2_113, 2_082, 2_052, 2_023, 1_995, 1_967, 1_940, 1_914, 1_888, 1_863, 1_839, 1_815, 1_792, 1_769, 1_747, 1_725,
    1_704, 1_683, 1_662, 1_642, 1_622, 1_603, 1_584, 1_565, 1_547, 1_529, 1_512, 1_494, 1_477, 1_460, 1_444, 1_428,
    1_412, 1_396, 1_380, 1_365, 1_350, 1_335, 1_321, 1_306, 1_292, 1_278, 1_264, 1_250, 1_237, 1_224, 1_210, 1_197,
    1_185, 1_172, 1_160, 1_147, 1_135, 1_123, 1_111, 1_099, 1_088, 1_076, 1_065, 1_054, 1_042, 1_031, 1_020, 1_010,
    999, 988, 978, 968, 957, 947, 937, 927, 917, 908, 898, 889, 879, 870, 860, 851, 842, 833, 824, 815, 806, 797, 789,
    780, 772, 763, 755, 746, 738, 730, 722, 714, 706, 698, 690, 682, 674, 667, 659, 651, 644, 636, 629, 622, 614, 607,
    600, 593, 586, 579, 572, 565, 558, 551, 544, 537, 530, 524, 517, 510, 504, 497, 491, 484, 478, 472, 465, 459, 453,
    447, 441, 434, 428, 422, 416, 410, 404, 398, 392, 387, 381, 375, 369, 364, 358, 352, 347, 341, 335, 330, 324, 319,
    313, 308, 303, 297, 292, 287, 281, 276, 271, 266, 260, 255, 250, 245, 240, 235, 230, 225, 220, 215, 210, 205, 200,
    196, 191, 186, 181, 176, 172, 167, 162, 158, 153, 148, 144, 139, 134, 130, 125, 121, 116, 112, 107, 103, 99, 94,
    90, 85, 81, 77, 73, 68, 64, 60, 55, 51, 47, 43, 39, 35, 30, 26, 22, 18, 14, 10, 6, 2,
  ]
}
