import AppSeam
public import Foundation

/// What the bench tells an app before it is launched: the `hello` of Docs/Formats/iut-protocol.md.
public struct ProgramSetup: Sendable {
  /// The part that the app plays, for example `host`.
  public let role: String
  /// Which of the protocol's dialects it speaks; empty when the bench names none.
  public let dialect: String
  /// The id that the app must use in its packets.
  public let peerID: String
  /// The person's name as others see it.
  public let displayName: String
  /// The seed of what the app draws itself; what the system draws follows from it already.
  public let seed: UInt64
  /// What an earlier launch kept (`VirtualProgram.keep`); empty at the first one.
  public let kept: Data
  /// How far the phone's clock of the day is ahead of the others', in milliseconds.
  public let clockOffsetMilliseconds: Int
  /// What the phone has kept of earlier launches; nil: nothing.
  let memory: AppMemory?
  /// The system has ended the app, and keeps what it had of Bluetooth.
  let isRestored: Bool
  private let line: Data

  /// Members of the hello beyond these, for example `game`: `struct Hello: Decodable { var game: Game }`.
  /// - Throws: the error of the decoder.
  public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: line)
  }

  init(_ members: LineMembers, line: Data) throws(ProgramEnd) {
    let version = try members.int("protocol")
    guard version == 1 else { throw .notInProtocol("protocol: the bench speaks \(version), this program 1") }
    let seam = members.has("seam") ? try members.text("seam") : "ble"
    guard seam == "ble" else {
      throw .notInProtocol("seam: this program has the platform's words; leave seam out of the description")
    }
    role = members.has("role") ? try members.text("role") : ""
    dialect = members.has("dialect") ? try members.text("dialect") : ""
    peerID = try members.text("peerID")
    displayName = members.has("displayName") ? try members.text("displayName") : peerID
    let digits = members.has("seed") ? try members.text("seed") : "0"
    guard let number = UInt64(digits) else { throw .notInProtocol("seed: \"\(digits)\" is no seed") }
    seed = number
    kept = members.has("kept") ? Data(try members.octets("kept")) : Data()
    clockOffsetMilliseconds = members.has("clockOffsetMilliseconds") ? try members.int("clockOffsetMilliseconds") : 0
    memory = try Self.memory(members)
    isRestored = members.has("restored") ? try members.boolean("restored") : false
    self.line = line
  }

  private static func memory(_ members: LineMembers) throws(ProgramEnd) -> AppMemory? {
    if !members.has("memory") { return nil }
    let object = try members.object("memory")
    let word: AppMemory?
    do throws(ProgramEnd) {
      word = try object.typedWord("memory", among: AppMemory.self)
    } catch {
      guard case .notInProtocol(let text) = error else { throw error }
      throw .notInProtocol("memory: " + text)
    }
    if let defect = word?.defect { throw .notInProtocol("memory: " + defect) }
    return word
  }
}
