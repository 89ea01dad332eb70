#!/usr/bin/env bash
# Two more applications on loopback, for a last run that nobody developed on: a wiki (DokuWiki, from Debian packages that are unpacked and not
# installed, under PHP's own server) and a tracker with a wiki (Trac, from PyPI, in an environment of its own).
#   sites.sh up|crawl|down dokuwiki|trac [PORT]
# `crawl` leaves NAME/crawl.jsonl.xz and NAME/access.log.xz beside the copy of this script in SITES_HOME, as bench/accuracy/sites.mjs reads them:
#   SITES_HOME=/tmp/more-sites bench/accuracy/more-sites/sites.sh crawl trac
#   node bench/accuracy/sites.mjs /tmp/more-sites trac
# Needs apt-get, dpkg, php (with xml and mbstring), python3 with venv, git, xz. Nothing is installed outside SITES_HOME.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=${SITES_HOME:-$here}
action=${1:?usage: sites.sh up|crawl|down dokuwiki|trac [PORT]}
name=${2:?usage: sites.sh up|crawl|down dokuwiki|trac [PORT]}
case $name in dokuwiki) port=${3:-${DOKUWIKI_PORT:-21280}} ;; trac) port=${3:-${TRAC_PORT:-21281}} ;; *) echo "no site $name" >&2; exit 2 ;; esac
data=$home/$name/data
mkdir -p "$data"
if [ "$home" != "$here" ]; then cp "$here"/sites.sh "$here"/*.mjs "$here"/*.py "$here"/*.php "$home"/; fi
origin=http://127.0.0.1:$port

is_up() { curl -fsS -o /dev/null --max-time 5 "$origin/" 2>/dev/null; }

wait_up() {
  for _ in $(seq 60); do if is_up; then echo "UP $name $origin"; return; fi; sleep 0.5; done
  echo "$name did not come up:" >&2; tail -20 "$data/server.log" >&2; exit 1
}

down() { # only the process that `up` started
  if [ -e "$data/pid" ]; then kill "$(cat "$data/pid")" 2>/dev/null || true; rm -f "$data/pid"; fi
}

up_dokuwiki() {
  if [ ! -e "$data/.loaded" ]; then
    mkdir -p "$data/packages" "$data/root"
    (cd "$data/packages" && apt-get download -q dokuwiki php-geshi php-phpseclib php-random-compat libphp-simplepie libjs-jquery libjs-jquery-ui libjs-jquery-cookie >/dev/null)
    for package in "$data"/packages/*.deb; do dpkg -x "$package" "$data/root"; done
    php "$here/load-dokuwiki.php" "$data/root"
    touch "$data/.loaded"
  fi
  cd "$data/root/usr/share/dokuwiki"
  nohup php -d display_errors=0 -d "include_path=.:$data/root/usr/share/php" -S "127.0.0.1:$port" -t . "$here/route-dokuwiki.php" >"$data/server.log" 2>&1 &
  echo $! >"$data/pid"
}

up_trac() {
  if [ ! -e "$data/.loaded" ]; then
    python3 -m venv "$data/python"
    "$data/python/bin/pip" install -q 'setuptools<81' Trac==1.6
    rm -rf "$data/project" "$data/repository.git"
    git init -q --bare "$data/repository.git"
    "$data/python/bin/trac-admin" "$data/project" initenv Manuals sqlite:db/trac.db >"$data/load.log" 2>&1
    "$data/python/bin/python" "$here/load-trac.py" "$data/project" >>"$data/load.log" 2>&1
    touch "$data/.loaded"
  fi
  nohup "$data/python/bin/tracd" --hostname 127.0.0.1 --port "$port" --single-env "$data/project" >"$data/server.log" 2>&1 &
  echo $! >"$data/pid"
}

case $action in
  up) if ! is_up; then "up_$name"; fi; wait_up ;;
  down) down ;;
  crawl)
    if ! is_up; then "up_$name"; fi
    wait_up
    node "$here/crawl.mjs" "$origin" "$home/$name" "${MOST:-3000}"
    xz -f "$home/$name/crawl.jsonl" "$home/$name/access.log"
    ;;
  *) echo "usage: sites.sh up|crawl|down dokuwiki|trac [PORT]" >&2; exit 2 ;;
esac
