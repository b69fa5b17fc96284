package import Bench
package import Judging

extension JSONText {
  /// The options of a run, as results and traces list them.
  package mutating func options(_ options: [TraceHeader.Option]) {
    objects("options", options) { json, option in
      json.member("key", option.key)
      json.member("value", option.value)
    }
  }
}
