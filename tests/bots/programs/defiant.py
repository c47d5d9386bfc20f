"""A bot that gives a support as France in the first season, even if it may not, and no other orders."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "bots", "python"))
from upheaval_bot import Bot  # noqa: E402


class Defiant(Bot):
    name = "defiant"

    def movement(self, game, request):
        if game.power == "FRANCE" and request["phase"] == "S1901M":
            return ["A MAR - BUR", "A PAR S A MAR - BUR"]
        return []

    def retreats(self, game, request):
        return []

    def adjustments(self, game, request):
        return []


Defiant().run()
