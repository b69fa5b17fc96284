public import AppSeam
import Judging
public import SimKernel

extension ProcessEngine {
  /// Octets of an answer with a memory: as many as an app may keep.
  private static let memoryLimit = 1 << 20

  /// Asks the program what its phone keeps, if it has said that it knows the question.
  public func remember(at now: SimInstant) -> AppMemory? {
    guard greeting?.remembers == true, let line = askToRemember(at: now) else { return nil }
    guard line.count <= Self.memoryLimit else {
      fail(IUTFailure(.flooded, "a memory of \(line.count) octets; the limit is \(Self.memoryLimit)"))
      return nil
    }
    do throws(MessageProblem) {
      return try memory(line, at: now)
    } catch {
      fail(
        IUTFailure(
          .garbage, "its memory: \(error); it said \(Self.shown(line))", cause: "hands over a damaged memory",
          lastOutput: Self.kept(line)))
      return nil
    }
  }

  private func memory(_ line: [UInt8], at now: SimInstant) throws(MessageProblem) -> AppMemory? {
    let answer = try Self.members(line)
    let instant = try answer.integer("at", Int64.min...Int64.max)
    guard instant == now.nanoseconds else {
      throw MessageProblem(place: "at", reason: "\(instant), and it was asked at \(now.nanoseconds)")
    }
    let list = try answer.list("effects")
    guard list.count <= 1 else { throw MessageProblem(place: "effects", reason: "more than one") }
    guard let word = list.first else { return nil }
    do throws(MessageProblem) {
      return try MessageMembers(word).memory(of: app.app)
    } catch {
      throw error.inside("effects[0]")
    }
  }
}
