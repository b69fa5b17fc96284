package import Bench
package import Judging

extension JSONText {
  /// The options of a run, as results and traces list them.
  package mutating func options(_ options: [TraceHeader.Option]) {
    key("options")
    beginArray()
    for option in options {
      beginObject()
      member("key", option.key)
      member("value", option.value)
      endObject()
    }
    endArray()
  }
}
