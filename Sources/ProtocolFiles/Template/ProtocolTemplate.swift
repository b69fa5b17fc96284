/// The files that `babbench protocol new` writes: a chat, to be changed into something else.
package enum ProtocolTemplate {
  /// - Returns: nil for what is no name of a protocol: at most 24 lower case letters, digits and hyphens.
  package static func files(named name: String) -> [(path: String, text: String)]? {
    let octets = Array(name.utf8)
    let isWord = octets.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    guard isWord, octets.count <= 24, let first = octets.first, (0x61...0x7A).contains(first) else { return nil }
    return [
      ("\(name).yaml", protocolFile.replacing("NAME", with: name).replacing("ID", with: name.uppercased())),
      ("\(name)-room.yaml", scenario.replacing("NAME", with: name)),
      ("\(name)-iut.yaml", description.replacing("NAME", with: name)),
      ("\(name)_room.py", program.replacing("NAME", with: name)),
    ]
  }

  private static let protocolFile = """
    # A protocol in a file: Docs/own-protocol.md. babbench protocol explain NAME.yaml prints it as a page.
    protocol: NAME
    roles:
      room: { local name: NAME }
      guest: {}

    services:
      NAME:
        uuid: 6E400001-B5A3-F393-E0A9-E50E24DCCA9E
        of: room
        characteristics:
          said: { uuid: 6E400002-B5A3-F393-E0A9-E50E24DCCA9E, properties: [write] }
          told: { uuid: 6E400003-B5A3-F393-E0A9-E50E24DCCA9E, properties: [notify] }

    packets:
      hello: { by: guest, on: said, fields: { kind: u8 = 1, name: text u8 1..20 } }
      message: { by: guest, on: said, fields: { kind: u8 = 2, text: text 1..100 } }
      welcome: { by: room, on: told, fields: { kind: u8 = 3, name: text u8 } }
      line: { by: room, on: told, fields: { kind: u8 = 4, text: text } }

    actions:
      enter: { by: guest, values: { name: text } }
      say: { by: guest, values: { text: text } }
    reports:
      welcomed: { by: guest, values: { name: text } }
      line: { by: guest, values: { text: text } }

    clauses:
      ID 1: A guest MUST say hello before anything else.
      ID 2: The room MUST welcome a guest by the name of its hello, within a second.
      ID 3: The room MUST tell every line to every guest.
      ID 4: A guest MUST show what it is told, in the order of the room.

    claims:
      EnteringSaysHello:
        { clause: ID 1, of: guest, when: does enter, then: sends hello where name = enter.name, within: 2s }
      WelcomesAnswer: { clause: ID 2, of: room, never: sends welcome, before: hears hello }
      GuestsAreWelcomed:
        { clause: ID 2, of: room, when: hears hello, then: sends welcome where name = hello.name, within: 1s }
      WelcomesAreShown:
        { clause: ID 4, of: guest, when: hears welcome, then: shows welcomed where name = welcome.name, within: 1s }
      WhatIsSaidIsSent:
        { clause: ID 3, of: guest, when: does say, then: sends message where text = say.text, within: 2s }
      EveryoneIsTold:
        clause: ID 3
        of: room
        when: hears message
        then: sends line where text = message.text
        to: every link
        within: 2s
      LinesAreShown: { clause: ID 4, of: guest, when: hears line, then: shows line where text = line.text, within: 1s }
      GuestsSeeTheSame: { clause: ID 4, of: guest, agree: shows line }

    purposes:
      ID/ROOM/HELLO/BV-01:
        text: A room welcomes a guest by its name.
        clause: ID 2
        role: room
        steps:
          - tester joins
          - tester sends: { hello: { name: ann } }
          - tester hears: welcome where name = ann
      ID/ROOM/LINE/BV-01:
        text: A room tells a line to every guest.
        clause: ID 3
        role: room
        testers: 2
        steps:
          - tester-1 joins
          - tester-2 joins
          - tester-1 sends: { hello: { name: ann } }
          - tester-2 sends: { hello: { name: bob } }
          - tester-1 sends: { message: { text: hi } }
          - tester-1 hears: line where text = hi
          - tester-2 hears: line where text = hi
      ID/ROOM/HELLO/BI-01:
        text: A room tells nobody what is no packet.
        clause: ID 3
        role: room
        steps:
          - tester joins
          - tester sends octets: { said: ff00 }
          - tester hears no: line
          - tester sends: { hello: { name: ann } }
          - tester hears: welcome
      ID/GUEST/HELLO/BV-01:
        text: A guest says hello when its person enters, and shows the welcome.
        clause: [ID 1, ID 4]
        role: guest
        steps:
          - tester joins
          - user: { enter: ann }
          - tester hears: hello where name = ann
          - tester sends: { welcome: { name: ann } }
          - iut shows: welcomed where name = ann

    """

  private static let scenario = """
    name: a chat of three guests
    protocol: ./NAME.yaml
    devices:
      room: { phone: iphone }
      guest: { count: 3, phone: android }
    steps:
      - { after: 6s, guest-1: { enter: ann } }
      - { after: 200ms, guest-2: { enter: bob } }
      - { after: 200ms, guest-3: { enter: cleo } }
      - { after: 1s, guest-1: { say: hello } }
      - { after: 1s, guest-2: { say: good evening } }
    expect:
      - { that: all guests show welcomed, within: 15s }
      - { that: all guests have at least 2 lines, within: 20s }
    duration: 20s

    """

  private static let description = """
    # What babbench conform tests: the program below, as a room.
    name: my NAME room
    protocol: ./NAME.yaml
    role: room
    command: [python3, NAME_room.py]

    """

  private static let program = #"""
    """The room of the NAME protocol as a program: one line of JSON for each line that the bench writes."""
    import json
    import sys

    SERVICE = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
    SAID = "6E400002-B5A3-F393-E0A9-E50E24DCCA9E"
    TOLD = "6E400003-B5A3-F393-E0A9-E50E24DCCA9E"
    WRITE, NOTIFY = 8, 16

    subscribed = []  # links that want to be told
    waiting = {}     # by link: values that are still to be sent, the first of them is with the phone


    def tell(link, octets):
        queue = waiting.setdefault(link, [])
        queue.append(octets)
        return [notify(link, octets)] if len(queue) == 1 else []


    def notify(link, octets):
        return {"name": "notify", "link": link, "characteristic": TOLD, "octets": octets.hex()}


    def advertise():
        return {"name": "advertise", "localName": "NAME", "services": [SERVICE]}


    def heard(link, octets):
        if len(octets) > 2 and octets[0] == 1 and octets[1] == len(octets) - 2:
            return tell(link, bytes([3]) + octets[1:])
        if len(octets) > 1 and octets[0] == 2:
            return [effect for other in subscribed for effect in tell(other, bytes([4]) + octets[1:])]
        return []


    def handle(given):
        name, link = given["name"], given.get("link")
        if name == "launched":
            characteristics = [{"uuid": SAID, "properties": WRITE}, {"uuid": TOLD, "properties": NOTIFY}]
            return [{"name": "publish", "service": SERVICE, "characteristics": characteristics}, advertise()]
        if name == "connected":
            return [advertise()]  # phones of the bench go on by themselves, others may not
        if name == "subscribed":
            (subscribed.append if given["on"] else subscribed.remove)(link)
        if name == "disconnected":
            if link in subscribed:
                subscribed.remove(link)
            waiting.pop(link, None)
        if name == "submitted" and given["accepted"]:
            queue = waiting.get(link, [])
            queue[:1] = []
            return [notify(link, queue[0])] if queue else []
        if name == "readyToSend":
            return [notify(link, waiting[link][0])] if waiting.get(link) else []
        if name == "valueReceived":
            return heard(link, bytes.fromhex(given["octets"]))
        return []


    def say(message):
        print(json.dumps(message), flush=True)


    sys.stdin.readline()
    say({"name": "hello", "protocol": 1, "implementation": "NAME room 1"})
    for line in sys.stdin:
        given = json.loads(line)
        say({"at": given["at"], "effects": handle(given)})

    """#
}
