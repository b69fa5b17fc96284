import BluetoothWire
import RadioLaws
import SimKernel
import VirtualRadio

/// A random life of some links: what hosts ask for, what they send, what happens to their radios, all from a seed.
/// The same history can be run with idle events stepped, skipped, or with every PDU told.
final class LinkHistory {
  /// The last two also let the steps of a connection event follow one another without the queue.
  enum Mode: CaseIterable { case stepped, skipped, observed, ranAhead }

  /// A command that ends a link, a radio that fell silent: what a disconnection may be explained by.
  struct Cause {
    var device: Int
    var at: SimInstant
    var isSilence: Bool
  }

  let bench: RadioBench
  private var stream: RandomStream
  /// When and how the room of a crowd changes.
  private var changes: RandomStream?
  /// The digest after each step.
  private(set) var trail: [(at: SimInstant, digest: TraceDigest)] = []
  private(set) var causes: [Cause] = []
  let isLossless: Bool
  /// A clock is further off than its device claims.
  let drifts: Bool
  private let count: Int
  private let isStar: Bool
  private let inPairs: Bool
  /// What happens does so where steps of connection events belong, to the nanosecond.
  private let meets: Bool
  /// Radios have a scheduling of links that is drawn, with which one may keep another from its peer.
  private let ranksLinks: Bool
  /// Controllers have connection subrating, and hosts ask for it.
  private let subrates: Bool
  /// Controllers control power, report channels and update clocks, and hosts ask for all of it.
  private let manages: Bool
  /// Controllers have isochronous streams, and hosts make them, send on them and end them.
  private let streams: Bool
  /// The next message that a host is told is answered by a thing, at the same instant.
  private var actsOnMessage = false
  /// Both devices of each link, as they were connected: central, peripheral.
  private var pairs: [(central: Int, peripheral: Int)] = []

  /// - Parameter isCrowded: six devices in a room that is drawn, which may have any cause of loss, in pairs that share
  ///   no radio or in a chain.
  /// - Parameter meets: most things happen at the very instants of steps of connection events, or next to them: before
  ///   all steps of the instant, after them, or because of one.
  init(
    seed: UInt64, mode: Mode, isCrowded: Bool = false, meets: Bool = false, ranksLinks: Bool = false,
    subrates: Bool = false, manages: Bool = false, streams: Bool = false
  ) {
    self.streams = streams
    self.meets = meets
    self.ranksLinks = ranksLinks
    self.subrates = subrates
    self.manages = manages
    var ranks = RandomStream(seed: seed, component: "history", purpose: "scheduling")
    var stream = RandomStream(seed: seed, component: "history", purpose: "shape")
    let drawnCount = 2 + Int(stream.below(3))
    let count = isCrowded ? 6 : drawnCount
    self.count = count
    isStar = stream.below(4) > 0
    let isQuiet = stream.below(4) > 0
    drifts = stream.below(8) == 0
    var environment = RadioEnvironment.lossless
    if !isQuiet { environment.packetLoss = .partsPerMillion(50_000) }
    if isCrowded { environment = Self.room(seed) }
    inPairs = isCrowded && seed % 3 > 0
    isLossless = isQuiet && !isCrowded
    let culprit = drifts ? 1 + Int(stream.below(UInt64(count - 1))) : -1
    let radios = RadioBench.radios(count) { configuration, index in
      configuration.clockPartsPerMillion = index == culprit ? 200 : Int(stream.below(41)) - 20
      configuration.supports2M = stream.below(3) > 0
      configuration.supportsChannelSelection2 = stream.below(2) == 0
      configuration.maximumDataLength = stream.below(3) == 0 ? 27 : 251
      if ranksLinks { configuration.linkScheduling = LinkScheduling.allCases[Int(ranks.below(3))] }
      configuration.supportsSubrating = subrates
      configuration.supportsStreams = streams
      if manages { Self.manage(&configuration, &ranks) }
    }
    self.stream = stream
    changes = isCrowded ? RandomStream(seed: seed, component: "history", purpose: "changes") : nil
    bench = RadioBench(
      radios, environment: environment, seed: seed, wantsAir: mode == .observed, stepsIdleEvents: mode == .stepped)
    bench.runsAhead = mode == .observed || mode == .ranAhead
    bench.onMessage = { [unowned self] device, message in
      answer(device, message)
      if actsOnMessage {
        actsOnMessage = false
        step(mayConnect: false)
      }
    }
    for device in 0..<(subrates ? count : 0) {
      bench.command(device, .general(.leSetHostFeature(bit: 38, value: 1)))
    }
    for device in 0..<(streams ? count : 0) { bench.command(device, .general(.leSetHostFeature(bit: 32, value: 1))) }
    bench.onEvent = { [unowned self] event in
      if event.argument == 0 { step(mayConnect: false) } else { actsOnMessage = true }
    }
  }

