/// A list that grows while somebody holds a copy of it: what is appended after that copies one chunk, and not all.
package struct ChunkedList<Element: Sendable>: Sendable {
  private static var chunk: Int { 4_096 }

  private var full: [[Element]] = []
  private var newest: [Element] = []

  package init() {}

  package var count: Int { full.count * Self.chunk + newest.count }

  package mutating func append(_ element: Element) {
    newest.append(element)
    if newest.count < Self.chunk { return }
    full.append(newest)
    newest = []
  }

  /// All of them, as one array.
  package var array: [Element] { full.flatMap(\.self) + newest }

  package func forEach(_ body: (Element) -> Void) {
    for chunk in full { chunk.forEach(body) }
    newest.forEach(body)
  }
}
