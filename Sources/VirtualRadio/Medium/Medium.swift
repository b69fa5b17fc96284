import BluetoothWire
import SimKernel

/// A transmission while it may still disturb another one.
struct Transmission {
  var start: SimInstant
  var end: SimInstant
  var radio: Int
}

/// What is or was lately on one RF channel.
struct ChannelLog {
  private(set) var entries = UnsafeMutablePointer<Transmission>.allocate(capacity: 8)
  private var capacity = 8
  private(set) var count = 0

  /// Adds one, and forgets those that ended before `horizon`.
  mutating func add(_ transmission: Transmission, forgetting horizon: SimInstant) {
    var index = 0
    while index < count {
      if entries[index].end < horizon {
        count -= 1
        entries[index] = entries[count]
      } else {
        index += 1
      }
    }
    if count == capacity {
      let larger = UnsafeMutablePointer<Transmission>.allocate(capacity: capacity * 2)
      larger.update(from: entries, count: count)
      entries.deallocate()
      entries = larger
      capacity *= 2
    }
    entries[count] = transmission
    count += 1
  }
}

/// What became of a PDU at one receiver.
enum Reception: UInt8 {
  case received
  /// Synchronised on the access address, CRC failed.
  case corrupted
  /// The access address was never found.
  case unheard

  /// The same, as the trace tells it.
  var fate: AirPDU.Fate {
    switch self {
    case .received: .received
    case .corrupted: .corrupted
    case .unheard: .unheard
    }
  }
}

/// The air between radios: levels, noise, bursts, interferers, collisions.
///
/// A reception is judged at the end of the PDU, when everything that overlapped it has been registered: transmissions
/// are registered when they are decided, which is never after their start.
final class Medium {
  let environment: RadioEnvironment
  let count: Int
  private var positions: [Position]
  private let transmitPowers: [Int]
  private let sensitivities: [Int]
  /// Received level of transmitter × receiver, hundredths of dBm.
  private let levels: UnsafeMutablePointer<Int32>
  private var losses: [RandomStream]
  private var bursts: [Sojourns]
  private var interferers: [Sojourns]
  private var interfererLevels: [Int]
  private let onAir: UnsafeMutablePointer<ChannelLog>
  private let seed: UInt64
  private let names: [String]
  /// Nothing but range and collisions decides.
  let isLossless: Bool
  private(set) var collisions = 0

  /// Longest time on air of any PDU here (Vol 6, Part B, 2.4.1: 2 120 µs), so older transmissions can be forgotten.
  private static let longest = SimDuration.microseconds(2_120)

  init(
    environment: RadioEnvironment, seed: UInt64, names: [String], positions: [Position], transmitPowers: [Int],
    sensitivities: [Int]
  ) {
    self.environment = environment
    self.seed = seed
    self.names = names
    count = names.count
    self.positions = positions
    self.transmitPowers = transmitPowers
    self.sensitivities = sensitivities
    levels = .allocate(capacity: max(1, count * count))
    levels.initialize(repeating: 0, count: max(1, count * count))
    onAir = .allocate(capacity: 40)
    for channel in 0..<40 { (onAir + channel).initialize(to: ChannelLog()) }
    isLossless =
      !environment.isLevelDependent && environment.packetLoss.isZero && environment.bursts == nil
      && environment.interferers.isEmpty
    losses = []
    bursts = []
    for from in 0..<count {
      for to in 0..<count {
        losses.append(RandomStream(seed: seed, component: "\(names[from])>\(names[to])", purpose: "loss"))
      }
    }
    if let burst = environment.bursts {
      for a in 0..<count {
        for b in 0..<count {
          let pair = "\(names[min(a, b)])~\(names[max(a, b)])"
          bursts.append(
            Sojourns(
              meanOff: burst.meanGood, meanOn: burst.meanBad,
              stream: RandomStream(seed: seed, component: pair, purpose: "burst")))
        }
      }
    }
    interferers = environment.interferers.map {
      Sojourns(
        meanOff: $0.meanOff, meanOn: $0.meanOn,
        stream: RandomStream(seed: seed, component: $0.name, purpose: "interferer"))
    }
    interfererLevels = Array(repeating: 0, count: environment.interferers.count * count)
    for radio in 0..<count { updateLevels(of: radio) }
  }

  /// Received level, hundredths of dBm.
  func level(from transmitter: Int, to receiver: Int) -> Int { Int(levels[transmitter * count + receiver]) }

  /// Moves a radio; levels change immediately.
  func move(_ radio: Int, to position: Position) {
    positions[radio] = position
    updateLevels(of: radio)
  }

