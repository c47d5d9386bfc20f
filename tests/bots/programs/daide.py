"""A client that speaks DAIDE, written from the published documents alone, for tests of the server.

    daide.py WHAT -sHOST -pPORT

WHAT is its behaviour: `plays`, or one of the mistakes of clients. It checks the server against the protocol: an
answer that the documents do not allow ends it with a traceback.
"""

import random
import socket
import struct
import sys
import time

WORDS = {
    0x41: "AUS ENG FRA GER ITA RUS TUR",
    0x42: "AMY FLT",
    0x45: "SUC BNC CUT DSR FLD NSO RET",
    0x47: "SPR SUM FAL AUT WIN",
    0x48: "CCD DRW FRM GOF HLO HST HUH IAM LOD MAP MDF MIS NME NOT NOW OBS OFF ORD OUT PRN REJ SCO SLO SND SUB SVE "
    "THX TME YES ADM SMR",
    0x49: "AOA BTL ERR LVL MRT MTL NPB NPR PDA PTL RTL UNO",
    0x50: "BOH BUR GAL RUH SIL TYR UKR",
}
NUMBERED = {
    "(": 0x4000, ")": 0x4001,
    "CTO": 0x4320, "CVY": 0x4321, "HLD": 0x4322, "MTO": 0x4323, "SUP": 0x4324, "VIA": 0x4325, "DSB": 0x4340,
    "RTO": 0x4341, "BLD": 0x4380, "REM": 0x4381, "WVE": 0x4382, "MBV": 0x4400, "FAR": 0x4404,
    "NCS": 0x4600, "ECS": 0x4604, "SCS": 0x4608, "WCS": 0x460C,
}
PROVINCES = [
    (0x50, "BOH BUR GAL RUH SIL TYR UKR"),
    (0x51, "BUD MOS MUN PAR SER VIE WAR"),
    (0x52, "ADR AEG BAL BAR BLA EAS ECH GOB GOL HEL ION IRI MAO NAO NTH NWG SKA TYS WES"),
    (0x54, "ALB APU ARM CLY FIN GAS LVN NAF PIC PIE PRU SYR TUS WAL YOR"),
    (0x55, "ANK BEL BER BRE CON DEN EDI GRE HOL KIE LON LVP MAR NAP NWY POR ROM RUM SEV SMY SWE TRI TUN VEN"),
    (0x57, "BUL SPA STP"),
]


