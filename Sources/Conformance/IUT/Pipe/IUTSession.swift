public import AppSeam
import Bench
import Judging
import SimKernel

/// The program's end of the IUT protocol, without any pipe: a line in, a line out.
///
/// The engine is made when the hello has come. `IUTServer` puts it on standard input and output.
public struct IUTSession {
  /// Why the session cannot go on: the bench said something that is not in the protocol.
  public struct Problem: Error, CustomStringConvertible {
    public var description: String
    public init(_ description: String) { self.description = description }
  }

  private let greeting: IUTGreeting
  private let app: AppProtocol
  private let makeEngine: (IUTHello) throws -> any AppEngine
  private var engine: (any AppEngine)?
  private var writer = JSONText(capacity: 4_096)

  public init(
    greeting: IUTGreeting, of app: AppProtocol, makeEngine: @escaping (IUTHello) throws -> any AppEngine
  ) {
    self.greeting = greeting
    self.app = app
    self.makeEngine = makeEngine
  }

  /// The answer to one line, both without their line ends.
  public mutating func answer(_ line: [UInt8]) throws -> [UInt8] {
    writer.removeAll()
    let members: MessageMembers
    do {
      members = try MessageMembers(JSONTree(line))
    } catch let refusal as JSONTree.Refusal {
      throw Problem("not JSON at octet \(refusal.offset): \(refusal.reason)")
    } catch {
      throw Problem("\(error)")
    }
    do {
      if let engine { try answer(members, engine) } else { try begin(members) }
    } catch let problem as MessageProblem {
      throw Problem(problem.description)
    }
    let answer = writer.octets
    writer.endLine()
    return answer
  }

  private mutating func begin(_ members: MessageMembers) throws {
    guard try members.text("name") == "hello" else {
      throw MessageProblem(place: "name", reason: "the first line must be the hello")
    }
    let hello = try IUTHello(members, of: app)
    guard hello.seam == .ble else {
      throw MessageProblem(place: "seam", reason: "this engine has the platform's words; leave seam out")
    }
    engine = try makeEngine(hello)
    greeting.write(to: &writer)
  }

  /// What the phone of the engine keeps, if it says so.
  private mutating func remember(_ engine: any AppEngine, at now: SimInstant) {
    writer.beginObject()
    writer.member("at", now.nanoseconds)
    writer.key("effects")
    writer.beginArray()
    if let memory = (engine as? any RememberingEngine)?.remember(at: now) {
      writer.beginObject()
      writer.fields(of: memory)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  private mutating func answer(_ members: MessageMembers, _ engine: any AppEngine) throws(MessageProblem) {
    let now = SimInstant(nanoseconds: try members.integer("at", Int64.min...Int64.max))
    if try members.text("name") == "remember" { return remember(engine, at: now) }
    let effects = engine.handle(try members.input(of: app.app), at: now)
    writer.beginObject()
    writer.member("at", now.nanoseconds)
    writer.objects("effects", effects) { $0.effect($1) }
    writer.endObject()
  }
}
