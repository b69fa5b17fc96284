public import SimKernel

/// A place in the room, integer centimetres.
public struct Position: Hashable, Sendable {
  public var x: Int
  public var y: Int
  public var z: Int
  public init(x: Int, y: Int, z: Int = 0) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// In centimetres, to one.
  func distance(to other: Position) -> Int {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    let square = dx * dx + dy * dy + dz * dz
    return (0..<64).reduce(max(square, 1)) { root, _ in max((root + square / root) / 2, 1) }
  }
}

/// The room: everything about propagation and noise that is not a device.
///
/// Levels are integer hundredths of a decibel, probabilities are ratios. Presets are in `RadioEnvironment+Presets`.
public struct RadioEnvironment: Hashable, Sendable {
  /// Loss at one metre, hundredths of dB; free space at 2.44 GHz is 4020.
  public var referenceLoss = 4020
  /// Path-loss exponent times 100; free space is 200, furnished rooms 250 … 330.
  public var pathLossExponent = 200
  /// Largest constant extra loss of a pair of devices (walls, bodies), hundredths of dB, drawn per pair from the seed
  /// between 0 and this.
  public var shadowing = 0
  /// Thermal noise plus receiver noise figure over 1 MHz, hundredths of dBm; 2M adds 3 dB.
  public var noiseFloor = -10_400
  /// False: reception does not depend on level at all (the ideal room), only on collisions and range.
  public var isLevelDependent = true
  /// Loss that hits every PDU alike, whatever its length.
  public var packetLoss = Ratio.never
  /// Probability that a bit is wrong, whatever the levels are, from the preamble to the CRC.
  public var bitErrorRate = Ratio.never
  public var bursts: BurstLoss? = nil
  public var fading: Fading? = nil
  /// Loss on each RF channel, 0 … 39, that hits every PDU alike; empty: none.
  public var channelLoss: [Ratio] = []
  public var interferers: [Interferer] = []
  /// A PDU survives an overlap when it is at least this much stronger than the sum of the others, hundredths of dB.
  public var captureThreshold = 1_000

  public init() {}

  /// Nothing but range and collisions decides.
  var isLossless: Bool {
    !isLevelDependent && packetLoss.isZero && bitErrorRate.isZero && bursts == nil && interferers.isEmpty
      && fading == nil && channelLoss.isEmpty
  }

  /// Whether a PDU that nobody disturbs is lost depends on its radios, channel and start alone.
  var isForeseeable: Bool { interferers.isEmpty && bursts == nil }

  /// Levels that change from one block of time to the next; see `VirtualRadio.Fading` for how they are drawn.
  public struct Fading: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      /// No path stands out: the power gain is exponentially distributed.
      case rayleigh
      /// One path stands out; its power over that of all others together, in hundredths, 0 … 10 000.
      case rician(factor: Int)
      /// Normally distributed in decibels; the standard deviation, hundredths of dB.
      case logNormal(deviation: Int)
    }

    public var kind: Kind
    /// The length of a block, not zero.
    public var coherence: SimDuration

    public init(kind: Kind, coherence: SimDuration) {
      self.kind = kind
      self.coherence = coherence
    }
  }

  /// Gilbert–Elliott bursts: each pair of devices alternates between a good and a bad state, exponential-like sojourns.
  public struct BurstLoss: Hashable, Sendable {
    public var meanGood: SimDuration
    public var meanBad: SimDuration
    public var lossInGood: Ratio
    public var lossInBad: Ratio
    public init(meanGood: SimDuration, meanBad: SimDuration, lossInGood: Ratio, lossInBad: Ratio) {
      self.meanGood = meanGood
      self.meanBad = meanBad
      self.lossInGood = lossInGood
      self.lossInBad = lossInBad
    }
  }

  /// A transmitter that is not Bluetooth: on and off over a part of the band (a Wi-Fi access point).
  public struct Interferer: Hashable, Sendable {
    public var name: String
    public var position: Position
    public var spectrum: Spectrum
    /// Transmit power within 1 MHz in the middle of its spectrum, hundredths of dBm.
    public var power: Int
    public var activity: Activity
    /// The radio of whose device it is a part: it is where that one is, wherever it moves; nil: it stays at `position`.
    public var carrier: Int? = nil

    public init(name: String, position: Position, spectrum: Spectrum, power: Int, activity: Activity) {
      self.name = name
      self.position = position
      self.spectrum = spectrum
      self.power = power
      self.activity = activity
    }
  }
}