  private static func manage(_ configuration: inout RadioConfiguration, _ draws: inout RandomStream) {
    configuration.supportsPowerControl = draws.below(8) > 0
    configuration.wantedLevel = draws.below(3) == 0 ? -4_000 - Int(draws.below(4_000)) : nil
    configuration.supportsChannelReports = draws.below(8) > 0
    configuration.supportsClockUpdates = draws.below(8) > 0
    configuration.minimumUsedChannels = UInt8(draws.below(30))
  }

  /// One cause of loss or several, or none.
  private static func room(_ seed: UInt64) -> RadioEnvironment {
    var stream = RandomStream(seed: seed, component: "history", purpose: "room")
    var room = RadioEnvironment.lossless
    switch stream.below(10) {
    case 0, 1, 2: return room
    case 3: room.packetLoss = .partsPerMillion(1_000 + stream.below(50_000))
    case 4: room.bitErrorRate = .partsPerMillion(200)
    case 5: room.channelLoss = (0..<40).map { $0 % 5 == 0 ? .partsPerMillion(300_000) : .never }
    case 6:
      room.bursts = RadioEnvironment.BurstLoss(
        meanGood: .milliseconds(900), meanBad: .milliseconds(100), lossInGood: .never,
        lossInBad: .partsPerMillion(500_000))
    case 7:
      room.isLevelDependent = true
      room.fading = RadioEnvironment.Fading(kind: .rayleigh, coherence: .milliseconds(50))
    case 8: return .livingRoom
    default: return .conventionHall
    }
    return room
  }

  private func changeRoom() {
    guard changes?.below(6) == 0, let what = changes?.below(4) else { return }
    var change = RadioEnvironment.Change()
    switch what {
    case 0: change.packetLoss = .partsPerMillion(300_000)
    case 1:
      change.interferers = [
        RadioEnvironment.Interferer(
          name: "oven", position: Position(x: 100, y: 0), spectrum: .flat(0...20), power: 1_000,
          activity: .onOff(meanOn: .milliseconds(8), meanOff: .milliseconds(12)))
      ]
    default: (change.packetLoss, change.interferers) = (.never, [])
    }
    bench.world.change(change)
  }

  /// Hosts that agree with what they are asked.
  private func answer(_ device: Int, _ message: HCI.ToHost) {
    guard case .event(let event) = message else { return }
    switch event {
    case .leRemoteConnectionParameterRequest(let handle, let parameters):
      bench.world.controllers[device].submit(.leRemoteConnectionParameterRequestReply(handle, parameters))
    case .stream(.leCISRequest(_, let stream, _, _)):
      bench.world.controllers[device].submit(
        .stream(stream % 7 == 0 ? .leRejectCISRequest(stream, reason: .init(0x0D)) : .leAcceptCISRequest(stream)))
    case .stream(.leCISEstablished(let event)) where event.status == .success:
      for direction: UInt8 in 0...1 {
        bench.world.controllers[device].submit(
          .stream(.leSetupISODataPath(.init(handle: event.handle, direction: direction))))
      }
    case .encryption(.leLongTermKeyRequest(let handle, _, _)):
      bench.world.controllers[device].submit(
        .security(.leLongTermKeyRequestReply(handle, longTermKey: Array(repeating: 7, count: 16))))
    default: break
    }
  }

  /// Connects, then lives through `steps` things, each after a pause.
  func run(steps: Int) {
    for device in 1..<count where !inPairs || device % 2 == 1 { connect(device) }
    for _ in 0..<steps {
      // Pauses of all sizes.
      let scale = [3_000_000, 60_000_000, 900_000_000, 9_000_000_000][Int(stream.below(4))]
      let next = bench.timeline.now + .nanoseconds(Int64(stream.below(UInt64(scale))) | 1)
      if meets, let meeting = meeting(from: next) {
        act(at: meeting)
      } else {
        bench.run(until: next)
        step()
      }
      changeRoom()
      trail.append((bench.timeline.now, bench.world.digest))
    }
    for device in 0..<count { bench.world.setRadio(device, isOn: true) }
    bench.run(for: .seconds(3))
    bench.world.settle()
  }

