import Judging

extension JSONText {
  /// A member that is an array, one value written for each element.
  mutating func list<Element>(
    _ name: StaticString, _ elements: [Element], _ write: (inout JSONText, Element) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }
}
