import BluetoothWire
import SimKernel

/// The air between radios: levels, noise, bursts, interferers, collisions.
///
/// A reception is judged at the end of the PDU, when everything that overlapped it has been registered: transmissions
/// are registered when they are decided, which is never after their start. Memory is linear in the number of radios
/// and of pairs that heard each other in a room with bursts.
final class Medium {
  @exclusivity(unchecked) private(set) var environment: RadioEnvironment
  let count: Int
  @exclusivity(unchecked) private var propagation: Propagation
  /// Draws of losses, by transmitter, receiver and start of the PDU.
  let losses: RandomField
  @exclusivity(unchecked) private var burstStates: [Sojourns] = []
  private let fading: Fading?
  /// What fading adds to a level at most, hundredths of dB.
  private let greatestFade: Int
  @exclusivity(unchecked) var interference: Interference
  /// Level of interferer × radio in the middle of its spectrum, hundredths of dBm.
  private var interfererLevels: [Int]
  let onAir: UnsafeMutablePointer<ChannelLog>
  private let seed: UInt64
  private var names: [String]
  /// Who may hear an advertising PDU.
  let listeners: ListenerMap
  /// Nothing but range and collisions decides.
  @exclusivity(unchecked) private(set) var isLossless: Bool
  /// Whether a PDU that nobody disturbs is lost depends on its radios, channel and start alone: see `foresees`.
  @exclusivity(unchecked) private(set) var isForeseeable: Bool
  /// Working space of a judgement.
  @exclusivity(unchecked) var disturbances: [Disturbance] = []
  @exclusivity(unchecked) var edges: [SimInstant] = []
  @exclusivity(unchecked) var collisions = 0
  /// What the newest PDU that did not arrive was lost to.
  @exclusivity(unchecked) var lossStage = LossStage.chance
  /// How often a device has moved.
  @exclusivity(unchecked) private(set) var moves = 0
  /// Receptions that were judged.
  @exclusivity(unchecked) var judgements = 0

  /// Longest time on air of any PDU here (Vol 6, Part B, 2.4.1), so older transmissions can be forgotten.
  private(set) var longest: SimDuration
  /// Who may hear an advertising PDU on LE Coded.
  private(set) var codedListeners: ListenerMap

  init(
    environment: RadioEnvironment, seed: UInt64, names: [String], positions: [Position], transmitPowers: [Int],
    sensitivities: [Int], hasCoded: Bool = false
  ) {
    self.environment = environment
    longest = .microseconds(Int64(hasCoded ? RadioWorld.longestCoded : RadioWorld.longestUncoded))
    self.seed = seed
    self.names = names
    count = names.count
    propagation = Propagation(
      environment: environment, seed: seed,
      radios: names.indices.map {
        Propagation.Radio(
          position: positions[$0], power: Int32(clamping: transmitPowers[$0]),
          sensitivity: Int32(clamping: sensitivities[$0]), number: RandomField.number(of: names[$0]))
      })
    losses = RandomField(seed: seed, component: "air", purpose: "loss")
    fading = environment.fading.map { Fading($0, seed: seed) }
    greatestFade = environment.fading.map(Fading.greatestGain) ?? 0
    interference = Interference(environment.interferers, seed: seed)
    interfererLevels = Array(repeating: 0, count: environment.interferers.count * count)
    onAir = .allocate(capacity: 40)
    for channel in 0..<40 { (onAir + channel).initialize(to: ChannelLog()) }
    isLossless = environment.isLossless
    isForeseeable = environment.isForeseeable
    let budget = (transmitPowers.max() ?? 0) - (sensitivities.min() ?? 0) + greatestFade
    listeners = ListenerMap(positions: positions, reach: propagation.reach(budget: budget))
    codedListeners =
      hasCoded
      ? ListenerMap(
        positions: positions, reach: propagation.reach(budget: budget + CodingGain.sensitivity(.codedS8))) : listeners
    for radio in 0..<count { updateInterferers(at: radio) }
  }

  deinit {
    for channel in 0..<40 { onAir[channel].entries.deallocate() }
    onAir.deallocate()
  }

  /// Received level, hundredths of dBm.
  func level(from transmitter: Int, to receiver: Int) -> Int {
    Int(propagation.radios[transmitter].power) - propagation.loss(transmitter, receiver)
  }

  /// The same of a transmission that only disturbs.
  func passingLevel(from transmitter: Int, to receiver: Int) -> Int {
    Int(propagation.radios[transmitter].power) - propagation.passingLoss(transmitter, receiver)
  }

  /// No less than the level of a transmission that only disturbs, whatever shadowing and fading do to it.
  func greatestPassingLevel(from transmitter: Int, to receiver: Int) -> Int {
    Int(propagation.radios[transmitter].power) - propagation.leastLoss(transmitter, receiver) + greatestFade
  }