  /// The first instant, or a nanosecond beside it, at which a step of some link belongs; now and then one of T_IFS.
  private func meeting(from instant: SimInstant) -> SimInstant? {
    let rhythms = bench.world.rhythms
    guard !rhythms.isEmpty, stream.below(4) > 0 else { return nil }
    let rhythm = rhythms[Int(stream.below(UInt64(rhythms.count)))]
    let places: [SimDuration] = [
      .zero, rhythm.centralEnd, rhythm.peripheralEnd, rhythm.centralEnd + .nanoseconds(Int64(stream.below(150_000))),
    ]
    let place = places[Int(stream.below(4))]
    let beside = [0, 0, 0, 0, -1, 1][Int(stream.below(6))] as Int64
    let elapsed = (instant - (rhythm.anchor + place)).nanoseconds
    let step = rhythm.step.nanoseconds
    let rest = (elapsed % step + step) % step
    return instant + .nanoseconds(step - rest + beside)
  }

  /// Does a thing at an instant: as an event among those of the instant, as the last of them, after them all, or
  /// because of the first message from then on.
  private func act(at instant: SimInstant) {
    let event = SimEvent(kind: RadioWorld.kindLimit, target: 0)
    switch stream.below(5) {
    case 0, 1: bench.timeline.schedule(event, at: instant)
    case 2: _ = bench.timeline.scheduleLast(event, at: instant)
    case 3:
      bench.timeline.schedule(SimEvent(kind: event.kind, target: 0, argument: 1), at: instant)
      bench.run(until: instant + .milliseconds(60))
    default:
      bench.run(until: instant)
      step()
    }
    bench.run(until: instant)
  }

  private func connect(_ device: Int) {
    let intervals: [Int] = [6, 12, 24, 36, 80]
    let interval = intervals[Int(stream.below(5))]
    let latency = stream.below(3) == 0 ? UInt16(stream.below(5)) : 0
    let timeout = Self.timeout(interval: interval, latency: latency)
    let other = inPairs ? device ^ 1 : isStar ? 0 : device - 1
    pairs.append((central: device, peripheral: other))
    _ = bench.connect(device, to: other, interval: UInt16(interval), latency: latency, timeout: timeout)
  }

  /// - Parameter mayConnect: it may take time to make a link.
  private func step(mayConnect: Bool = true) {
    let device = Int(stream.below(UInt64(count)))
    let choice = stream.below(20)
    let draw = stream.next()
    let handles = bench.openHandles(of: device)
    guard !handles.isEmpty else {
      if mayConnect, choice < 6, device > 0 { connect(device) }
      return
    }
    let handle = handles[Int(draw % UInt64(handles.count))]
    if subrates, choice % 3 == 0 { return subrate(device, handle, draw) }
    if manages, choice % 2 == 0 { return manage(device, handle, draw) }
    if streams, choice % 2 == 0 { return stream(device, handle, draw) }
    let masks: [HCI.PHYMask?] = [nil, .le1M, .le2M, [.le1M, .le2M]]
    switch choice {
    case 0, 1: bench.command(device, .leConnectionUpdate(handle, parameters(draw)))
    case 2, 3: bench.command(device, .leSetHostChannelClassification((draw >> 8 | 0x3) & 0x1F_FFFF_FFFF))
    case 4, 5: bench.command(device, .leSetPHY(handle, tx: masks[Int(draw >> 8 & 3)], rx: masks[Int(draw >> 10 & 3)]))
    case 6: bench.command(device, .leSetDataLength(handle, txOctets: 27 + UInt16(draw >> 8 & 127), txTime: 2_120))
    case 7: bench.command(device, .leReadRemoteFeatures(handle))
    case 8: bench.command(device, .readRemoteVersionInformation(handle))
    case 9, 10:
      bench.command(
        device,
        .security(
          .leEnableEncryption(handle, random: 1, diversifier: 2, longTermKey: Array(repeating: 7, count: 16))))
    case 11: bench.command(device, .leReadChannelMap(handle))
    case 12: bench.advertise(device, interval: 160)
    case 13: bench.command(device, .leSetScanEnable(draw & 256 == 0, filterDuplicates: true))
    case 14:
      if draw & 0x300 == 0 { end(device, handle) }
    case 15:
      if draw & 0x700 == 0 { silence(device, isOn: false) } else if draw & 0x300 != 0 { silence(device, isOn: true) }
    default:
      for number in 0...(draw >> 8 & 3) {
        bench.send(device, handle, [UInt8](repeating: UInt8(number), count: 1 + Int(draw >> 16 & 127)))
      }
    }
  }

