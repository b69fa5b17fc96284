import sys
sys.path.append("..")

from board import BELL, COMMAND, NEWS, NOTIFY, SAID, SERVICE, TOLD, WRITE, Room, serve

ENCRYPTED_SUBSCRIPTION = 16


class Locked(Room):
    def publish(self):
        rows = [(SAID, WRITE | COMMAND, 2), (TOLD, NOTIFY, ENCRYPTED_SUBSCRIPTION),
                (NEWS, NOTIFY, ENCRYPTED_SUBSCRIPTION), (BELL, WRITE, 2)]
        self.do("gatt.publish", service=1, type=SERVICE, primary=True, included=[], characteristics=[
            {"attribute": 2 + place, "type": uuid, "properties": properties, "permissions": permissions, "value": None,
             "descriptors": []} for place, (uuid, properties, permissions) in enumerate(rows)])

    def on_gatt_writesAsked(self, given):
        if given["needsAnswer"]:
            self.do("gatt.answer", request=given["request"], value="", error=None)
        for part in given["parts"]:
            self.on_valueReceived({"link": given["link"], "characteristic": given["type"], "octets": part["octets"]})


serve(Locked)
