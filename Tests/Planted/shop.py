"""A shopping list that a keeper has and several shoppers share. `shop.py [name of the list]`"""
import sys

from bleapp import App, serve, READ, COMMAND, WRITE, NOTIFY, INDICATE

SERVICE = "5B0F0001-11A5-4C7E-9D00-7C0FFEE05B0F"
ORDER = "5B0F0002-11A5-4C7E-9D00-7C0FFEE05B0F"
NEWS = "5B0F0003-11A5-4C7E-9D00-7C0FFEE05B0F"
BELL = "5B0F0004-11A5-4C7E-9D00-7C0FFEE05B0F"
WHOLE = "5B0F0005-11A5-4C7E-9D00-7C0FFEE05B0F"
ADD, TICK, HELLO = 1, 2, 3
ITEM, DONE = 1, 2


class Member:
    """A shopper, as the keeper knows it."""

    def __init__(self, number):
        self.number, self.name = number, None
        self.wants, self.waiting, self.is_busy = set(), [], False


class Keeper(App):
    def __init__(self, hello):
        super().__init__(hello)
        self.list_name = sys.argv[1] if len(sys.argv) > 1 else "shop"
        self.members, self.items, self.done, self.taken = {}, {}, set(), set()
        self.last_id = 0

    def on_launched(self, given):
        self.publish()
        self.advertise()

    def publish(self):
        self.do("publish", service=SERVICE, characteristics=[
            {"uuid": ORDER, "properties": WRITE | COMMAND},
            {"uuid": NEWS, "properties": NOTIFY},
            {"uuid": BELL, "properties": INDICATE},
            {"uuid": WHOLE, "properties": READ}])
        self.renew()

    def advertise(self):
        self.do("advertise", localName=self.list_name, services=[SERVICE])

    def renew(self):
        self.do("setValue", characteristic=WHOLE, octets=",".join(self.items.values()).encode().hex())

    def on_radioPower(self, given):
        self.members = {}
        if given["on"]:
            self.publish()
            self.advertise()

    def on_connected(self, given):
        self.members[given["link"]] = Member(given["link"])
        self.advertise()

    def on_disconnected(self, given):
        self.members.pop(given["link"], None)
        self.advertise()

    def on_subscribed(self, given):
        member = self.members.get(given["link"])
        if member:
            (member.wants.add if given["on"] else member.wants.discard)(given["characteristic"])

    def on_valueReceived(self, given):
        member, octets = self.members.get(given["link"]), bytes.fromhex(given["octets"])
        if not member or given["characteristic"] != ORDER or len(octets) < 2:
            return
        if octets[0] == HELLO:
            member.name = octets[1:].decode(errors="replace")
            self.tell_whole(member)
        elif octets[0] == ADD:
            key = (member.name, octets[1])
            if key not in self.taken:
                self.taken.add(key)
                self.put(octets[2:].decode(errors="replace"))
        elif octets[0] == TICK:
            self.tick(octets[1])

    def put(self, text):
        self.last_id += 1
        self.items[self.last_id] = text
        self.show("item", text=text)
        self.renew()
        self.tell_all(NEWS, bytes([ITEM, self.last_id]) + text.encode())

    def tick(self, number):
        if number in self.items and number not in self.done:
            self.done.add(number)
            self.show("done", text=self.items[number])
            self.tell_all(NEWS, bytes([DONE, number]))

    def tell_whole(self, member):
        for number, text in self.items.items():
            self.tell(member, NEWS, bytes([ITEM, number]) + text.encode())
        for number in sorted(self.done):
            self.tell(member, NEWS, bytes([DONE, number]))

    def tell_all(self, characteristic, octets):
        for member in list(self.members.values()):
            if characteristic in member.wants and member.name:
                self.tell(member, characteristic, octets)

    def tell(self, member, characteristic, octets):
        member.waiting.append((characteristic, octets))
        self.proceed(member)

    def proceed(self, member):
        if member.waiting and not member.is_busy:
            member.is_busy = True
            characteristic, octets = member.waiting[0]
            self.do("notify", link=member.number, characteristic=characteristic, octets=octets.hex())

    def on_submitted(self, given):
        member = self.members.get(given["link"])
        if member:
            member.is_busy = False
            if given["accepted"]:
                member.waiting.pop(0)
                self.proceed(member)

    def on_readyToSend(self, given):
        member = self.members.get(given["link"])
        if member:
            self.proceed(member)

    def person_put(self, text):
        self.put(text)

    def person_call(self, text):
        self.tell_all(BELL, text.encode())


