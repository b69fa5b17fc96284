/// How programs are written, in scenarios and in descriptions of implementations under test.
extension KeyTable {
  static let program = KeyTable(
    id: "program", title: "“app”",
    keys: [
      Key("command", .list(.text), "the program and its arguments", isRequired: true),
      Key("reports", .boolean, "no: it reports nothing of what it shows, and only its peers are asked; default yes"),
    ] + programKeys)

  /// What may be said of any program beside its command.
  package static let programKeys = [
    Key("folder", .text, "where it runs and where its path begins; default the file's folder"),
    Key("seam", .word(EngineSeam.allCases.map(\.rawValue)), "what it is connected by; default ble"),
    Key("ixit", .table("ixit"), "limits of the program"),
    Key("environment", .mapping(of: .text), "variables besides the inherited ones"),
  ]
}

extension Keys {
  package static let ixit = KeyedMapping("ixit", "“ixit”", of: ProgramLimits()) { limits, keys in
    keys("answer-timeout", &limits.answerMilliseconds, .wallTime, "from an input to its answer; default 5s")
    keys("start-timeout", &limits.startMilliseconds, .wallTime, "from the start to the hello; default 10s")
    keys(
      "launch-timeout", &limits.launchMilliseconds, .wallTime,
      "all answers from one start of the program; default 2min")
    keys("end-timeout", &limits.endMilliseconds, .wallTime, "from the end of its input to its own end; default 1s")
    keys(
      "memory-limit", &limits.memoryOctets, .quantity(.text, .octets, 1 << 20...1 << 40),
      "resident memory with all it has started; default 512 MiB")
  }
}

extension ValueForm where Value == Int {
  /// Milliseconds of the wall clock.
  fileprivate static var wallTime: Self { quantity(.duration, .wallTime, 1...36_000_000) }
}

extension ScenarioDecoder.Dimension {
  /// Milliseconds.
  fileprivate static var wallTime: Self {
    Self(
      name: "duration", units: [("h", 3_600_000), ("min", 60_000), ("s", 1_000), ("ms", 1)],
      examples: "500ms, 5s or 1min")
  }

  fileprivate static var octets: Self {
    Self(
      name: "size", units: [("GiB", 1 << 30), ("MiB", 1 << 20), ("GB", 1_000_000_000), ("MB", 1_000_000)],
      examples: "512 MiB or 2 GiB")
  }
}