  private func manage(_ device: Int, _ handle: HCI.ConnectionHandle, _ draw: UInt64) {
    let zones = HCI.PathLossZones(
      highThreshold: 60 + UInt8(draw >> 8 & 15), highHysteresis: 3, lowThreshold: 40 + UInt8(draw >> 12 & 15),
      lowHysteresis: 2, minimumEvents: UInt16(draw >> 16 & 63))
    switch draw >> 32 % 9 {
    case 0, 1: bench.command(device, .leReadRemoteFeatures(handle))
    case 2: bench.command(device, .power(.leReadRemoteTransmitPowerLevel(handle, phy: 1 + UInt8(draw >> 8 & 3))))
    case 3:
      bench.command(device, .power(.leSetPathLossReportingParameters(handle, zones)))
      bench.command(device, .power(.leSetPathLossReportingEnable(handle, draw >> 40 & 3 > 0)))
    case 4:
      bench.command(
        device,
        .power(
          .leSetTransmitPowerReportingEnable(handle, local: draw >> 8 & 1 == 0, remote: draw >> 9 & 1 == 0)))
    case 5: bench.command(device, .general(.leRequestPeerSCA(handle)))
    case 6: bench.command(device, .general(.leModifySleepClockAccuracy(action: UInt8(draw >> 8 & 1))))
    case 7: bench.command(device, .leSetHostChannelClassification((draw >> 8 | 0x3) & 0x1F_FFFF_FFFF))
    default: bench.world.move(device, to: Position(x: Int(draw >> 8 & 2_047), y: 0))
    }
  }

  private func stream(_ device: Int, _ link: HCI.ConnectionHandle, _ draw: UInt64) {
    let (made, configured) = bench.streams(of: device)
    func ask(_ command: HCI.StreamCommand) { bench.command(device, .stream(command)) }
    switch draw >> 32 % 10 {
    case 0, 1: bench.command(device, .leReadRemoteFeatures(link))
    case 2: ask(.leSetCIGParametersTest(Self.group(draw)))
    case 3, 4:
      if made.isEmpty, configured.isEmpty { ask(.leSetCIGParametersTest(Self.group(draw))) }
      ask(.leCreateCIS(bench.streams(of: device).configured.prefix(2).map { .init(stream: $0, link: link) }))
    case 5: ask(.leRemoveCIG(UInt8(draw >> 8 & 1)))
    case 6:
      guard let handle = made.last else { return }
      causes.append(Cause(device: device, at: bench.timeline.now, isSilence: false))
      bench.command(device, .disconnect(handle, reason: .remoteUserTerminatedConnection))
    default:
      for handle in made {
        for number in 0...(draw >> 8 & 3) {
          let octets = [UInt8](repeating: UInt8(number), count: Int(draw >> 16 & 31))
          bench.world.controllers[device].submit(
            HCI.ISOData(
              handle: handle, boundary: .complete,
              head: .init(sequenceNumber: UInt16(number), sduLength: UInt16(octets.count)), octets: octets))
          bench.drain()
        }
      }
    }
  }

  private static func group(_ draw: UInt64) -> HCI.CIGTestParameters {
    func bit(_ place: UInt64) -> UInt8 { UInt8(draw >> place & 1) }
    let bursts = (1 + bit(8), bit(9))
    let octets: UInt16 = 20 + UInt16(draw >> 12 & 63)
    let phy: HCI.PHYMask = bit(20) == 0 ? .le1M : .le2M
    let entries = (0...bit(18)).map { (id: UInt8) in
      HCI.CIGTestParameters.Entry(
        stream: id, subevents: 2 + bit(22), centralSDU: octets * UInt16(bursts.0), peripheralSDU: octets,
        centralPDU: octets, peripheralPDU: octets, centralPHY: phy, peripheralPHY: .le1M, centralBurst: bursts.0,
        peripheralBurst: bursts.1)
    }
    let intervals: [UInt16] = [8, 16, 17, 24]
    let interval = intervals[Int(draw >> 24 & 3)]
    var common = HCI.CIGCommon(
      group: bit(26), centralSDUInterval: UInt32(interval) * 1_250,
      peripheralSDUInterval: UInt32(interval) * 1_250)
    (common.packing, common.framing) = (bit(27), bit(28))
    return .init(
      common: common, centralFlushTimeout: 1 + bit(29), peripheralFlushTimeout: 1 + bit(30),
      interval: interval, streams: entries)
  }