class Shopper(App):
    def __init__(self, hello):
        super().__init__(hello)
        self.list_name = sys.argv[1] if len(sys.argv) > 1 else "shop"
        self.attempt = self.limit = self.link = None
        self.is_known = self.is_ready = self.is_busy = False
        self.wanted, self.unsent, self.number, self.items, self.done = [], [], 0, {}, set()

    def on_launched(self, given):
        self.look()

    def look(self):
        self.do("scan", services=[SERVICE])

    def on_radioPower(self, given):
        self.forget()
        if given["on"]:
            self.look()

    def forget(self):
        if self.limit:
            self.cancel(self.limit)
        self.attempt = self.limit = self.link = None
        self.is_known = self.is_ready = self.is_busy = False
        self.unsent = [each for each in self.unsent if each[0] != HELLO]

    def on_discovered(self, given):
        if self.attempt or self.link is not None or given["localName"] != self.list_name:
            return
        self.do("stopScanning")
        self.attempt = given["address"]
        self.limit = self.after(10, self.give_up)
        self.do("connect", address=self.attempt)

    def give_up(self):
        self.do("cancelConnect", address=self.attempt)
        self.forget()
        self.look()

    def on_connectFailed(self, given):
        self.forget()
        self.after(1, self.look)

    def on_connected(self, given):
        self.forget()
        self.link = given["link"]
        self.do("exchangeMTU", link=self.link, attMTU=185)

    def on_attMTU(self, given):
        if given["link"] == self.link and not self.is_known:
            self.is_known = True
            self.do("discover", link=self.link, service=SERVICE)

    def on_servicesDiscovered(self, given):
        if given["link"] == self.link:
            self.wanted = [NEWS, BELL]
            self.subscribe()

    def subscribe(self):
        if self.wanted:
            self.do("subscribe", link=self.link, characteristic=self.wanted[0], on=True)
        else:
            self.is_ready = True
            self.unsent.insert(0, bytes([HELLO]) + self.name.encode())
            self.proceed()

    def on_subscribed(self, given):
        if given["link"] == self.link and self.wanted:
            if not given["on"]:
                self.after(0.5, self.subscribe)
                return
            self.wanted.pop(0)
            self.subscribe()

    def proceed(self):
        if self.is_ready and self.unsent and not self.is_busy:
            self.is_busy = True
            self.do("write", link=self.link, characteristic=ORDER, octets=self.unsent[0].hex())

    def on_writeCompleted(self, given):
        if given["link"] != self.link:
            return
        self.is_busy = False
        if given["error"] is None:
            self.unsent.pop(0)
            self.proceed()
        else:
            self.after(0.5, self.proceed)

    def on_disconnected(self, given):
        if given["link"] == self.link:
            self.forget()
            self.look()

    def on_valueReceived(self, given):
        octets = bytes.fromhex(given["octets"])
        if given["characteristic"] == BELL:
            self.show("called", text=octets.decode(errors="replace"))
        elif given["characteristic"] == NEWS and octets[0] == ITEM:
            if octets[1] not in self.items:
                self.items[octets[1]] = octets[2:].decode(errors="replace")
                self.show("item", text=self.items[octets[1]])
        elif given["characteristic"] == NEWS and octets[0] == DONE:
            if octets[1] in self.items and octets[1] not in self.done:
                self.done.add(octets[1])
                self.show("done", text=self.items[octets[1]])

    def on_valueRead(self, given):
        if given["link"] == self.link and given["octets"] is not None:
            self.show("list", text=bytes.fromhex(given["octets"]).decode(errors="replace"))

    def person_add(self, text):
        self.number += 1
        self.unsent.append(bytes([ADD, self.number]) + text.encode())
        self.proceed()

    def person_tick(self, text):
        for number, each in self.items.items():
            if each == text:
                self.unsent.append(bytes([TICK, number]))
        self.proceed()

    def person_refresh(self, **values):
        if self.is_ready:
            self.do("read", link=self.link, characteristic=WHOLE)


serve(lambda hello: {"keeper": Keeper, "shopper": Shopper}[hello["role"]](hello))
