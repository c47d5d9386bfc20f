# Writes a file of each kind, and prints for each how many of its numbers are tried, and the commands that read it.
cp "$REPO/maps/standard.json" map.json
cp "$REPO/tests/replays/black-hole.json" game.json
cp "$REPO/tests/data/people/status.json" status.json
sed 's/^id = "black-hole"/id = "own"/' "$REPO/variants/black-hole.toml" > own.toml
experiment() {
  printf 'name = "%s"\nvariants = [%s]\nseed = 1\nlast_year = 1901\nthreads = 1\n' "$1" "$2"
  cat
}
experiment own '"own.toml"' > of-own.toml << END
games = 7
seats.all = "hold"
END
experiment e '"black-hole"' > experiment.toml << END
games = 7
log.orders = true
[stop]
lead = 4
years = 3
still = 1
[faults]
policy = "void-and-replay-same-line-up"
tries = 3
[seats]
all = "mine"
[bots.mine]
command = ["true"]
move_ms = 5000
stall_ms = 10000
memory_mb = 100
cpu_s = 100
processes = 10
file_mb = 10
[[sweep]]
parameter = "changes.holes.count"
values = [1, 2]
END
experiment t '"standard"' > tournament.toml << END
entrants = ["hold", "random"]
format = "one-against-rest"
blocks = 1
END
experiment m '"standard"' > match.toml << END
entrants = ["hold", "random"]
effect = 50
alpha = 0.05
beta = 0.05
max_blocks = 20
END
experiment f '"standard", "black-hole"' > search.toml << END
[[sweep]]
parameter = "changes.holes.count"
values = [1, 2]
[tune]
objective = "fairness.centres"
bots = ["hold"]
budget = 200
blocks = { first = 4, most = 4 }
check = { blocks = 4 }
within = { length = [1, 3] }
END
experiment p '"standard"' > played.toml << END
games = 7
log.orders = true
seats.all = "greedy"
END
# The games end after their first year, but they might take longer, so that a chunk has 16.
experiment long '"standard"' << END | sed 's/^last_year = 1901/last_year = 9999/' > long.toml
games = 700000
stop = { lead = 1, years = 1 }
seats.all = "hold"
END
cat > request.jsonl << END
{"id": 1, "variant": "black-hole", "parameters": {"changes.holes.count": 2}, "phase": "S1901M", "powers": {"FRANCE": {"units": ["A PAR"], "centers": ["PAR"]}}, "orders": {"FRANCE": ["A PAR - BUR"]}, "nature": {"seed": 5, "block": 2}}
END
cat > ring.map << END
BEGIN SPRING 1901 MOVEMENT
VICTORY 3
RED AA
BLUE BB
WATER SS ABUTS AA BB CC
COAST AA ABUTS BB CC SS
COAST BB ABUTS AA CC SS
COAST CC ABUTS AA BB SS
END
square() {
  printf '{"type": "Feature", "properties": {"code": "%s", "kind": "%s"}, ' "$1" "$2"
  printf '"geometry": {"type": "Polygon", "coordinates": [[[%d, %d], [%d, %d], [%d, %d], [%d, %d], [%d, %d]]]}}%s' \
    "$3" "$4" $(($3 + 1)) "$4" $(($3 + 1)) $(($4 + 1)) "$3" $(($4 + 1)) "$3" "$4" "$5"
}
{
  printf '{"type": "FeatureCollection", "features": ['
  square AAA land 0 0 ', '
  square BBB land 1 0 ', '
  square CCC sea 0 1 ', '
  square DDD land 1 1 ']}'
} > board.geojson
# A bot in Python, with the numbers of its replies.
cat > replies.py << END
import json
import sys

for line in sys.stdin:
    said = json.loads(line)
    same = {key: said.get(key) for key in ("game", "phase", "topology_hash")}
    answers = {
        "hello": {"type": "id", "game": None, "protocol": 1, "name": "holds"},
        "isready": {"type": "readyok", "game": said["game"], "more": 7},
        "orders?": {"type": "orders", "orders": [], "more": [1, {"and": 2}], **same},
    }
    if said["type"] in answers:
        print(json.dumps(answers[said["type"]]), flush=True)
END
upheaval run played.toml --quiet --out played > written
run=$(echo played/*)
upheaval run played.toml --quiet --out shards --shard 1/2 > written
shard=$(echo shards/*)
upheaval replay "$run" 0 --saved-game saved.json > written
# A run that is killed once its journal has a chunk.
upheaval run long.toml --quiet --out begun > written 2>&1 &
for moment in $(seq 9999); do
  test "$(cat begun/.*.journal 2> nothing | wc -l)" -gt 2 && break
  sleep 0.02
done
kill -KILL $!
wait $! 2> nothing || true
cat << END
map.json 10: map check map.json; map --map map.json --format svg
own.toml 30: variants show own.toml; run of-own.toml --quiet --out own
experiment.toml 40: run experiment.toml --print-resolved
of-own.toml 10: run of-own.toml --dry-run
tournament.toml 10: tournament tournament.toml --quiet --afresh
match.toml 10: sprt match.toml --quiet --afresh
search.toml 20: tune search.toml --dry-run; tune search.toml --quiet
$run/manifest.json 12: balance $run; balance $run --trust; verify $run
$run/experiment.resolved.json 12: balance $run; balance $run --trust
$shard/manifest.json 12: join $shard --partial
replies.py 4: compliance --variant standard python3 replies.py
$(echo begun/.*.journal) 12: run long.toml --quiet --out begun --dry-run
game.json 12: replay game.json
saved.json 12: import saved.json --out imported
request.jsonl 10: adjudicate request.jsonl
status.json 20: import status.json --out imported
ring.map 4: map import ring.map
board.geojson 20: map import board.geojson
END
