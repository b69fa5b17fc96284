import SimKernel

extension InputGrammar {
  /// Scenario files, whatever apps they may name.
  public static let scenario = InputGrammar(
    "scenario", "scenario files", form: .text, limit: 4_096,
    words: ["devices:", "radio:", "steps:", "expect:", "- ", "  ", "after: 1s", "packet loss: 5%", "<<: *a", "&a"]
      .map { Array($0.utf8) },
    valid: { stream in
      Array(
        """
        summary: A beacon, and somebody who looks for it.
        radio: { preset: ideal, packet loss: \(stream.below(100))% }
        devices:
          beacon: { protocol: bystander, role: advertiser, count: \(1 + stream.below(6)), at: [0, 1] }
          watcher: { protocol: bystander, role: scanner, phone: android, at: [1, 3] }
        steps:
          - after: \(stream.below(20))s
            watcher: vanish
        expect:
          - { that: watcher has exactly 0 links, within: 20s }

        """.utf8)
    })
}
