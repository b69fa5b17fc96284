import AppSeam
import Bench

/// The keys of a protocol file.
extension KeyTable {
  static let protocolFile = KeyTable(
    id: "protocol", title: "a protocol file",
    keys: [
      Key("protocol", .text, "its name in scenarios and on the command line: lower case, one word", isRequired: true),
      Key("title", .text, "its name for people; default the name"),
      Key("byte order", .word(["little", "big"]), "of numbers that say nothing else; default little"),
      Key("roles", .mapping(of: .table("protocolRole")), "who takes part", isRequired: true),
      Key("services", .mapping(of: .table("protocolService")), "GATT services by name", isRequired: true),
      Key("packets", .mapping(of: .table("protocolPacket")), "kinds of packet by name", isRequired: true),
      Key("actions", .mapping(of: .table("protocolWord")), "what people do, by name"),
      Key("reports", .mapping(of: .table("protocolWord")), "what screens show, by name"),
      Key("clauses", .mapping(of: .text), "what its document asks for, by number, for example “CHAT 1”"),
      Key("claims", .mapping(of: .table("protocolClaim")), "what holds in every run, by a name in upper camel case"),
      Key("people", .mapping(of: .table("protocolHabit")), "what people do by themselves, by any name"),
      Key("features", .mapping(of: .text), "what an implementation may do or not, by name: items of its ICS"),
      Key(
        "arrangements", .mapping(of: .list(.either([.text, .mapping(of: .text)]))),
        "steps that purposes have in common, by name"),
      Key("purposes", .mapping(of: .table("protocolPurpose")), "test purposes by their id"),
    ])

  static let protocolHabit = KeyTable(
    id: "protocolHabit", title: "what people do",
    keys: [
      Key("of", .text, "the role whose people do it", isRequired: true),
      Key("when", .text, "what their app shows, for example “shows line where from = ann”", isRequired: true),
      Key(
        "does", .either([.text, .mapping(of: .text), .list(.either([.text, .mapping(of: .text)]))]),
        "an action, or a list of which one is drawn", isRequired: true),
      Key("after", .duration, "how long they think, or a range such as 500ms..2s; default 1s"),
      Key("at most", .integer(1, 1_000_000), "how often each of them does it; default without a limit"),
    ])

  static let protocolRole = KeyTable(
    id: "protocolRole", title: "a role",
    keys: [
      Key("plural", .text, "how scenarios call all of them; default the name and an s"),
      Key("leads", .boolean, "others join it; default: whether it publishes a service"),
      Key("advertises", .list(.text), "services that it advertises, by name; default those that it publishes"),
      Key("local name", .text, "that it advertises; default none"),
    ])

  static let protocolService = KeyTable(
    id: "protocolService", title: "a service",
    keys: [
      Key("uuid", .text, "16 bits as 4 digits, or 128 bits", isRequired: true),
      Key("of", .text, "the role that publishes it", isRequired: true),
      Key("characteristics", .mapping(of: .table("protocolCharacteristic")), "by name", isRequired: true),
    ])

  static let protocolCharacteristic = KeyTable(
    id: "protocolCharacteristic", title: "a characteristic",
    keys: [
      Key("uuid", .text, "16 bits as 4 digits, or 128 bits", isRequired: true),
      Key(
        "properties", .list(.word(ServiceDefinition.Properties.names.map(\.name))), "what clients may do",
        isRequired: true),
      Key(
        "framing", .either([.word(["none", "lines"]), .table("protocolFraming")]),
        "how values carry packets; default none: a value is a packet"),
    ])

  static let protocolFraming = KeyTable(
    id: "protocolFraming", title: "a framing",
    keys: [
      Key("length", .text, "a number before each packet in a stream of values, for example u16 be"),
      Key("at", .integer(0, 64), "octets before the length, where it is part of the packet; default none: it is not"),
      Key("extra", .integer(0, 1_024), "octets of the packet that its length does not count; default none"),
      Key("begins", .text, "hexadecimal octets with which every such packet begins; what is between them is ignored"),
      Key("fragments", .list(.text), "the header of each value, for example [id u16 be, index u8, count u8]"),
    ])

  static let protocolPacket = KeyTable(
    id: "protocolPacket", title: "a packet",
    keys: [
      Key("by", .either([.text, .list(.text)]), "the roles that send it", isRequired: true),
      Key("on", .text, "the characteristic, by name", isRequired: true),
      Key("fields", .mapping(of: .text), "binary fields in their order, for example name: text u8"),
      Key("json", .mapping(of: .text), "members of a JSON object, for example name: text optional"),
    ])

  static let protocolWord = KeyTable(
    id: "protocolWord", title: "an action or a report",
    keys: [
      Key("by", .either([.text, .list(.text)]), "the roles that have it; default all"),
      Key(
        "values", .mapping(of: .word(ProtocolForm.ValueType.allCases.map(\.rawValue))),
        "its values by name; default none"),
    ])

  static let protocolClaim = KeyTable(
    id: "protocolClaim", title: "a claim",
    keys: [
      Key("text", .text, "in a sentence; default its events"),
      Key("clause", .text, "the clause that it judges", isRequired: true),
      Key("of", .text, "the role that it is about", isRequired: true),
      Key("when", .text, "an event, for example “hears join”"),
      Key("then", .text, "the event that must follow, for example “sends welcome where name = join.name”"),
      Key(
        "to", .word(["the same link", "every link"]),
        "where “then” is sent; default the same link, if “when” has one"),
      Key("within", .duration, "of “then”, while the app could do it; of “event”, the span that counts"),
      Key("never", .text, "an event that must not come"),
      Key("before", .text, "of “never”: the event without which it must not come"),
      Key(
        "after", .text,
        "of “never”: the event after which it must not come; of “when”: only links count on which it has come"),
      Key("at most", .integer(0, 1_000_000), "how often “event” may come"),
      Key(
        "for each", .text,
        "a field: of “at most”, each value is counted by itself; of “agree”, events with one value are the same"),
      Key("event", .text, "of “at most” and “rises”"),
      Key("rises", .text, "a field of “event” that never falls"),
      Key(
        "with", .text,
        "an event whose newest fields conditions may name, for example “shows turn” for “player != turn.player”"),
      Key("agree", .text, "an event that is the same on all devices of the role, in one order"),
    ])

  static let protocolPurpose = KeyTable(
    id: "protocolPurpose", title: "a test purpose",
    keys: [
      Key("text", .text, "what is tested, in a sentence", isRequired: true),
      Key("clause", .either([.text, .list(.text)]), "what it tests", isRequired: true),
      Key("role", .text, "the role of the implementation", isRequired: true),
      Key("needs", .either([.text, .list(.text)]), "features without which it does not apply; default none"),
      Key("testers", .integer(1, 8), "devices that the bench plays; default 1"),
      Key(
        "arrange", .either([.text, .list(.either([.text, .mapping(of: .text)]))]),
        "what comes before the steps: arrangements by name, or steps; what goes wrong there is no verdict"),
      Key("steps", .list(.either([.text, .mapping(of: .text)])), "one after the other", isRequired: true),
    ])

  /// All of a protocol file, for the schema.
  static let protocolTables = [
    protocolFile, protocolRole, protocolService, protocolCharacteristic, protocolFraming, protocolPacket, protocolWord,
    protocolClaim, protocolHabit, protocolPurpose,
  ]
}
