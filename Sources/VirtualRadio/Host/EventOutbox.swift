/// Events that wait for the owner; slots are used again once all have been taken.
struct EventOutbox {
  private var slots: [HostEvent?] = []
  private var head = 0
  private var tail = 0

  mutating func append(_ event: HostEvent) {
    if tail < slots.count { slots[tail] = event } else { slots.append(event) }
    tail += 1
  }

  mutating func popFirst() -> HostEvent? {
    guard head < tail else { return nil }
    let event = slots[head].take()
    head += 1
    if head == tail {
      head = 0
      tail = 0
    }
    return event
  }
}