  /// What fading adds to the level between two radios, hundredths of dB; negative where it takes.
  func fade(_ one: Int, _ other: Int, rfChannel: Int, at start: SimInstant) -> Int {
    guard let fading else { return 0 }
    return fading.gain(
      propagation.radios[one].number, propagation.radios[other].number, rfChannel: rfChannel, at: start)
  }

  /// Level below which a radio receives nothing, hundredths of dBm.
  func sensitivity(of radio: Int, _ phy: LL.AirPHY) -> Int {
    Int(propagation.radios[radio].sensitivity) - CodingGain.sensitivity(phy)
  }

  /// Level of an interferer at a radio in the middle of its spectrum, hundredths of dBm.
  func level(ofInterferer index: Int, at receiver: Int) -> Int { interfererLevels[index * count + receiver] }

  func position(of radio: Int) -> Position { propagation.radios[radio].position }

  /// The loss between a place and a radio, hundredths of dB.
  func loss(from place: Position, to radio: Int) -> Int { propagation.loss(place, propagation.radios[radio].position) }

  /// Moves a radio; levels change immediately.
  func move(_ radio: Int, to position: Position) {
    moves += 1
    propagation.move(radio, to: position)
    listeners.move(radio, to: position)
    if codedListeners !== listeners { codedListeners.move(radio, to: position) }
    updateInterferers(at: radio)
    for (index, interferer) in environment.interferers.enumerated() where interferer.carrier == radio {
      for other in 0..<count { updateInterferer(index, at: other) }
    }
  }

  /// Another radio is in the place of one that has never sent.
  func replace(_ radio: Int, by configuration: RadioConfiguration) {
    names[radio] = configuration.name
    propagation.replace(
      radio,
      by: Propagation.Radio(
        position: configuration.position, power: Int32(clamping: configuration.transmitPower),
        sensitivity: Int32(clamping: configuration.sensitivity), number: RandomField.number(of: configuration.name)))
    let power = propagation.radios.map(\.power).max() ?? 0
    let sensitivity = propagation.radios.map(\.sensitivity).min() ?? 0
    let budget = Int(power - sensitivity) + greatestFade
    listeners.widen(to: propagation.reach(budget: budget))
    let codedReach = propagation.reach(budget: budget + CodingGain.sensitivity(.codedS8))
    if codedListeners !== listeners {
      codedListeners.widen(to: codedReach)
    } else if configuration.supportsCoded {
      // The first device here that has it: nobody listens for it yet.
      longest = .microseconds(Int64(RadioWorld.longestCoded))
      codedListeners = ListenerMap(positions: propagation.radios.map(\.position), reach: codedReach)
    }
    move(radio, to: configuration.position)
  }

  /// Changes the room from an instant on.
  func take(_ change: RadioEnvironment.Change, at now: SimInstant) {
    environment.take(change)
    isLossless = environment.isLossless
    isForeseeable = environment.isForeseeable
    guard change.interferers != nil else { return }
    interference.replace(by: environment.interferers, seed: seed, at: now)
    interfererLevels = Array(repeating: 0, count: environment.interferers.count * count)
    for radio in 0..<count { updateInterferers(at: radio) }
  }

  private func updateInterferers(at radio: Int) {
    for index in environment.interferers.indices { updateInterferer(index, at: radio) }
  }

  private func updateInterferer(_ index: Int, at radio: Int) {
    let interferer = environment.interferers[index]
    let place = interferer.carrier.map { propagation.radios[$0].position } ?? interferer.position
    interfererLevels[index * count + radio] =
      interferer.power - propagation.loss(place, propagation.radios[radio].position)
  }

  /// Announces a transmission; call at or before its start.
  /// - Parameter cut: by how much less than its radio may send with, hundredths of a decibel.
  func register(radio: Int, channel: Int, start: SimInstant, end: SimInstant, cut: Int = 0) {
    assert((0..<40).contains(channel) && start < end, "a transmission takes time on one of 40 channels")
    onAir[channel].add(Transmission(start: start, end: end, radio: radio, cut: cut), forgetting: start - longest)
  }

  /// What decides whether a PDU is lost: it depends on nothing but the two radios and its start.
  func draws(_ transmitter: Int, _ receiver: Int, _ start: SimInstant) -> RandomField.Words {
    losses.words(
      propagation.radios[transmitter].number, propagation.radios[receiver].number,
      UInt64(bitPattern: start.nanoseconds))
  }

  /// Whether a pair of radios is in its bad state at any time of a PDU. A pair has a state from its first PDU on, and
  /// the same one whenever that is.
  func isBad(_ one: Int, _ other: Int, _ burst: RadioEnvironment.BurstLoss, from start: SimInstant, to end: SimInstant)
    -> Bool
  {
    let place = propagation.burst(one, other)
    if place == burstStates.count {
      let pair = "\(names[min(one, other)])~\(names[max(one, other)])"
      burstStates.append(
        Sojourns(
          meanOff: burst.meanGood, meanOn: burst.meanBad,
          stream: RandomStream(seed: seed, component: pair, purpose: "burst")))
    }
    return burstStates[place].isOn(from: start, to: end)
  }
}
