#!/usr/bin/env bash
# Rehearses what Dockerfile and compose.yaml do, without Docker: build, a root that is read only, a user without rights, no system fonts.
# `--built` takes node_modules and dist of this checkout instead of installing and building. As root it isolates the run in a namespace.
set -euo pipefail
cd "$(dirname "$0")/../.."

source_tree="$PWD"
work="$(mktemp -d /var/tmp/navwatch-install-XXXXXX)"
pid=""
cleanup() {
  if [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; then kill -KILL "$pid"; fi
  rm -rf "$work"
}
trap cleanup EXIT

say() { echo "--- $*"; }
fail() {
  echo "rehearsal: $*" >&2
  tail -n 20 "$work/log" >&2 2>/dev/null || true
  exit 1
}

build="$work/build"
app="$work/app"
mkdir "$build" "$app"
chmod 755 "$work"

if [ "${1:-}" = "--built" ]; then
  say "the build of this checkout"
  mapfile -t parts < <(sed -n 's/^!//p' .dockerignore)
  cp -al node_modules dist "${parts[@]}" "$build/" 2>/dev/null || cp -a node_modules dist "${parts[@]}" "$build/"
else
  say "build stage: only what .dockerignore lets in"
  sed -n 's/^!//p' .dockerignore | while read -r name; do cp -a "$name" "$build/"; done
  (
    cd "$build"
    started=$SECONDS
    npm ci --no-audit --no-fund >"$work/log" 2>&1 || fail "npm ci failed"
    echo "npm ci: $((SECONDS - started)) s"
    started=$SECONDS
    npm run build >"$work/log" 2>&1 || fail "the build failed"
    echo "build: $((SECONDS - started)) s"
  )
fi
(
  cd "$build"
  node build.mjs --runtime >"$work/log" 2>&1 || fail "the packages that only build could not be removed"
  npm sbom --omit=dev --sbom-format=cyclonedx >sbom.cdx.json 2>"$work/log" || fail "npm sbom failed"
  # What only installs SQLite, and what only that needs.
  for name in node-gyp tar prebuild-install make-fetch-happen glob; do
    if [ -e "node_modules/$name" ] || grep -q "\"purl\": \"pkg:npm/$name@" sbom.cdx.json; then fail "$name would be in the image"; fi
  done
  grep -q '"purl": "pkg:npm/bindings@' sbom.cdx.json || fail "the list of components lacks a package that runs"
)
say "run stage: node_modules, dist, package.json and LICENSE, $(ls -A "$build/node_modules" | wc -l) folders of packages, $(du -sm "$build/node_modules" | cut -f1) MB"
mv "$build/node_modules" "$build/dist" "$build/package.json" "$build/LICENSE" "$app/"
rm -rf "$build"
cp "$(readlink -f "$(command -v node)")" "$work/node"
mkdir "$app/data" "$work/fonts"
echo '<?xml version="1.0"?><fontconfig/>' >"$work/fonts/fonts.conf"

settings=(HOME=/nonexistent PATH="$work:/usr/bin:/bin" NODE_ENV=production FONTCONFIG_FILE="$work/fonts/fonts.conf" HTTP_HOST=0.0.0.0 HTTP_LOOPBACK_ONLY=true LOG_LEVEL=warn)
command_line=$(sed -n 's/^CMD \[\(.*\)\]$/\1/p' Dockerfile | tr -d '",')
health=$(sed -n 's/^  CMD \["node", "-e", "\(.*\)"\]$/\1/p' Dockerfile)

isolation=()
if [ "$(id -u)" -eq 0 ] && unshare --mount true 2>/dev/null; then
  chown -R 65534:65534 "$app/data"
  cat >"$work/isolate" <<SCRIPT
set -e
mount --make-rprivate /
mount --bind "$app/data" "$app/data"
mount -t tmpfs tmpfs /tmp
for folder in /usr/share/fonts /usr/local/share/fonts; do if [ -d "\$folder" ]; then mount -t tmpfs tmpfs "\$folder"; fi; done
mount -o remount,bind,ro /
cd "$app"
if touch "$work/probe" 2>/dev/null; then echo "the root can be written" >&2; exit 9; fi
exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs env -i "\$@"
SCRIPT
  isolation=(unshare --mount bash "$work/isolate")
  say "isolated: read-only root, /tmp and data can be written, no fonts, user 65534, no capabilities"
else
  isolation=(env -i -C "$app")
  say "not root: runs as $(id -un), without a read-only root"
fi

# A port that was free a moment ago.
port=$("$work/node" -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
url="http://127.0.0.1:$port"

start() {
  local began
  began=$(date +%s%N)
  # shellcheck disable=SC2086
  "${isolation[@]}" "${settings[@]}" HTTP_PORT="$port" $command_line >"$work/log" 2>&1 &
  pid=$!
  for _ in $(seq 150); do
    if HTTP_PORT="$port" "$work/node" -e "$health" 2>/dev/null; then
      say "healthy after $((($(date +%s%N) - began) / 1000000)) ms, by the health check of the image"
      sed 's/^/    /' "$work/log"
      return
    fi
    kill -0 "$pid" 2>/dev/null || fail "it ended before it was healthy"
    sleep 0.2
  done
  fail "it was not healthy within 30 s"
}

stop() {
  local code=0
  kill -TERM "$pid"
  wait "$pid" || code=$?
  pid=""
  [ "$code" -eq 0 ] || fail "after SIGTERM it ended with $code"
  say "SIGTERM: ended with 0"
}

in_the_container() { "${isolation[@]}" "${settings[@]}" HTTP_PORT="$port" "$@"; }

draw='import { text } from "node:stream/consumers"; import { pngOf } from "./dist/src/charts/svg.js"; process.stdout.write(pngOf(await text(process.stdin)));'

start
[ "$(ps -o comm= -p "$pid")" = node ] || fail "something stands between the signals and node"
for file in console-token navwatch.sqlite navwatch.sqlite-wal; do
  [ "$(stat -c %a "$app/data/$file")" = 600 ] || fail "data/$file can be read by others"
done
for path in api/operator/chats api/operator/export metrics; do
  [ "$(curl -sS -o /dev/null -w '%{http_code}' "$url/$path")" = 401 ] || fail "/$path is open without a login"
done
link=$(in_the_container node dist/src/cli/login.js 2>/dev/null)
cookie=$(curl -sS -o /dev/null -D - -F "token=${link#*#}" "${link%%#*}" | sed -n 's/^set-cookie: \([^;]*\);.*/\1/Ip')
[ "$(curl -sS -o /dev/null -w '%{http_code}' -H "cookie: $cookie" "$url/api/operator/chats")" = 200 ] || fail "the login link does not log in"
say "login: ${link%%#*} by a link; data can be read by the bot's user only"
say "/watch tide: $(in_the_container node dist/src/cli/ask.js /watch tide | head -n 1)"
question="/premium tide 3M"
id=$(in_the_container node dist/src/cli/ask.js --json "$question" | "$work/node" -e 'let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => console.log(JSON.parse(text).replies[0].id))')
picture="$work/picture.svg"
type=$(curl -sS -o "$picture" -w '%{content_type}' "$url/api/chats/main/messages/$id/picture")
[[ "$type" = image/svg+xml* ]] || fail "$question has no picture: $(head -c 300 "$picture")"
# The page gets text as outlines of the bundled font. Without a font there would be none.
outlines=$(grep -o '<path' "$picture" | wc -l)
[ "$outlines" -gt 40 ] || fail "the picture of $question has no text"
in_the_container node --input-type=module -e "$draw" <"$picture" >"${PICTURES_TO:-$work}/picture-$id.png"
say "$question: a picture with $outlines shapes, as PNG $(stat -c %s "${PICTURES_TO:-$work}/picture-$id.png") bytes"
stop
start
in_the_container node dist/src/cli/ask.js /watchlist | grep -qi tidewater || fail "the watchlist is gone after a restart"
say "/watchlist: Tidewater is still watched"
say "export: $(in_the_container node dist/src/cli/export.js data/export.gz)"
stop
settings+=(STORE_URL=sqlite://./data/other.sqlite)
say "import into another database: $(in_the_container node dist/src/cli/import.js data/export.gz)"
start
in_the_container node dist/src/cli/ask.js /watchlist | grep -qi tidewater || fail "the watchlist is not in the imported database"
say "/watchlist: Tidewater is watched there too"
stop
say "the install was rehearsed"
