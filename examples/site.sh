#!/bin/sh
# Judges the reference and the examples, whole and with rules broken, and puts them side by side in a site: `sh examples/site.sh FOLDER`,
# in a clone. It needs Go, and in examples/python the .venv that its page makes. It ends well only where each server gets the exit code
# that it has to get.
set -eu
cd "$(dirname "$0")/.."
site=${1:-site}
work=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || :; rm -rf "$work"' EXIT
npm run --silent build
(cd examples/go && go build -o "$work/undertest" ./undertest)

conform() { node dist/cli/main.js "$@"; }

# judge CODE NAME: the target file of that name, once it is there.
judge() {
  until grep -qs base_url "$work/$2.yaml"; do
    kill -0 "$server"
    sleep 0.2
  done
  code=0
  conform --target "$work/$2.yaml" --strict --out "$work/$2.ndjson" --quiet || code=$?
  kill "$server"
  wait "$server" || :
  server=
  if [ "$code" -ne "$1" ]; then
    echo "$2: exit code $code in place of $1" >&2
    exit 1
  fi
}

# example CODE NAME FOLDER COMMAND…: an example with its options.
example() {
  code=$1 name=$2 folder=$3
  shift 3
  (cd "examples/$folder" && exec "$@" --data "$work/$name.data" --target "$work/$name.yaml" >/dev/null) &
  server=$!
  judge "$code" "$name"
}

conform --reference --strict --out "$work/reference.ndjson" --quiet
for mutant in limit-ends-at-101 19-targets-are-kept accepted-is-302; do
  node dist/cli/main.js reference --mutant "$mutant" >"$work/reference-$mutant.yaml" 2>/dev/null &
  server=$!
  judge 1 "reference-$mutant"
done
example 0 go go "$work/undertest"
for rule in key content cursor order; do
  example 1 "go-$rule" go "$work/undertest" --break "$rule"
done
example 0 python python .venv/bin/python -m under_test
for rule in idempotency author expired deleted; do
  example 1 "python-$rule" python .venv/bin/python -m under_test --break "$rule"
done
# The whole one of each first.
conform compare "$work/reference.ndjson" "$work"/reference-*.ndjson "$work/go.ndjson" "$work"/go-*.ndjson \
  "$work/python.ndjson" "$work"/python-*.ndjson --site "$site"
