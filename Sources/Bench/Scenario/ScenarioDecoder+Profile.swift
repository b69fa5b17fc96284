import SimKernel
package import VirtualRadio

/// Profiles: reading one, and finding the phone or the room that a scenario names.
extension ScenarioDecoder {
  /// Whether a text names a profile and no preset: `phones.yaml`, `phones.yaml#central`.
  package static func isReference(_ text: String) -> Bool {
    text.contains("#") || text.hasSuffix(".yaml") || text.hasSuffix(".yml")
  }

  /// A preset by name, or a preset with single values changed.
  package func phone(_ tree: YAMLTree) -> PhonePreset? {
    preset(tree, Keys.phone, .ideal, named: phonePreset)
  }

  /// A phone by the name of a preset, or as `profile.yaml#name`.
  private func phonePreset(_ tree: YAMLTree) -> PhonePreset? {
    guard let text = text(tree, "phone") else { return nil }
    guard Self.isReference(text) else {
      guard KeyTable.phoneNames.contains(text) else {
        return refuse(
          tree.location,
          "phone “\(shown(text))” does not exist; "
            + (Suggestion.question(for: text, in: KeyTable.phoneNames)
              ?? "write " + Suggestion.alternatives(KeyTable.phoneNames + ["“profile.yaml#name” for one of a profile"]))
        )
      }
      return PhonePreset.named(text)
    }
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let profile = profile(at: parts[0], named: tree.location) else { return nil }
    let names = profile.phones.map(\.name)
    guard parts.count == 2 else {
      if names.count == 1 { return profile.phones[0].preset }
      return refuse(
        tree.location,
        "“\(shown(text))” has several phones; write "
          + Suggestion.alternatives(names.map { "“\(shown(parts[0]))#\($0)”" }))
    }
    if let phone = profile.phones.first(where: { $0.name == parts[1] }) { return phone.preset }
    return refuse(
      tree.location,
      "“\(shown(parts[0]))” has no phone “\(shown(parts[1]))”; \(Suggestion.advice(for: parts[1], in: names))")
  }

  /// The room of a profile.
  func profileRoom(_ text: String, _ tree: YAMLTree) -> RadioEnvironment? {
    guard !text.contains("#") else {
      return refuse(
        tree.location, "a profile has one room; write “\(shown(String(text.prefix { $0 != "#" })))” without “#”")
    }
    guard let profile = profile(at: text, named: tree.location) else { return nil }
    if profile.radio == nil { note(tree.location, "“\(shown(text))” has no “radio”; write the name of a preset") }
    return profile.radio
  }

  /// A profile by its path, read once; its own problems are told with its own name.
  private func profile(at path: String, named location: SourceLocation) -> PhoneProfile? {
    if let known = loadedProfiles.first(where: { $0.path == path }) { return known.profile }
    var loaded: PhoneProfile?
    if path.isEmpty {
      note(location, "the profile's file is missing; write “profile.yaml#name”")
    } else {
      switch profiles.octets(path).flatMap({ PhoneProfile.read(octets: $0, file: profiles.name(path)) }) {
      case .success(let profile): loaded = profile
      case .failure(let problems):
        note(
          location,
          "the profile “\(shown(path))” cannot be used; it has "
            + CountedNoun.text(problems.list.count + problems.omitted, "problem"))
        adopt(problems)
      }
    }
    loadedProfiles.append((path, loaded))
    return loaded
  }

  // MARK: Reading one

  func profile(_ tree: YAMLTree) -> PhoneProfile? {
    guard let fields = fields(tree, .profile) else { return nil }
    guard let name = required("profile", fields, .profile).flatMap({ text($0, "“profile”") }) else { return nil }
    var profile = PhoneProfile(name: name)
    if let tree = fields["summary"] { _ = text(tree, "“summary”") }
    if let tree = fields["captures"] {
      _ = ValueForm.list(Keys.profileCapture.form).read(self, tree, "“captures”")
    }
    if let tree = required("phones", fields, .profile) { profile.phones = phones(tree, of: name) }
    if let tree = fields["radio"] {
      var scenario = Scenario(name: name, devices: [])
      room(tree, into: &scenario)
      profile.radio = scenario.radio
    }
    if let tree = fields["measured"] {
      profile.measured = ValueForm.list(Keys.measurement.form).read(self, tree, "“measured”") ?? []
    }
    return profile
  }

  private func phones(_ tree: YAMLTree, of profile: String) -> [PhoneProfile.Phone] {
    guard case .mapping(let entries) = tree.value, !entries.isEmpty else {
      note(
        tree.location, "“phones” must be a mapping of names, not \(tree.kindName); write “central: { att mtu: 185 }”")
      return []
    }
    return entries.compactMap { entry in
      let isName =
        !entry.key.isEmpty
        && entry.key.utf8.allSatisfy {
          (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
        }
      guard isName else {
        return refuse(entry.keyLocation, "“\(shown(entry.key))” is no phone's name; write a-z, 0-9 and “-”")
      }
      guard var preset = phone(entry.value) else { return nil }
      preset.name = "\(profile)#\(entry.key)"
      return PhoneProfile.Phone(name: entry.key, preset: preset)
    }
  }
}
