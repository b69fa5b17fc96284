import Expectations
import Explore
import SimKernel
import Testing

@Suite("Faults at every place")
struct FaultPlanTests {
  @Test("Places are instants of the run, each once and in order, and every kind of thing that happens is there")
  func places() throws {
    let plan = try FaultBench().plan
    expect(zip(plan.places, plan.places.dropFirst()).allSatisfy { $0.instant < $1.instant })
    expect(plan.places.allSatisfy { !$0.happenings.isEmpty && $0.instant <= plan.end })
    let happenings = plan.places.flatMap(\.happenings)
    for kind in Place.Kind.allCases where kind != .linkEnds {
      expect(happenings.contains { $0.kind == kind }, "\(kind)")
    }
    expect(happenings.contains { $0.text == "begins to send HANDSHAKE" })
    expect(happenings.contains { $0.device == 0 && $0.text == "shows ACTIVE" })
  }

  @Test("Each world has one rank, and the first worlds are spread over places and faults")
  func order() throws {
    let plan = try FaultBench().plan
    let numbers = (0..<plan.singles).map(plan.number)
    equal(numbers.sorted(), Array(0..<plan.singles))
    // A tenth of all worlds: no fault and no part of the run is left out or preferred.
    let part = numbers.prefix(plan.singles / 10)
    let choices = plan.choices.count
    var byChoice = Array(repeating: 0, count: choices)
    var byTenth = Array(repeating: 0, count: 10)
    for number in part {
      byChoice[number % choices] += 1
      byTenth[number / choices * 10 / plan.places.count] += 1
    }
    // No place comes twice before most have come once.
    let distinct = Set(numbers.prefix(plan.places.count / 2).map { $0 / choices }).count
    expect(distinct > plan.places.count / 2 * 9 / 10, "\(distinct) of \(plan.places.count)")
    let (mean, meanTenth) = (part.count / choices, part.count / 10)
    expect(byChoice.allSatisfy { $0 >= mean / 2 && $0 <= mean * 2 + 2 }, "\(byChoice)")
    expect(byTenth.allSatisfy { $0 >= meanTenth * 3 / 4 && $0 <= meanTenth * 5 / 4 + 2 }, "\(byTenth)")
  }

  @Test("A device that others join is not late itself; who has no word for leaving does not leave")
  func choices() throws {
    let plan = try FaultBench().plan
    expect(!plan.choices.contains { $0.device == 0 && $0.kind.lateness != nil })
    equal(plan.choices.count { $0.device == 1 && $0.kind.lateness != nil }, 3)
    expect(!plan.choices.contains { $0.kind == .wifiOff })
    expect(plan.choices.contains { $0.device == 2 && $0.kind == .leave })
    let bystanders = try FaultBench(
      """
      devices:
        sensor: { protocol: bystander, role: peripheral }
        phone: { protocol: bystander, role: central }
      traffic:
        - { from: phone, to: sensor, every: 500ms, count: 4 }
      steps: [{ after: 4s }]
      """)
    expect(!bystanders.plan.choices.contains { $0.kind == .leave })
    expect(bystanders.plan.places.flatMap(\.happenings).contains { $0.kind == .packetArrives })
    // Nobody claims anything of bystanders: what is not judged has not passed.
    let world = try bystanders.held(bystanders.plan.world(40))
    expect(world.isSound && !world.isJudged)
  }

  @Test("A killed app is launched again, and its person does again what they did first")
  func returns() throws {
    let bench = try FaultBench(kinds: [.kill])
    let text = bench.plan.base.text(with: bench.plan.world(bench.plan.choices.count * 9 + 1).asides, remarks: [])
    expect(text.contains("client-1: kill"))
    expect(text.contains("client-1: [relaunch, join]"))
    let host = bench.plan.base.text(with: bench.plan.world(bench.plan.choices.count * 9).asides, remarks: [])
    expect(host.contains("host: [relaunch, start hosting]"))
    expect(!text.contains("expect:"))
    expect(text.contains("within: 50s"))
  }

  @Test("A link that is late is covered until others have had so many deliveries, and for less than a timeout")
  func lateness() throws {
    let plan = try FaultBench(kinds: [.late1, .late2, .late3]).plan
    for place in plan.places.indices {
      let spans = plan.choices.indices.map { choice -> SimDuration in
        let world = plan.world(place * plan.choices.count + choice)
        return world.end - plan.places[place].instant - plan.margin
      }
      // The run ends after what was done last, which for a covered link is its beginning.
      expect(spans.allSatisfy { $0 >= .zero })
    }
    let text = plan.base.text(with: plan.world(plan.places.count / 2 * plan.choices.count).asides, remarks: [])
    expect(text.contains("cover link: { for: "))
  }
}
