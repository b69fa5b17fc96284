public import AppSeam
public import Bench
public import BluetoothWire
public import Judging
public import SimKernel

/// One device as the trace shows it; a protocol adds what its app shows.
open class DeviceState {
  public final let index: Int
  public final let name: String
  public final let role: AppRole
  public final let address: BluetoothAddress
  /// Its host stack and app are not ours: the trace has nothing from inside it, and what it is told is unknown.
  public final let isForeign: Bool
  /// It is known from captures: what it shows is what it has sent, and what waits in its phone is not seen.
  public final let isCaptured: Bool
  /// It does on purpose what it must not, and is foreign as well: nothing is claimed of it.
  public final let isHostile: Bool

  /// Its app is a program, which need not say any report.
  final let isProgram: Bool
  /// The names of the reports that it has said or promised, where there is a program in the run; none elsewhere.
  private final var said: [String] = []

  /// Counts launches.
  public private(set) final var generation = 0
  private final var launchedAt = SimInstant.zero
  /// What the app before this one called its links.
  private final var formerLinks: [LinkID] = []
  /// In order of opening; of the present run of the app only.
  public private(set) final var links: [LinkState] = []
  /// The newest input, where the run's state keeps causes: what the app reports or does now, it does because of this.
  public private(set) final var cause: AppInput?
  /// Counts inputs, so that what one input brought forth can be told from what came before.
  public private(set) final var causes = 0

  /// A broken stack has dropped, reordered or corrupted values on the link in use, or one came too late: what this
  /// device shows may rightly differ from its peer, where the protocol has neither checksums nor repeats.
  public package(set) final var isDamaged = false

  public internal(set) final var isVanished = false
  public internal(set) final var isRadioOff = false
  /// Its app does not run: a person has closed it, or the system has ended it.
  public internal(set) final var isKilled = false
  /// The system has ended the app and keeps its links, for the next launch.
  public internal(set) final var isReclaimed = false
  /// This launch continues with the links of the one before.
  public internal(set) final var isRestored = false
  public internal(set) final var isInBackground = false
  /// The system does not run the app: what its phone takes for it, it is told later.
  public internal(set) final var isSuspended = false
  /// When the system ran it again.
  final var wokenAt: SimInstant?
  /// The time in which its phone lets its app run.
  public final let running = Chance()
  /// Nil where the trace has all that it does.
  final let calm: Calm?

  /// The engine of a device in records that are made from captures.
  public static let capturedEngine = "captured"
  /// The same where no capture was taken at the device itself.
  public static let overheardEngine = "overheard"

  /// A device as the header of a trace describes it, before anything has happened.
  public init(index: Int, device: TraceHeader.Device) {
    self.index = index
    name = device.name
    role = device.role
    address = device.address
    isForeign = device.engine == TraceHeader.foreignEngine
    let isOverheard = device.engine == Self.overheardEngine
    isCaptured = isOverheard || device.engine == Self.capturedEngine
    calm = isCaptured ? Calm(isOverheard: isOverheard) : nil
    isHostile = device.isHostile
    isProgram = device.isProgram && !isForeign
  }

  final func hear(_ report: AppReport) {
    let name = report.name
    if !said.contains(name) { said.append(name) }
  }

  /// The app's hello says that it makes these reports whenever there is reason to: its silence counts.
  final func promise(_ reports: [String]) { said += reports.filter { !said.contains($0) } }

  /// What a judgement that rests on one of these reports of the device must wait for: empty unless its app is a program
  /// that has neither promised nor said one of them so far.
  public final func unsaid(_ words: String...) -> [UnsaidWords] {
    guard isProgram, !words.contains(where: said.contains) else { return [] }
    return [UnsaidWords(device: index, words: words)]
  }

  final func hasSaid(_ words: UnsaidWords) -> Bool { words.words.contains(where: said.contains) }

  final func hasSaid(_ word: String) -> Bool { said.contains(word) }

  /// Whether nothing the bench did keeps this device from talking at once.
  public final var isReachable: Bool { !isVanished && !isRadioOff && !isKilled && !isInBackground }

