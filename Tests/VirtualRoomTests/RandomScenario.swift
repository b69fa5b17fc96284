import SimKernel

/// Small scenarios of Bab, drawn from a seed: lobbies to which things happen.
struct RandomScenario {
  private static let faults = [
    "vanish", "appear", "radio off", "radio on", "kill", "relaunch", "background", "foreground", "go out of range",
    "come back", "join", "{ disconnect: host }", "{ move to: [40 m, 3 m] }",
  ]

  private(set) var text: String

  init(_ seed: UInt64) {
    var random = RandomStream(seed: seed, component: "scenario", purpose: "test")
    let count = random.within(1...3)
    let radio = ["ideal", "living-room", "convention-hall"][Int(random.within(0...2))]
    let phone = ["iphone", "android", "ideal"][Int(random.within(0...2))]
    text = """
      radio: \(radio)
      devices:
        host: { phone: iphone }
        client: { count: \(count), phone: \(phone), around: host, radius: \(random.within(1...9)) m }
      game: { lines: 2, autoplay: { think: 300ms..900ms, accuracy: 80%..100% } }
      duration: \(random.within(0...3_000))ms
      steps:
        - host: start hosting
        - all clients: join

      """
    if random.within(0...2) > 0 {
      text += """
          - when: all clients in lobby
            within: 10s
            host: { set scenario: coffee-shop }
          - after: \(random.within(0...900))ms
            host: start lobby game

        """
    }
    for _ in 0..<random.within(0...5) {
      let device = random.within(0...4) == 0 ? "host" : "client-\(random.within(1...count))"
      let fault = Self.faults[Int(random.within(0...Int64(Self.faults.count - 1)))]
      let isOwn = device == "host" && (fault == "join" || fault.contains("host"))
      text += "  - { after: \(random.within(0...4_000))ms, \(device): \(isOwn ? "vanish" : fault) }\n"
    }
    text += """
      expect:
        - { that: client-1 in lobby, within: \(random.within(1...20))s }
        - { that: everyone is FINISHED, within: \(random.within(1...20))s }
        - everyone has no violations

      """
  }
}
