import sys
sys.path.append("../../../Examples/iut-python")

from bab.loop import serve
from bab.playing import Playing


class LineBefore(Playing):
    """Answers with the id of the newest line of its history, not with that of the line that is pending."""

    def tell(self, kind, payload):
        if kind == "LINE_COMPLETED" and self.history:
            payload = dict(payload, lineId=self.history[-1])
        super().tell(kind, payload)


serve(LineBefore, "the line before", [])