  private func updateLevels(of radio: Int) {
    for other in 0..<count where other != radio {
      let loss = pathLoss(positions[radio], positions[other]) + shadowing(radio, other)
      levels[radio * count + other] = Int32(clamping: transmitPowers[radio] - loss)
      levels[other * count + radio] = Int32(clamping: transmitPowers[other] - loss)
    }
    for (index, interferer) in environment.interferers.enumerated() {
      interfererLevels[index * count + radio] = interferer.power - pathLoss(interferer.position, positions[radio])
    }
  }

  private func shadowing(_ a: Int, _ b: Int) -> Int {
    guard environment.shadowing > 0 else { return 0 }
    let pair = "\(names[min(a, b)])~\(names[max(a, b)])"
    var stream = RandomStream(seed: seed, component: pair, purpose: "shadowing")
    return Int(stream.below(UInt64(environment.shadowing) + 1))
  }

  /// Log-distance path loss; nearer than 10 cm counts as 10 cm.
  private func pathLoss(_ a: Position, _ b: Position) -> Int {
    let dx = Int64(a.x - b.x)
    let dy = Int64(a.y - b.y)
    let dz = Int64(a.z - b.z)
    let squared = max(UInt64(dx * dx + dy * dy + dz * dz), 100)
    return environment.referenceLoss
      + environment.pathLossExponent * Decibel.tenLogOfDistance(squaredCentimetres: squared) / 100
  }

  deinit {
    levels.deallocate()
    for channel in 0..<40 { onAir[channel].entries.deallocate() }
    onAir.deallocate()
  }

  /// Announces a transmission; call at or before its start.
  func register(radio: Int, channel: Int, start: SimInstant, end: SimInstant) {
    onAir[channel].add(Transmission(start: start, end: end, radio: radio), forgetting: start - Self.longest)
  }

  /// Judges a PDU that ends now at a receiver that listened to all of it.
  func judge(
    from transmitter: Int, to receiver: Int, channel: Int, start: SimInstant, end: SimInstant, phy: HCI.PHY,
    octets: Int
  ) -> Reception {
    let pair = transmitter * count + receiver
    let level = Int(levels[pair])
    if level < sensitivities[receiver], !environment.isLevelDependent { return .unheard }
    let others = overlap(transmitter, receiver, channel, start, end)
    if let others, level - others.level < environment.captureThreshold {
      collisions += 1
      return others.hitsAccessAddress ? .unheard : .corrupted
    }
    if isLossless { return .received }
    return judgeNoise(pair, receiver, channel, level, others?.level, start, end, phy, octets)
  }

  /// The summed level of what overlapped, and whether it hit preamble or access address.
  private func overlap(
    _ transmitter: Int, _ receiver: Int, _ channel: Int, _ start: SimInstant, _ end: SimInstant
  ) -> (level: Int, hitsAccessAddress: Bool)? {
    let log = onAir[channel]
    if log.count == 1 { return nil }
    var level: Int? = nil
    var hits = false
    for other in UnsafeBufferPointer(start: log.entries, count: log.count)
    where other.radio != transmitter && other.start < end && other.end > start {
      if other.radio == receiver { return (Int(Int32.max), true) }
      let theirs = Int(levels[other.radio * count + receiver])
      level = level.map { Decibel.sum($0, theirs) } ?? theirs
      if other.start < start + .microseconds(40) { hits = true }
    }
    return level.map { ($0, hits) }
  }

  private func judgeNoise(
    _ pair: Int, _ receiver: Int, _ channel: Int, _ level: Int, _ others: Int?, _ start: SimInstant, _ end: SimInstant,
    _ phy: HCI.PHY, _ octets: Int
  ) -> Reception {
    var noise = environment.noiseFloor + (phy == .le2M ? 300 : 0)
    for index in interferers.indices where environment.interferers[index].rfChannels.contains(channel) {
      if interferers[index].isOn(from: start, to: end) {
        noise = Decibel.sum(noise, interfererLevels[index * count + receiver])
      }
    }
    if let others { noise = Decibel.sum(noise, others) }
    if environment.isLevelDependent || !environment.interferers.isEmpty {
      let ratio = level - noise
      let draw = losses[pair].next() >> 32
      if draw >= PacketError.success(bits: 40, signalToNoise: ratio) { return .unheard }
      if draw >= PacketError.success(bits: 40 + 8 * octets, signalToNoise: ratio) { return .corrupted }
    }
    if losses[pair].happens(environment.packetLoss) { return .corrupted }
    if let burst = environment.bursts {
      let isBad = bursts[pair].isOn(from: start, to: end)
      if losses[pair].happens(isBad ? burst.lossInBad : burst.lossInGood) { return isBad ? .unheard : .corrupted }
    }
    return .received
  }
}
