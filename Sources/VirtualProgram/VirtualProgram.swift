public import CoreBluetooth

/// Puts an app that is written for CoreBluetooth into a process of its own, as a program of the bench.
///
/// ```swift
/// VirtualProgram.run(implementation: "my-app 3.2") { setup in
///   LobbyManager(name: setup.displayName)
/// } user: { manager, action in
///   if action.name == "startHosting" { manager.openLobby() }
/// }
/// ```
///
/// The program speaks Docs/Formats/iut-protocol.md on standard input and output; `babbench conform` tests it. All of
/// the app runs in the main thread, in virtual time, on one virtual phone; a singleton belongs to that phone alone.
/// What the app prints goes to standard error. The phone's memory outlives the process, so that the restoration of an
/// app by the system works (Docs/corebluetooth.md). Where the bench has a network beside the radio, so has the phone
/// (Docs/network.md).
public enum VirtualProgram {
  /// Runs until standard input ends, and ends the process: 0 then, 70 when the app was stopped, 76 when a line is not
  /// in the protocol. The cause is one line on standard error.
  /// - Parameters:
  ///   - implementation: name and version, for reports.
  ///   - claims: what the app claims to do (`babbench list --ics`); nil: its description says it.
  ///   - reports: names of the reports that it makes whenever there is reason to; empty: it does not say.
  ///   - app: makes the app's object, on the phone's main queue, when the phone launches it.
  ///   - user: does what a person does with the app, on the main queue; actions that the app lacks are ignored.
  ///   - scene: tells the app that it went to the background (false), or is in front again (true), on the main queue.
  public static func run<App: AnyObject>(
    implementation: String, claims: [String]? = nil, reports: [String] = [],
    app: @escaping (ProgramSetup) -> App,
    user: @escaping (App, ProgramAction) -> Void = { _, _ in },
    scene: @escaping (App, Bool) -> Void = { _, _ in }
  ) -> Never {
    let streams = StandardStreams()
    let session = ProgramSession(
      greeting: ProgramGreeting(implementation: implementation, claims: claims, reports: reports), app: app, user: user,
      scene: scene, log: streams.log)
    current = session
    do throws(ProgramEnd) {
      try streams.serve { line throws(ProgramEnd) in try session.answer(line) }
    } catch {
      streams.log("error: \(error)")
      streams.leave(error.exitCode)
    }
    streams.leave(0)
  }

  /// Shows something, as the app's screen does: a report of the protocol with its members, in the order of calls.
  ///
  /// `VirtualProgram.report("phase", ["phase": "LOBBY"])`. A member is what `Codable` writes, `nil` is null. It is part
  /// of the answer to the current input; outside of a program it does nothing.
  public static func report(_ name: String, _ members: KeyValuePairs<String, any Encodable> = [:]) {
    current?.report(ProgramReport(name: name, members: members))
  }

  /// The number by which reports name the link with a peripheral, as `link` of `packetSent`; nil: there is none. The
  /// phone counts links that the app is not told of, too: iOS tries again by itself.
  public static func link(with peripheral: CBPeripheral) -> Int? { peripheral.linkNumber }

  /// Keeps octets for the next launch (`ProgramSetup.kept`), in place of what was kept before; at most 1 MiB.
  public static func keep(_ octets: Data) { current?.keep(Array(octets)) }

  /// Puts octets at the end of what is kept, as a log grows; where that would be more than 1 MiB, none of them are
  /// kept.
  public static func keepMore(_ octets: Data) { current?.keepMore(Array(octets)) }

  /// The one session of the process, in its main thread.
  nonisolated(unsafe) static var current: (any RunningProgram)?
}
