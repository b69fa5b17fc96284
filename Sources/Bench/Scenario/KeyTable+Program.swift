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

  package static let ixit = KeyTable(
    id: "ixit", title: "“ixit”",
    keys: [
      Key("answer-timeout", .duration, "from an input to its answer; default 5s"),
      Key("start-timeout", .duration, "from the start to the hello; default 10s"),
      Key("launch-timeout", .duration, "all answers from one start of the program; default 2min"),
      Key("end-timeout", .duration, "from the end of its input to its own end; default 1s"),
      Key("memory-limit", .text, "resident memory with all it has started; default 512 MiB"),
    ])
}
