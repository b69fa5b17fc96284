import AppSeam
import Bench
import SimKernel

extension ProtocolFileReader {
  mutating func readHabit(_ entry: YAMLTree.Entry) {
    guard let fields = decoder.fields(entry.value, .protocolHabit) else { return }
    let role = decoder.required("of", fields, .protocolHabit).flatMap { self.role($0, "role") }
    let event = decoder.required("when", fields, .protocolHabit).flatMap(shown)
    let does = decoder.required("does", fields, .protocolHabit)
    let seen = form.reports.filter { $0.name == event?.name }
    let actions = texts(does).compactMap { action($0, heard: seen) }
    if let does, texts(does).isEmpty {
      decoder.note(does.location, "“does” is empty; write what the person does, for example { say: hello }")
    }
    let after = fields["after"].flatMap { decoder.durationRange($0, "“after”") } ?? .seconds(1)...(.seconds(1))
    let limit = fields["at most"].flatMap { decoder.integer($0, "“at most”", 1...1_000_000) } ?? 1_000_000
    guard let role, let event, !actions.isEmpty else { return }
    let words = form.actions.filter { word in actions.contains { $0.what == word.name } }
    let problems = [form.problem(with: event, of: role)] + words.map { form.problem(with: $0, "done", of: [role]) }
    if let problem = problems.compactMap(\.self).first { return decoder.note(entry.keyLocation, problem) }
    form.people.append(ProtocolForm.Habit(role: role, event: event, actions: actions, after: after, limit: limit))
  }

  private func shown(_ tree: YAMLTree) -> EventForm? {
    guard let text = decoder.text(tree, "“when”") else { return nil }
    do throws(TypeReader.Refusal) {
      return try EventReader(form: form).event(text, verbs: [.shows])
    } catch {
      return decoder.refuse(tree.location, error.message)
    }
  }
}
