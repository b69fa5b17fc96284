import AppSeam
import Bench

/// An app of which the bench knows no protocol: it has the words of the platform and no others.
struct WordlessApp: UnjudgedApp {
  let name = "phone"
  let roles = [RoleDescription(RoomOpening.phone, plural: "phones", leads: false)]
  let words = AppWords()

  func settings(_ tree: YAMLTree?, _ decoder: ScenarioDecoder) -> AppSettings { AppSettings(NoSettings.empty) }
}
