import AppSeam
import BabSim
import Bench
import Expectations
import SimKernel
import Testing

@Suite("What is done beside the steps")
struct MeanwhileTests {
  /// Two in a lobby; what is done beside the steps follows.
  private static let pair = """
    devices:
      host: {}
      client: {}
    steps:
      - host: start hosting
      - client: join
      - when: client in lobby
        within: 30s
        label: full

    """

  private static func text(_ meanwhile: String, _ more: String = "") -> String {
    pair + more + "meanwhile:\n" + meanwhile
  }

  @Test("It is done at its time while a step waits, in one order, and the run goes on for it")
  func whileAStepWaits() throws {
    // The client appears long before the step before it in the file would have its turn.
    let (outcome, diary) = try CrowdTests.play(
      Self.text(
        """
          - at: 9s
            client: appear
          - at: 1ms
            client: vanish
          - at: 20s

        """, "duration: 3s\n"))
    expect(diary.steps.last?.text == "wait" && diary.steps.last?.at == .zero + .seconds(20))
    expect(diary.steps.contains { $0.text == "client: vanish" && $0.at == .zero + .milliseconds(1) })
    expect(diary.steps.contains { $0.text == "client: appear" && $0.at == .zero + .seconds(9) })
    expect(outcome.ending == .finished && outcome.endInstant == .zero + .seconds(23))
    expect(diary.failed.isEmpty)
  }

  @Test("It is done although the steps are stuck")
  func afterTheStepsAreStuck() throws {
    let stuck = Self.pair.replacing("within: 30s", with: "within: 2s").replacing(
      "- client: join", with: "- client: kill")
    let (outcome, diary) = try CrowdTests.play(
      stuck + "duration: 1s\nmeanwhile:\n  - at: 10s\n    client: [relaunch, join]\n")
    equal(diary.failed.count, 1)
    expect(diary.joins.contains { $0.at == .zero + .seconds(10) })
    equal(outcome.endInstant, .zero + .seconds(11))
  }

  @Test("Noise over a link makes it later, in its order, and is the same stepped and skipped")
  func coveredLink() throws {
    let cover = Self.text("  - at: 500ms\n    client: { cover link: { with: host, for: 900ms } }\n", "duration: 8s\n")
    let plain = Self.text("  - at: 500ms\n", "duration: 8s\n")
    let (covered, free) = (try CrowdTests.play(cover), try CrowdTests.play(plain))
    expect(covered.outcome.statistics.pdusLost > free.outcome.statistics.pdusLost + 10)
    equal(covered.outcome.devices.map(\.links), [1, 1])
    expect(covered.diary.failed.isEmpty)
    var options = RunOptions(seed: 1)
    options.stepsIdleEvents = true
    let stepped = try World.run(try CrowdTests.scenario(cover), options: options, engines: SessionPair.engines)
    equal(stepped.digest, covered.outcome.digest)
  }

  @Test("The room changes by a step and beside the steps, and the run is the same stepped and skipped")
  func roomChanges() throws {
    let still = Self.text("  - at: 20s\n")
    let changing = Self.text(
      "  - { at: 2s, radio: { packet loss: 25% } }\n  - { at: 20s, radio: { packet loss: 0% } }\n  - at: 30s\n")
    let (changed, plain) = (try CrowdTests.play(changing), try CrowdTests.play(still))
    equal(plain.outcome.statistics.pdusLost, 0)
    expect(changed.outcome.statistics.pdusLost > 50)
    expect(changed.diary.steps.contains { $0.text == "radio: packet loss 25%" && $0.at == .zero + .seconds(2) })
    var options = RunOptions(seed: 1)
    options.stepsIdleEvents = true
    let stepped = try World.run(try CrowdTests.scenario(changing), options: options, engines: SessionPair.engines)
    equal(stepped.digest, changed.outcome.digest)
    let asStep = Self.pair + "  - { after: 1s, radio: { bit error rate: 500 ppm }, label: noisy }\n  - after: 9s\n"
    try expect(CrowdTests.play(asStep).outcome.statistics.pdusLost > 0)
  }

  @Test("A device may be called radio, and then the word means it")
  func deviceCalledRadio() throws {
    let text =
      "devices:\n  radio: { role: host }\nsteps:\n  - radio: start hosting\nmeanwhile:\n  - { at: 1s, radio: vanish }\n"
    let scenario = try CrowdTests.scenario(text)
    equal(scenario.steps.map(\.devices) + scenario.meanwhile.map(\.devices), [[0], [0]])
  }

  @Test(
    "What is wrong with a change of the room is said in one line",
    arguments: [
      ("radio: {}", "nothing of the room changes; write for example “radio: { packet loss: 20% }”"),
      ("radio: { packet los: 1% }", "did you mean “packet loss”?"), ("radio: { packet loss: 120% }", "0% to 100%"),
      ("{ radio: { packet loss: 1% }, spread: { over: 1s } }", "“spread” is of devices, not of “radio”"),
    ])
  func faultyChange(step: String, message: String) {
    #expect {
      _ = try CrowdTests.scenario(Self.pair + "  - \(step)\n")
    } throws: { error in
      "\(error)".contains(message)
    }
  }

  @Test("In lobbies side by side each joins the host of its own")
  func lobbies() throws {
    let hall = CrowdTests.hall("lobbies: 2") + "\nmeanwhile:\n  - at: 30s\n    client-1@2: [kill, relaunch, join]\n"
    let (_, diary) = try CrowdTests.play(hall)
    expect(
      diary.joins.contains { diary.header.devices[$0.device].name == "client-1@2" && $0.at == .zero + .seconds(30) })
  }

  @Test(
    "What is wrong with it is told with its place",
    arguments: [
      ("  - client: vanish\n", "a.yaml:11:5: an entry of “meanwhile” needs “at”; write “at: …”"),
      (
        "  - vanish\n",
        "a.yaml:11:5: an entry of “meanwhile” must be a mapping, not a text; write “at: 5s” and a device"
      ),
      (
        "  - { at: 1s, clint: vanish }\n",
        "a.yaml:11:15: an entry of “meanwhile” has no key “clint” and there is no such device; did you mean “client”?"
      ),
      (
        "  - { at: 1s, client: { cover link: { with: host } } }\n",
        "a.yaml:11:37: “cover link” needs “for”; write “for: …”"
      ),
      (
        "  - { at: 1s, client: { cover link: { with: hos, for: 1s } } }\n",
        "a.yaml:11:45: there is no device “hos”; did you mean “host”?"
      ),
    ])
  func problems(_ meanwhile: String, _ problem: String) throws {
    guard
      case .failure(let problems) = ScenarioReader.read(text: Self.text(meanwhile), file: "a.yaml", language: .bab())
    else { return expect(false, "it was read") }
    equal("\(problems)", problem)
  }
}
