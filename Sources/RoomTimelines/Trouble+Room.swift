import Bench
import RunReports
import SimKernel
import VirtualRoom

extension Trouble {
  /// What ended a test in a room.
  init(_ problem: RoomProblem, in header: TraceHeader?) {
    func device(_ phone: String) -> Int? { header?.devices.firstIndex { $0.name == phone } }
    var since: SimInstant?
    var claim = "the test goes on"
    let blamed: Int?
    let instant: SimInstant
    switch problem {
    case .timeIsOver(let waited, let at):
      (claim, since, instant, blamed) = ("it comes true within \(waited.shortSeconds) s", at - waited, at, nil)
    case .stopped(let phone, let at, _), .mainQueueWaits(let phone, let at): (instant, blamed) = (at, device(phone))
    case .neverRests(_, let at): (instant, blamed) = (at, nil)
    case .refused: (instant, blamed) = (.zero, nil)
    case .notLaunched(let phone): (instant, blamed) = (.zero, device(phone))
    }
    self.init(
      ofMeasures: claim, actual: problem.description, instant: instant, since: since, device: blamed, record: nil,
      line: nil, isInconclusive: false)
  }
}
