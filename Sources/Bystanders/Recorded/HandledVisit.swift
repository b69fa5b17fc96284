import BluetoothWire
import SimKernel

/// What clients asked on one link, by the handles of the capture.
struct HandledVisit {
  private var requests: [(kind: RecordedVisit.Request.Kind, handle: ATT.Handle, instant: SimInstant)] = []
  private let begin: SimInstant
  /// Nil: it was up when the capture ended.
  var end: SimInstant?

  init(begin: SimInstant) { self.begin = begin }

  mutating func add(_ kind: RecordedVisit.Request.Kind, _ handle: ATT.Handle, _ instant: SimInstant) {
    requests.append((kind, handle, instant))
  }

  /// The same by what the handles mean; requests about others are left out.
  func placed(by table: RecordedTable) -> RecordedVisit {
    var visit = RecordedVisit()
    var last = begin
    for request in requests {
      guard let place = table.place(of: request.handle) else { continue }
      let pause = max(0, (request.instant - last).nanoseconds)
      visit.requests.append(RecordedVisit.Request(kind: request.kind, characteristic: place, pause: pause))
      last = max(last, request.instant)
    }
    visit.rest = max(0, ((end ?? last) - last).nanoseconds)
    return visit
  }
}