class Client:
    def __init__(self, what, host, port):
        self.what = what
        self.codes = dict(NUMBERED)
        for category, words in WORDS.items():
            for number, word in enumerate(words.split()):
                self.codes[word] = category * 256 + number
        number = 0
        for category, words in PROVINCES:
            for word in words.split():
                self.codes[word] = category * 256 + number
                number += 1
        self.socket = socket.create_connection((host, port))
        self.random = random.Random(1)
        self.ways, self.centres, self.power = {}, {}, None
        self.seen, self.results, self.wrong = {}, [], 0
        self.ordered, self.late = {}, False

    # The connection.

    def send_frame(self, kind, data):
        self.socket.sendall(struct.pack(">BBH", kind, 0, len(data)) + data)

    def bytes(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def read_frame(self):
        kind, _, length = struct.unpack(">BBH", self.bytes(4))
        return kind, self.bytes(length)

    def name_the_tokens(self, data):
        """Another board has other powers and provinces."""
        if data:
            self.codes = {word: code for word, code in self.codes.items()
                          if code >> 8 != 0x41 and not 0x50 <= code >> 8 <= 0x57}
        for at in range(0, len(data), 6):
            code, name, zero = struct.unpack(">H3sB", data[at:at + 6])
            assert zero == 0 and name.decode() not in self.codes, name
            self.codes[name.decode()] = code
        self.names = {code: word for word, code in self.codes.items()}
        assert len(self.names) == len(self.codes)

    # The language: lists of words, numbers, strings in quotes, and lists.

    def encode(self, message):
        data = b""
        for part in message:
            if isinstance(part, list):
                data += self.encode(["("]) + self.encode(part) + self.encode([")"])
            elif isinstance(part, int):
                data += struct.pack(">H", part & 0x3FFF)
            elif part.startswith("'"):
                data += b"".join(struct.pack(">H", 0x4B00 + byte) for byte in part.strip("'").encode())
            else:
                data += struct.pack(">H", self.codes[part])
        return data

    def decode(self, data):
        stack = [[]]
        for (code,) in struct.iter_unpack(">H", data):
            if code == 0x4000:
                stack.append([])
            elif code == 0x4001:
                part = stack.pop()
                stack[-1].append(part)
            elif code < 0x4000:
                stack[-1].append(code - 0x4000 if code >= 0x2000 else code)
            elif code >> 8 == 0x4B:
                letter = chr(code & 0xFF)
                text = stack[-1][-1] if stack[-1] and str(stack[-1][-1]).startswith("'") else None
                if text is None:
                    stack[-1].append("'" + letter)
                else:
                    stack[-1][-1] = text + letter
            else:
                stack[-1].append(self.names.get(code, f"#{code:04X}"))
        assert len(stack) == 1, "brackets"
        return stack[0]

    def say(self, *message):
        self.send_frame(2, self.encode(list(message)))

    # The game.

    def run(self):
        greeted = time.monotonic()
        if self.what == "rubbish":
            self.socket.sendall(b"GET / HTTP/1.1\r\n\r\n")
        elif self.what == "little-endian":
            self.send_frame(0, struct.pack("<HH", 1, 0xDA10))
        elif self.what == "no-greeting":
            self.send_frame(2, struct.pack(">H", 0x4804))
        else:
            self.send_frame(0, struct.pack(">HH", 1, 0xDA10))
        kind, data = self.read_frame()
        if kind == 4:
            print("told of error", struct.unpack(">H", data)[0], file=sys.stderr)
            sys.exit(1)
        assert kind == 1, "a representation message"
        assert time.monotonic() - greeted >= 0.15, "the answer comes before some programs listen for it"
        self.name_the_tokens(data)
        self.say("NME", ["'Walker'"], ["'1.0'"])
        while True:
            kind, data = self.read_frame()
            if kind == 3:
                return
            assert kind == 2, kind
            message = self.decode(data)
            if message[0] == "OFF":
                return
            answer = getattr(self, "told_" + message[0], None)
            assert answer, message
            answer(*message[1:])

    def told_YES(self, what):
        pass

    def told_REJ(self, what):
        # Late orders are rejected.
        assert self.what == "slow" and what[0] == "SUB" and what[1] != self.turn, what
        self.late = True

    def told_MAP(self, name):
        if self.what == "rejects":
            self.say("REJ", ["MAP", name])
        elif self.what == "watches":
            self.say("OBS")
        else:
            self.map = name
            self.say("MDF")

    def told_MDF(self, powers, provinces, ways):
        for owners, *centres in provinces[0]:
            for centre in centres:
                self.centres[centre] = owners if isinstance(owners, list) else [owners]
        for province, *units in ways:
            for unit, *places in units:
                coast = unit[1] if isinstance(unit, list) else None
                kind = unit[0] if isinstance(unit, list) else unit
                self.ways[kind, self.place(province, coast)] = places
        assert len(ways) == len(self.centres) + len(provinces[1])
        self.say("YES", ["MAP", self.map])

    @staticmethod
    def place(province, coast):
        return (province, coast) if coast else province

    @classmethod
    def hashed(cls, place):
        return tuple(place) if isinstance(place, list) else place

    def told_HLO(self, power, passcode, options):
        self.power = power[0]
        self.random = random.Random(passcode[0])
        assert ["LVL", 0] in options, options
        if self.what == "silent":
            self.say("TME", [1])

    def told_SCO(self, *owners):
        self.owners = {centre: power for power, *centres in owners for centre in centres}
        assert len(self.owners) == len(self.centres), "every centre is there once"

    def told_TME(self, seconds):
        assert seconds[0] > 0

    def told_ORD(self, turn, order, result):
        # It may not have received the position of a turn in which this power had nothing to decide.
        if turn == self.turn:
            self.results.append((order, result))
        else:
            assert turn[0] not in ("SPR", "FAL"), f"ORD of {turn} after NOW of {self.turn}"

    def told_SLO(self, power):
        self.over = True

    def told_DRW(self):
        self.over = True

    def told_SMR(self, turn, *powers):
        assert self.over
        assert self.late or self.what != "slow"
        assert any(name == ["'Walker"] for _, name, *_ in powers), powers
        for line in powers:
            assert line[3] > 0 or len(line) == 5, f"a power without centres has been eliminated since a year: {line}"

    def told_NOW(self, turn, *units):
        self.check_results()
        self.turn, self.units, self.results, self.wrong = turn, units, [], 0
        if self.what == "leaves" and turn[0] == "FAL":
            sys.exit(0)
        if self.what == "slow" and turn[0] == "FAL":
            time.sleep(1.5)
        if self.what == "babbles" and turn[0] == "FAL":
            self.send_frame(9, b"")
        own = [unit for unit in units if unit[0] == self.power]
        if turn[0] in ("SPR", "FAL"):
            orders = [self.movement(unit) for unit in own]
        elif turn[0] in ("SUM", "AUT"):
            orders = [self.retreat(unit) for unit in own if len(unit) > 3]
        else:
            orders = self.adjustments(own)
        self.ordered = {str(order[0]): order for order in orders}
        if orders and self.what != "silent":
            # The first half of the orders, to receive the list of missing ones.
            half = len(orders) // 2 if self.what != "slow" else 0
            if half:
                self.say("SUB", *orders[:half])
            self.say("SUB", turn, *orders[half:])

    def check_results(self):
        """One result for each unit that was seen before a movement, and its order as it was given."""
        if not self.results:
            return
        if self.turn[0] == "WIN":
            self.check_adjustments()
        if self.turn[0] not in ("SPR", "FAL"):
            return
        seen = sorted(str(unit) for unit in self.units)
        told = sorted(str(order[0]) for order, _ in self.results)
        assert seen == told, f"{seen} and {told}"
        for order, _ in self.results:
            given = self.ordered.get(str(order[0]))
            assert given is None or self.what != "plays" or given == order, f"{given} became {order}"

    def check_adjustments(self):
        """One result for each build, waived build or removal of every power."""
        for power in set(self.owners.values()) - {"UNO"} | {unit[0] for unit in self.units}:
            centres = sum(owner == power for owner in self.owners.values())
            units = sum(unit[0] == power for unit in self.units)
            orders = [order for order, _ in self.results if power in (order[0], order[0][0])]
            assert len(orders) == abs(centres - units), f"{power}: {centres} centres, {units} units, {orders}"

    def movement(self, unit):
        _, kind, place = unit
        places = self.ways[kind, self.hashed(place)]
        others = [other for other in self.units if other[2] != place and self.reaches(places, other[2])]
        lot = self.random.random()
        if lot < 0.15 and others:
            return [unit, "SUP", self.random.choice(others)]
        convoy = self.convoy(unit) if lot < 0.4 and kind == "AMY" else None
        if convoy:
            return convoy
        if lot < 0.9 and places:
            return [unit, "MTO", self.random.choice(places)]
        return [unit, "HLD"]

    @staticmethod
    def reaches(places, place):
        province = place[0] if isinstance(place, list) else place
        return any((to[0] if isinstance(to, list) else to) == province for to in places)

    def convoy(self, unit):
        """By one fleet to a coast, if there is a fleet in an adjacent sea."""
        for fleet in self.units:
            sea = fleet[2]
            ways = self.ways.get(("FLT", self.hashed(sea)), [])
            if fleet[1] == "FLT" and isinstance(sea, str) and ("AMY", sea) not in self.ways \
                    and self.reaches(ways, unit[2]):
                coasts = [to for to in ways if isinstance(to, str) and ("AMY", to) in self.ways and to != unit[2]]
                if coasts:
                    return [unit, "CTO", self.random.choice(coasts), "VIA", [sea]]
        return None

    def retreat(self, unit):
        bare, places = unit[:3], unit[4]
        return [bare, "RTO", self.random.choice(places)] if places else [bare, "DSB"]

    def adjustments(self, own):
        centres = [centre for centre, power in self.owners.items() if power == self.power]
        builds = len(centres) - len(own)
        if builds < 0:
            return [[unit, "REM"] for unit in own[:-builds]]
        taken = [self.hashed(unit[2]) for unit in self.units]
        taken = [place[0] if isinstance(place, tuple) else place for place in taken]
        free = [centre for centre in centres if self.power in self.centres[centre] and centre not in taken]
        orders = [[[self.power, "AMY", centre], "BLD"] for centre in free[:builds]]
        return orders + [[self.power, "WVE"]] * (builds - len(orders))

    def told_THX(self, order, note):
        assert note == ["MBV"], (order, note)

    def told_MIS(self, *missing):
        assert missing, "something is missing"


if __name__ == "__main__":
    arguments = {argument[:2]: argument[2:] for argument in sys.argv[2:]}
    Client(sys.argv[1], arguments["-s"], int(arguments["-p"])).run()