  /// Whether its app can do anything at all.
  final var isRunning: Bool { generation > 0 && !isKilled && !isInBackground }

  /// The link of the present run of the app, newest first because links are few and the newest is in use.
  public final func link(_ id: LinkID) -> LinkState? { links.last { $0.id == id } }

  final func receive(_ input: AppInput) {
    cause = input
    causes += 1
  }

  final func closeLinks(at instant: SimInstant) {
    for link in links where link.isUp { link.close(at: instant) }
  }

  /// Links that have ended are forgotten beyond this many.
  private static let linkLimit = 32

  final func append(_ link: LinkState) {
    if links.count >= Self.linkLimit { links.removeAll { !$0.isUp } }
    links.append(link)
  }

  final func relaunch(at instant: SimInstant) {
    isRestored = isReclaimed
    isReclaimed = false
    if !isRestored {
      closeLinks(at: instant)
      formerLinks = links.map(\.id)
      links.removeAll()
    }
    generation += 1
    launchedAt = instant
    isDamaged = false
    isKilled = false
    forget()
  }

  /// Whether an app that is told of a link is told of one of the app before it.
  final func inherits(_ link: LinkState) -> Bool { link.openedAt == launchedAt && formerLinks.contains(link.id) }

  /// The app has been launched: what it showed before is ignored.
  open func forget() {}

  /// The app has reported something, of the kind that the run's state gave it.
  open func apply(_ report: AppReport, kind: TraceKind, at instant: SimInstant) {}
}

/// One end of a link as its app knows it.
open class LinkState {
  public final let id: LinkID
  public final unowned let owner: DeviceState
  /// The device at the other end; nil for an address the header does not know: a stranger, or a device from outside
  /// that uses a random address.
  public final unowned let peer: DeviceState?
  public final let peerAddress: BluetoothAddress
  public final let openedAt: SimInstant
  /// The other end of the same connection, once both ends have been seen.
  public internal(set) final weak var partner: LinkState?
  /// What the app at the other end calls the link; stays when that app is launched again. Nil before it was seen.
  final var partnerID: LinkID?
  /// No new end of a connection is its other end.
  final var isTaken = false
  /// Its app was told of it when it was launched: it belonged to the app before, and is about to end.
  public internal(set) final var isInherited = false
  /// Its app, or that at the other end, was told of it long after, because its system had not run it: which ends belong
  /// together, and what was under way, nobody can say.
  public internal(set) final var isToldLate = false
  /// The time in which what one end says could reach the other end and be answered; shared with `partner`.
  public internal(set) final var chance = Chance()
  public private(set) final var isUp = true
  /// When this end saw the link end, nil while it is up.
  public private(set) final var closedAt: SimInstant?
  public internal(set) final var isSubscribed = false
  /// The default of Core v5.4, Vol 3, Part G, 5.2.1 until the app is told another one.
  public internal(set) final var attMTU = 23

  /// Values that its app has handed over and that have not come to the app at the other end.
  final var underWay = 0
  /// Writes with response, reads, discoveries and subscriptions that have not been answered.
  final var awaited = 0
  /// Its app has asked for its end.
  public internal(set) final var isEnding = false
  /// The transmit queue has refused a value, and has not said since that it has room.
  final var isRefused = false

  /// Whether nothing that this end has begun is with its phone or on the air: what does not happen now, no radio holds
  /// back.
  public final var isQuiet: Bool { underWay == 0 && awaited == 0 && !isRefused }

  /// A link that is up, with an ATT_MTU of 23 octets until the app is told another one.
  public init(id: LinkID, owner: DeviceState, peer: DeviceState?, address: BluetoothAddress, openedAt: SimInstant) {
    self.id = id
    self.owner = owner
    self.peer = peer
    peerAddress = address
    self.openedAt = openedAt
    if let calm = owner.calm { chance.depend(on: calm) }
  }

  /// Whether nothing of the other end is in the trace.
  public final var leadsOutside: Bool { peer?.isForeign ?? true }

  final func close(at instant: SimInstant) {
    isUp = false
    closedAt = instant
    _ = chance.set(false, at: instant)
  }
}
