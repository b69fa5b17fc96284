public import AppSeam
public import SimKernel
public import VirtualNetwork
public import VirtualRadio

/// What a run may be told besides its scenario. None of it changes the digest but the seed and the seats.
public struct RunOptions: Sendable {
  public var seed: UInt64
  /// Who stands where, in the order of the scenario's devices; those beyond its end are simulated.
  public var seats: [Seat] = []
  /// Step through idle connection events instead of skipping them; the digest must not change.
  public var stepsIdleEvents = false
  /// A condition that the owner of the world asks for; its measures are taken beside those of the scenario.
  public var watched: Condition?
  /// Every device's HCI can be tapped. Nothing changes by it.
  public var hasTappedDoors = false

  public init(seed: UInt64) { self.seed = seed }

  func seat(of device: Int) -> Seat { device < seats.count ? seats[device] : .simulated }
}

/// How a run went, as counts; verdicts are the business of the readers.
public struct RunOutcome: Hashable, Sendable {
  public enum Ending: String, Hashable, Sendable {
    /// The scenario's steps and expectations are through and its duration is over.
    case finished
    /// A condition or expectation never came true within the simulated-time limit.
    case simulatedTimeLimit
    /// The event limit was hit: the scenario never comes to rest.
    case eventLimit
    /// Whoever drives the world ended it: a live session that was interrupted or had its time.
    case stopped
    /// An app broke down.
    case breakdown
  }

  public var ending: Ending
  public var endInstant: SimInstant
  public var digest: TraceDigest
  public var statistics: Statistics
  public var devices: [DeviceSummary]
  /// What the network beside the radio did; nil: there is none.
  public var network: NetworkStatistics?
  /// The app that broke down; nil: none did.
  public var breakdown: AppBreakdown?
  /// What apps that are programs wrote for people, in the order of their first launches.
  public var logs: [AppLog] = []

  public init(
    ending: Ending, endInstant: SimInstant, digest: TraceDigest, statistics: Statistics, devices: [DeviceSummary],
    network: NetworkStatistics? = nil
  ) {
    self.network = network
    self.ending = ending
    self.endInstant = endInstant
    self.digest = digest
    self.statistics = statistics
    self.devices = devices
  }

  /// What all devices did together; nil: there is no network.
  public var networkUse: NetworkUse? {
    let uses = devices.compactMap(\.network)
    return uses.isEmpty ? nil : uses.reduce(NetworkUse()) { $0 + $1 }
  }

  /// Counts over the whole run.
  public struct Statistics: Hashable, Sendable {
    public var queueEvents = 0
    public var connectionEvents = 0
    public var skippedConnectionEvents = 0
    public var missedConnectionEvents = 0
    public var pdusSent = 0
    public var pdusLost = 0
    public var collisions = 0
    public init() {}
  }

  /// Something that a protocol puts into the table of peers.
  public struct Column: Hashable, Sendable {
    /// For programs, one word.
    public var key: String
    /// For people.
    public var title: String
    public var value: String
    public init(key: String, title: String, value: String) {
      self.key = key
      self.title = title
      self.value = value
    }
  }

  /// What a device had to do with the network beside the radio.
  public struct NetworkUse: Hashable, Sendable {
    /// Streams that its app opened and that became ready, and those that came in.
    public var streamsOpened = 0
    public var streamsAccepted = 0
    /// Streams and attempts that its app was told have failed.
    public var streamsFailed = 0
    /// How often its app was told that a service was found.
    public var servicesFound = 0
    /// What passed below its app.
    public var traffic = NetworkStatistics.Device()
    public init() {}

    /// What several devices did together.
    public static func + (a: NetworkUse, b: NetworkUse) -> NetworkUse {
      var sum = a
      sum.streamsOpened += b.streamsOpened
      sum.streamsAccepted += b.streamsAccepted
      sum.streamsFailed += b.streamsFailed
      sum.servicesFound += b.servicesFound
      sum.traffic.connections += b.traffic.connections
      sum.traffic.octetsSent += b.traffic.octetsSent
      sum.traffic.octetsReceived += b.traffic.octetsReceived
      sum.traffic.segments += b.traffic.segments
      sum.traffic.retransmissions += b.traffic.retransmissions
      sum.traffic.packets += b.traffic.packets
      sum.traffic.losses += b.traffic.losses
      sum.traffic.airtime = sum.traffic.airtime + b.traffic.airtime
      return sum
    }
  }

  /// How long a radio was on, and the charge that the run took from its supply, nanocoulombs.
  public struct RadioUse: Hashable, Sendable {
    public var times: RadioTimes
    public var charge: Int64
    public init(times: RadioTimes, charge: Int64) {
      self.times = times
      self.charge = charge
    }
  }

  /// One line of the table of peers.
  public struct DeviceSummary: Hashable, Sendable {
    public var name: String
    public var role: AppRole
    public var phone: String
    /// Links that are up at the end.
    public var links: Int
    /// The smallest ATT_MTU of its links, 0 when there is none.
    public var attMTU: Int
    public var valuesSent: Int
    public var valuesReceived: Int
    /// What its app shows at the end, as far as its protocol puts it into the table.
    public var columns: [Column]
    /// Nil when its radio is external.
    public var radio: RadioUse?
    /// Nil when the run has no network.
    public var network: NetworkUse?
    public init(
      name: String, role: AppRole, phone: String, links: Int, attMTU: Int, valuesSent: Int, valuesReceived: Int,
      columns: [Column]
    ) {
      self.name = name
      self.role = role
      self.phone = phone
      self.links = links
      self.attMTU = attMTU
      self.valuesSent = valuesSent
      self.valuesReceived = valuesReceived
      self.columns = columns
    }
  }
}

/// An app that is a program and is none any more: it did not start, ended, or says what is not in the protocol.
public struct AppBreakdown: Hashable, Sendable {
  /// Dense index.
  public var device: Int
  /// The program, as the scenario names it.
  public var program: String
  /// Whether the program was there at all; without it nothing was judged.
  public var hasStarted: Bool
  public var instant: SimInstant
  /// The newest record of the trace; nil before there is one.
  public var record: Int?
  /// What runs that break down alike have in common, for people.
  public var cause: String
  /// One sentence for people.
  public var detail: String
  /// The lines of its log that say most.
  public var lines: [String]

  public init(
    device: Int, program: String, hasStarted: Bool, instant: SimInstant, cause: String, detail: String, lines: [String]
  ) {
    self.device = device
    self.program = program
    self.hasStarted = hasStarted
    self.instant = instant
    self.cause = cause
    self.detail = detail
    self.lines = lines
  }
}

/// What a program wrote for people, its newest part, over all of its launches.
public struct AppLog: Hashable, Sendable {
  /// A line of it.
  public struct Line: Hashable, Sendable {
    /// When the bench took it over: with the program's answer to what it was told at this instant.
    ///
    /// What a program writes before it answers has the instant at which it was written. What it writes after its
    /// answer comes with the next one.
    public var instant: SimInstant
    public var text: String
    /// It came when the program was told nothing more; `instant` is that of its last answer.
    public var isAfterAnswers: Bool

    public init(instant: SimInstant, text: String, isAfterAnswers: Bool = false) {
      self.instant = instant
      self.text = text
      self.isAfterAnswers = isAfterAnswers
    }
  }

  public var device: Int
  public var text: String
  /// The lines of the text with their instants; those without text are left out.
  public var lines: [Line]

  public init(device: Int, text: String, lines: [Line] = []) {
    self.device = device
    self.text = text
    self.lines = lines
  }
}
