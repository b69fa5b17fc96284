package import AppSeam
package import BluetoothWire
package import SimKernel

/// Everything that a reference engine is told before it runs, with every number of the specification; plain values, so
/// that a run can be repeated, and a defect that is a number is one field.
package struct BeamConfiguration: Sendable {
  package var dialect: DialectName
  /// The event's name where its person gives none.
  package var displayName: String
  /// For the draws of `mpcConnectTime`; the seed of the run.
  package var seed: UInt64 = 0
  package var peerID: String
  /// What the app kept before it was launched again.
  package var kept: [UInt8] = []
  /// How far the device's clock of the day is ahead of the others'.
  package var clockOffsetMilliseconds = 0
  /// What guests of one world remember together.
  package var memory = PacketMemory()
  /// What scenarios set (BEAM 5.2.6, 9.3, 5.7.3).
  package var settings = BeamSettings()

  // MARK: Names (BEAM 2, 5.2)

  /// As DNS-SD writes it.
  package var serviceType: String
  /// Octets of UTF-8 of an instance name.
  package var nameOctets = 63
  package var advertisedUUID = BluetoothUUID.beamScribe
  /// What a local name has of the event's name.
  package var advertisedCharacters = 8
  package var advertisedOctets = 8
  /// Whether BLE advertises, scans and primes: not in `mpc` (BEAM 6.4).
  package var usesBluetooth: Bool
  /// Hosts listen, and guests browse, from peer to peer too (BEAM 2.3, 5.1.2).
  package var peerToPeer = true
  /// Over what a guest connects, the preferred one first (BEAM 5.11.1).
  package var interfaces: [NetworkInterface]

  // MARK: Timers (BEAM 8)

  /// From ready to the history; nil: there is no gate (BEAM 8.1, 6.5).
  package var gate: SimDuration?
  /// A stream that ends earlier is unstable; nil: nobody counts (BEAM 8.2).
  package var unstableBefore: SimDuration?
  /// The waits after a loss and after each failure; then the guest looks again (BEAM 8.3).
  package var retryWaits: [SimDuration] = [.seconds(1), .seconds(2), .seconds(4)]
  /// One attempt to connect, or one invitation of `mpc` (BEAM 8.4, 8.5); nil: without end.
  package var attemptTime: SimDuration? = .seconds(10)
  /// BEAM 8.6.
  package var primeTime = SimDuration.seconds(10)
  /// A frame without growth (BEAM 8.7).
  package var stallTime = SimDuration.seconds(30)
  /// Age of what waits for a slow guest (BEAM 8.8).
  package var slowTime = SimDuration.seconds(30)
  /// Octets that wait for a slow guest (BEAM 8.8).
  package var slowOctets = 4_194_304
  /// From the end of what is sent to the cancellation (BEAM 8.9).
  package var finishTime = SimDuration.seconds(5)
  /// A stream that is not viable (BEAM 8.10).
  package var viabilityTime = SimDuration.seconds(10)
  /// From the failure of a listener to the next one (BEAM 5.1.3).
  package var listenAgainTime = SimDuration.seconds(1)
  /// What both ends ask for on every stream (BEAM 8.13).
  package var keepAlive: KeepAliveRequest? = KeepAliveRequest(idle: .seconds(5), interval: .seconds(5), count: 3)
  /// `mpc`: from acceptance until both are connected, drawn evenly (BEAM 6).
  package var mpcConnectTime: ClosedRange<SimDuration> = .milliseconds(500)...(.milliseconds(1_500))
  /// The wall time that simulated time 0 stands for, in milliseconds since 1970 (BEAM 8.11).
  package var epochMilliseconds: Int64 = 1_700_000_000_000

  // MARK: Limits

  /// Guests with a stream up, the host not counted (BEAM 1.3, 8.12).
  package var guestLimit = BeamConfiguration.seats
  package static let seats = 7
  /// Octets of a body that is read (BEAM 3.3).
  package var frameLimit = BeamLimits.body
  /// Octets of the body of a page of the history that is written (BEAM 5.6.2).
  package var pageOctets = BeamLimits.body
  /// Chunks of such a page.
  package var pageChunks = Int.max
  /// Octets of a text that is written (BEAM 4.7).
  package var textOctets = BeamLimits.text
  /// Finals that a guest shows (BEAM 7.7).
  package var transcriptLimit = 1_000_000
  /// Octets that are handed to the platform at a time: a frame is longer than any buffer.
  package var sendOctets = 16_384
  /// Octets that a host keeps over a relaunch; what would be longer is not kept. An app could keep 1 MiB, but each
  /// final keeps the whole transcript again.
  package var keepOctets = 131_072

  /// The numbers of a dialect; one that is none of BeamScribe's is taken for `network`.
  package init(dialect: DialectName, peerID: String, displayName: String) {
    self.dialect = dialect
    self.peerID = peerID
    self.displayName = displayName
    let isOld = dialect == .beamMPC
    serviceType = isOld ? "_beamscribe-mpc._tcp" : "_beamscribe._tcp"
    usesBluetooth = !isOld
    interfaces = isOld ? [.peerToPeer, .infrastructure] : [.infrastructure, .peerToPeer]
    gate = isOld ? nil : .seconds(4)
    unstableBefore = isOld ? nil : .seconds(5)
  }

  /// What an engine makes of what its app is told.
  package init(_ app: AppConfiguration) {
    self.init(dialect: app.dialect, peerID: app.peerID, displayName: app.displayName)
    seed = app.seed
    kept = app.kept
    clockOffsetMilliseconds = app.clockOffsetMilliseconds
    memory = app.readings.memory { PacketMemory() }
    if let settings = app.settings.record as? BeamSettings { self.settings = settings }
  }

  /// Whether streams carry what `mpc` has in place of packets alone.
  package var isMPC: Bool { dialect == .beamMPC }

  /// Milliseconds since 1970 by the device's clock, rounded down.
  package func wallMilliseconds(_ now: SimInstant) -> Int64 {
    epochMilliseconds + now.nanoseconds / 1_000_000 + Int64(clockOffsetMilliseconds)
  }
}

extension BluetoothUUID {
  /// What hosts advertise (BEAM 5.2).
  package static let beamScribe = BluetoothUUID(high: 0xBEA3_5C81_1A5E_4B1E, low: 0x9A57_0000_0000_0001)
}