  private func subrate(_ device: Int, _ handle: HCI.ConnectionHandle, _ draw: UInt64) {
    if draw & 3 == 0 { return bench.command(device, .leReadRemoteFeatures(handle)) }
    let factor = 1 + UInt16(draw >> 8 & 15)
    bench.command(
      device,
      .general(
        .leSubrateRequest(
          handle,
          HCI.SubrateParameters(
            factorMinimum: 1, factorMaximum: factor, maximumLatency: UInt16(draw >> 16 & 1),
            continuationNumber: UInt16(draw >> 24 & 15) % factor, supervisionTimeout: 1_000))))
  }

  private func parameters(_ draw: UInt64) -> HCI.ConnectionParameters {
    let intervals: [Int] = [6, 8, 24, 40, 100]
    let interval = intervals[Int(draw >> 8 % 5)]
    let latency = UInt16(draw >> 16 & 3)
    return HCI.ConnectionParameters(
      intervalMinimum: UInt16(interval), intervalMaximum: UInt16(interval), peripheralLatency: latency,
      supervisionTimeout: Self.timeout(interval: interval, latency: latency) + (subrates ? 900 : 0))
  }

  /// Not too long, so that a history sees its supervision timeouts.
  private static func timeout(interval: Int, latency: UInt16) -> UInt16 {
    let events: Int = 1 + Int(latency)
    let units: Int = events * interval / 4 + 50
    return max(100, UInt16(units))
  }

  private func end(_ device: Int, _ handle: HCI.ConnectionHandle) {
    causes.append(Cause(device: device, at: bench.timeline.now, isSilence: false))
    bench.command(device, .disconnect(handle, reason: .remoteUserTerminatedConnection))
  }

  private func silence(_ device: Int, isOn: Bool) {
    if !isOn { causes.append(Cause(device: device, at: bench.timeline.now, isSilence: true)) }
    bench.world.setRadio(device, isOn: isOn)
  }

  /// How long each radio was on.
  var radioTimes: [RadioTimes] { (0..<count).map { bench.world.radioTimes(of: $0) } }

  /// What each device received of each other one, and what it did not.
  var receptions: [RadioWorld.Receptions] {
    (0..<count * count).map { bench.world.receptions(from: $0 / count, to: $0 % count) }
  }

  /// All that hosts were told, with its instants.
  var told: [String] {
    (0..<count).flatMap { (device: Int) -> [String] in
      var lines = bench.events[device].map { "\(device) \($0.at) \($0.event)" }
      lines += bench.received[device].map { "\(device) \($0.at) \($0.data)" }
      lines += bench.isochronous[device].map { "\(device) \($0.at) \($0.data)" }
      return lines
    }
  }

  /// Disconnections that nothing in the history explains.
  var unexplained: [String] {
    (0..<count).flatMap { device in
      bench.disconnections(of: device).compactMap { end in
        let before = causes.filter { $0.at <= end.at }
        let isExplained =
          switch end.reason {
          case .connectionTerminatedByLocalHost, .remoteUserTerminatedConnection: before.contains { !$0.isSilence }
          case .connectionTimeout, .connectionFailedToBeEstablished:
            // Links that share no radio may collide, even where nothing else is lost.
            // Streams and links of a radio keep each other off.
            !isLossless || drifts || ranksLinks || streams || bench.world.collisions > 0
              || before.contains { $0.isSilence }
          default: false
          }
        return isExplained ? nil : "device \(device), \(end.at): \(end.reason)"
      }
    }
  }
}

extension RadioBench {
  /// Handles of the links that a device has, as its host knows them.
  func openHandles(of device: Int) -> [HCI.ConnectionHandle] {
    let closed = Set(disconnections(of: device).map(\.handle))
    return connections(of: device).map(\.handle).filter { !closed.contains($0) }
  }

  /// Streams of a device that its host knows: those that are made, and those of groups that could be.
  func streams(of device: Int) -> (made: [HCI.ConnectionHandle], configured: [HCI.ConnectionHandle]) {
    var (made, configured): ([HCI.ConnectionHandle], [HCI.ConnectionHandle]) = ([], [])
    for (_, event) in events[device] {
      switch event {
      case .commandComplete(.leSetCIGParametersTest, .success, let answer):
        for place in stride(from: 2, to: answer.count, by: 2) {
          let handle = UInt16(answer[place]) | UInt16(answer[place + 1]) << 8
          if !configured.contains(handle) { configured.append(handle) }
        }
      case .stream(.leCISEstablished(let established)) where established.status == .success:
        made.append(established.handle)
      case .disconnectionComplete(let handle, _, _): made.removeAll { $0 == handle }
      default: break
      }
    }
    return (made, configured.filter { !made.contains($0) })
  }
}
