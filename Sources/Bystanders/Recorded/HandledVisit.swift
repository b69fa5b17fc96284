import BluetoothWire
import SimKernel

/// What clients asked on one link, by the handles of the capture.
struct HandledVisit {
  private var requests: [(kind: RecordedVisit.Request.Kind, handle: ATT.Handle, instant: SimInstant)] = []
  private let begin: SimInstant
  /// Values that came without a subscription in the capture, before any.
  private var unasked = HandleList()
  /// Nil: it was up when the capture ended, or fell silent.
  var end: SimInstant?

  init(begin: SimInstant) { self.begin = begin }

  mutating func add(_ kind: RecordedVisit.Request.Kind, _ handle: ATT.Handle, _ instant: SimInstant) {
    requests.append((kind, handle, instant))
  }

  /// It does so after the value came.
  mutating func subscribes(to handle: ATT.Handle) { unasked.remove(handle) }

  mutating func listens(to handle: ATT.Handle) { unasked.add(handle) }

  /// The same by what the handles mean; requests about others are left out.
  func placed(by table: RecordedTable) -> RecordedVisit {
    var visit = RecordedVisit()
    visit.requests = unasked.all.compactMap { handle in
      table.place(of: handle).map { RecordedVisit.Request(kind: .subscribe(true), characteristic: $0, pause: 0) }
    }
    var last = begin
    for request in requests {
      guard let place = table.place(of: request.handle) else { continue }
      let pause = max(0, (request.instant - last).nanoseconds)
      visit.requests.append(RecordedVisit.Request(kind: request.kind, characteristic: place, pause: pause))
      last = max(last, request.instant)
    }
    visit.rest = end.map { max(0, ($0 - last).nanoseconds) }
    return visit
  }
}
