import AppSeam
import BeamScribe
import Conformance

/// What a defect of BeamScribe is made of: something else told to the reference engine, and something else made of
/// what it is told, asks for, shows, sends and reads.
struct BeamDefect: Sendable {
  /// What the inner engine is told in place of an input; the input itself to change nothing.
  typealias Hearing = @Sendable (DefectEngine, AppInput) -> [AppInput]
  /// What the platform is asked, and people are shown, in place of an effect; the effect itself to change nothing.
  typealias Asking = @Sendable (DefectEngine, AppEffect) -> [AppEffect]
  /// What is sent in place of one packet of the inner engine; none to drop it.
  typealias Outgoing = @Sendable (DefectEngine, DefectStream, BeamPacket) -> [Speech]
  /// What the inner engine reads in place of one body, packet or not; none where it reads nothing.
  typealias Reading = @Sendable (DefectEngine, DefectStream, [UInt8]) -> [[UInt8]]
  /// Whether what waits on a stream is kept back at present.
  typealias Holding = @Sendable (DefectEngine, DefectStream) -> Bool

  /// Something to say on a stream.
  enum Speech {
    case packet(BeamPacket)
    /// The body of a frame, packet or not.
    case body([UInt8])
    /// What stands on the stream, frame or not, in place of a packet of this kind.
    case octets([UInt8], BeamPacket.Kind)
  }

  var hearing: Hearing?
  var asking: Asking?
  var outgoing: Outgoing?
  var reading: Reading?
  var holding: Holding?
}

extension Mutant {
  /// A reference engine of BeamScribe with something else told to it, or a defect around it.
  /// - Parameters:
  ///   - oracle: that must fail it in a whole run; nil where only test purposes do.
  ///   - adjust: changes what the inner engine is told; most leave it alone.
  static func beam(
    _ name: String, _ role: AppRole, _ clause: String, failedBy oracle: String? = nil, _ summary: String,
    adjust: (@Sendable (inout BeamConfiguration) -> Void)? = nil,
    hearing: BeamDefect.Hearing? = nil, asking: BeamDefect.Asking? = nil, outgoing: BeamDefect.Outgoing? = nil,
    reading: BeamDefect.Reading? = nil, holding: BeamDefect.Holding? = nil
  ) -> Mutant {
    let defect = BeamDefect(
      hearing: hearing, asking: asking, outgoing: outgoing, reading: reading, holding: holding)
    let isNumber = hearing == nil && asking == nil && outgoing == nil && reading == nil && holding == nil
    return Mutant(name, role, clause: "BEAM \(clause)", failedBy: oracle, summary) { app in
      var configuration = BeamConfiguration(app)
      adjust?(&configuration)
      let engine = BeamEngines.reference(role, configuration)
      return isNumber ? engine : DefectEngine(defect, wrapping: engine, configuration)
    }
  }

  /// An engine that is told another number or name.
  static func number(
    _ name: String, _ role: AppRole, _ clause: String, failedBy oracle: String? = nil, _ summary: String,
    _ adjust: @escaping @Sendable (inout BeamConfiguration) -> Void
  ) -> Mutant {
    beam(name, role, clause, failedBy: oracle, summary, adjust: adjust)
  }

  /// An engine that is never told certain things.
  static func deaf(
    _ name: String, _ role: AppRole, _ clause: String, failedBy oracle: String? = nil, _ summary: String,
    to isMissed: @escaping @Sendable (DefectEngine, AppInput) -> Bool
  ) -> Mutant {
    beam(name, role, clause, failedBy: oracle, summary, hearing: { isMissed($0, $1) ? [] : [$1] })
  }

  /// An engine that keeps certain requests or news to itself.
  static func silent(
    _ name: String, _ role: AppRole, _ clause: String, failedBy oracle: String? = nil, _ summary: String,
    about isKept: @escaping @Sendable (DefectEngine, AppEffect) -> Bool
  ) -> Mutant {
    beam(name, role, clause, failedBy: oracle, summary, asking: { isKept($0, $1) ? [] : [$1] })
  }

  /// An engine whose bodies are written in another way.
  static func wording(
    _ name: String, _ clause: String, failedBy oracle: String? = nil, _ summary: String,
    _ rewrite: @escaping @Sendable (BodyText, BeamPacket) -> BodyText
  ) -> Mutant {
    beam(
      name, .beamHost, clause, failedBy: oracle, summary,
      outgoing: { _, _, packet in [.body(rewrite(BodyText(packet.encoded()), packet).octets)] })
  }
}

extension AppInput {
  /// Nil for everything but what the network says.
  var network: NetworkInput? {
    if case .network(let input) = self { return input }
    return nil
  }
}

extension AppEffect {
  /// Nil for everything but what is asked of the network.
  var network: NetworkEffect? {
    if case .network(let effect) = self { return effect }
    return nil
  }

  var isListen: Bool {
    if case .listen? = network { return true }
    return false
  }

  /// Whether an app shows this state.
  func shows(_ state: BeamState) -> Bool { beam == .state(state.rawValue) }
}
