import AppSeam

/// A line as a scenario writes it in place of what a language model would make up.
public struct LineTemplate: Hashable, Sendable {
  /// Only players with this role are given the line; nil = anybody.
  public var roleID: String?
  public var native: String
  public var translated: String
  public init(roleID: String? = nil, native: String, translated: String) {
    self.roleID = roleID
    self.native = native
    self.translated = translated
  }
}

/// The ordered lines a host hands out, again from the start when they are used up.
public struct LineScript: Hashable, Sendable {
  public var templates: [LineTemplate]
  public init(_ templates: [LineTemplate]) { self.templates = templates }

  /// A short order at a counter; what a scenario gets that writes no lines of its own.
  public static let standard = LineScript([
    LineTemplate(native: "Buenos días, ¿qué desea tomar?", translated: "Good morning, what would you like to drink?"),
    LineTemplate(native: "Un café con leche, por favor.", translated: "A coffee with milk, please."),
    LineTemplate(native: "¿Algo de comer también?", translated: "Something to eat as well?"),
    LineTemplate(native: "Sí, un cruasán para llevar.", translated: "Yes, a croissant to take away."),
    LineTemplate(native: "Son cinco euros con veinte.", translated: "That is five euros twenty."),
    LineTemplate(native: "Aquí tiene, quédese con el cambio.", translated: "Here you are, keep the change."),
    LineTemplate(native: "Muchas gracias, que tenga un buen día.", translated: "Thank you very much, have a nice day."),
    LineTemplate(native: "Igualmente, hasta mañana.", translated: "You too, see you tomorrow."),
  ])
}

/// Walks through a script; ids are `line-1`, `line-2`, … and never come twice within one run of a host.
struct LineGenerator {
  let script: LineScript
  private var cursor = 0
  private var count = 0

  init(script: LineScript) { self.script = script.templates.isEmpty ? .standard : script }

  /// The next line this role may read; when the script has none for it, the next line of all.
  mutating func next(roleID: String?) -> (id: String, template: LineTemplate) {
    count += 1
    let templates = script.templates
    var chosen = cursor
    for step in templates.indices {
      let index = (cursor + step) % templates.count
      guard templates[index].roleID == nil || templates[index].roleID == roleID else { continue }
      chosen = index
      break
    }
    cursor = (chosen + 1) % templates.count
    return ("line-\(count)", templates[chosen])
  }
}
