#!/usr/bin/env bash
# More applications on loopback, for last runs that nobody developed on, each of another kind: a wiki (DokuWiki), a tracker with a wiki (Trac),
# a blog (WordPress), a project's own site (Fossil), a forum (Spirit), two browsers of repositories (hgweb, gitweb) and
# tables (Datasette). Debian packages are unpacked and not installed, PHP and CGI run under servers of their own; what is Python but gitweb's server gets
# an environment of its own from PyPI.
#   sites.sh up|crawl|down NAME [PORT]
# `crawl` leaves NAME/crawl.jsonl.xz and NAME/access.log.xz in SITES_HOME, as bench/accuracy/sites.mjs reads them:
#   SITES_HOME=/tmp/more-sites bench/accuracy/more-sites/sites.sh crawl trac
#   SITES_HOME=/tmp/more-sites node bench/accuracy/sites.mjs /tmp/more-sites trac
# Needs apt-get, dpkg, php (with xml and mbstring; mysql for WordPress), python3 with venv, git, xz; for WordPress mariadb-server-core and
# mariadb-client-core. Nothing is installed outside SITES_HOME.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=${SITES_HOME:-$here}
usage="usage: sites.sh up|crawl|down dokuwiki|trac|wordpress|fossil|spirit|hgweb|gitweb|datasette [PORT]"
action=${1:?$usage}
name=${2:?$usage}
case $name in
  dokuwiki) port=21280 ;; trac) port=21281 ;; wordpress) port=21282 ;; fossil) port=21284 ;; spirit) port=21285 ;;
  hgweb) port=21286 ;; gitweb) port=21287 ;; datasette) port=21289 ;; *) echo "no site $name" >&2; exit 2 ;; esac
port=${3:-$port}
data=$home/$name/data
mkdir -p "$data"
if [ "$home" != "$here" ]; then cp "$here"/sites.sh "$here"/*.mjs "$here"/*.py "$here"/*.php "$home"/; fi
origin=http://127.0.0.1:$port

is_up() { curl -fsSL -o /dev/null --max-time 5 "$origin/" 2>/dev/null; }

wait_up() {
  for _ in $(seq 60); do if is_up; then echo "UP $name $origin"; return; fi; sleep 0.5; done
  echo "$name did not come up:" >&2; tail -20 "$data/server.log" >&2; exit 1
}

down() { # only the processes that `up` started
  for pid in "$data"/*pid; do
    if [ -e "$pid" ]; then kill "$(cat "$pid")" 2>/dev/null || true; rm -f "$pid"; fi
  done
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

up_wordpress() {
  local socket=$data/socket database="--no-defaults --datadir=$data/database --user=root"
  if [ ! -e "$data/.loaded" ]; then
    rm -rf "$data/packages" "$data/root" "$data/database"
    mkdir -p "$data/packages" "$data/root"
    (cd "$data/packages" && apt-get download -q wordpress wordpress-theme-twentytwentythree >/dev/null)
    for package in "$data"/packages/*.deb; do dpkg -x "$package" "$data/root"; done
    mariadb-install-db $database --auth-root-authentication-method=normal --skip-test-db >"$data/database.log" 2>&1
  fi
  nohup mariadbd $database --socket="$socket" --skip-networking --pid-file="$data/mariadb" >>"$data/database.log" 2>&1 &
  echo $! >"$data/database.pid"
  for _ in $(seq 60); do if mariadb --no-defaults -S "$socket" -u root -e 'create database if not exists wordpress' 2>/dev/null; then break; fi; sleep 0.5; done
  if [ ! -e "$data/.loaded" ]; then
    php "$here/load-wordpress.php" "$data/root" "$socket" "$origin"
    touch "$data/.loaded"
  fi
  cd "$data/root/usr/share/wordpress"
  nohup php -d opcache.enable_cli=1 -d display_errors=0 -S "127.0.0.1:$port" -t . "$here/route-wordpress.php" >"$data/server.log" 2>&1 &
  echo $! >"$data/pid"
}

# The history of this repository's own docs folder, which are its wiki pages too.
up_fossil() {
  if [ ! -e "$data/.loaded" ]; then
    rm -rf "$data/packages" "$data/root" "$data/project.fossil"
    mkdir -p "$data/packages" "$data/root"
    (cd "$data/packages" && apt-get download -q fossil libfuse2 >/dev/null)
    for package in "$data"/packages/*.deb; do dpkg -x "$package" "$data/root"; done
  fi
  local libraries
  libraries=$(dirname "$(find "$data/root" -name libfuse.so.2)")
  fossil() { HOME=$data USER=author LD_LIBRARY_PATH=$libraries "$data/root/usr/bin/fossil" "$@"; }
  if [ ! -e "$data/.loaded" ]; then
    local docs=${DOCS:-$here/../../../docs}
    git -C "$docs" fast-export HEAD -- . | fossil import --git "$data/project.fossil" >"$data/load.log"
    # Guests see links, as people do.
    fossil user capabilities -R "$data/project.fossil" nobody ghjorz >>"$data/load.log"
    for page in "$docs"/*.md; do fossil wiki create "$(basename "$page" .md)" "$page" -R "$data/project.fossil" -M text/x-markdown >>"$data/load.log"; done
    touch "$data/.loaded"
  fi
  HOME=$data USER=author LD_LIBRARY_PATH=$libraries nohup "$data/root/usr/bin/fossil" server --port "$port" --localhost "$data/project.fossil" >"$data/server.log" 2>&1 &
  echo $! >"$data/pid"
}

up_spirit() {
  if [ ! -e "$data/.loaded" ]; then
    rm -rf "$data/python" "$data/forum"
    python3 -m venv "$data/python"
    "$data/python/bin/pip" install -q django-spirit==0.14.3
    (cd "$data" && PATH="$data/python/bin:$PATH" spirit startproject forum >load.log 2>&1)
    "$data/python/bin/python" "$data/forum/manage.py" migrate --settings forum.settings.dev >>"$data/load.log" 2>&1
    "$data/python/bin/python" "$here/load-spirit.py" "$data/forum" >>"$data/load.log" 2>&1
    touch "$data/.loaded"
  fi
  nohup "$data/python/bin/python" "$data/forum/manage.py" runserver --noreload --settings forum.settings.dev "127.0.0.1:$port" >"$data/server.log" 2>&1 &
  echo $! >"$data/pid"
}

# The history of this repository's own docs folder, for browsers of repositories.
history_of_docs() {
  git init -q --bare --initial-branch=main "$1"
  git -C "${DOCS:-$here/../../../docs}" fast-export --reference-excluded-parents --signed-tags=strip HEAD -- . | git -C "$1" fast-import --quiet
  git -C "$1" symbolic-ref HEAD "$(git -C "$1" for-each-ref --count=1 --format='%(refname)' refs/heads)"
}

up_hgweb() {
  if [ ! -e "$data/.loaded" ]; then
    rm -rf "$data/python" "$data/docs.git" "$data/docs"
    python3 -m venv "$data/python"
    "$data/python/bin/pip" install -q mercurial==7.2.4
    history_of_docs "$data/docs.git"
    HGPLAIN=1 HGRCPATH= "$data/python/bin/hg" --config extensions.convert= convert -q "$data/docs.git" "$data/docs" >"$data/load.log" 2>&1
    touch "$data/.loaded"
  fi
  HGPLAIN=1 HGRCPATH= nohup "$data/python/bin/hg" serve --cwd "$data/docs" -a 127.0.0.1 -p "$port" --config web.name=docs >"$data/server.log" 2>&1 &
  echo $! >"$data/pid"
}

up_gitweb() {
  local cgi=$data/htdocs/cgi-bin
  if [ ! -e "$data/.loaded" ]; then
    rm -rf "$data/packages" "$data/root" "$data/repositories" "$data/htdocs"
    mkdir -p "$data/packages" "$data/root" "$data/repositories" "$cgi"
    (cd "$data/packages" && apt-get download -q git libcgi-pm-perl libhtml-parser-perl >/dev/null)
    for package in "$data"/packages/*.deb; do dpkg -x "$package" "$data/root"; done
    history_of_docs "$data/repositories/docs.git"
    echo "The manual" >"$data/repositories/docs.git/description"
    echo "\$projectroot = '$data/repositories'; \$GIT = '$(command -v git)';" >"$data/gitweb.conf"
    cp -r "$data/root/usr/share/gitweb/." "$cgi/"
    echo '<a href="/cgi-bin/gitweb.cgi">Repositories</a>' >"$data/htdocs/index.html"
    touch "$data/.loaded"
  fi
  cd "$data/htdocs"
  PERL5LIB=$data/root/usr/share/perl5:$(dirname "$(dirname "$(find "$data/root" -path '*HTML/Parser.pm')")") GITWEB_CONFIG=$data/gitweb.conf \
    nohup python3 -m http.server --cgi --bind 127.0.0.1 "$port" >"$data/server.log" 2>&1 &
  echo $! >"$data/pid"
}

up_datasette() {
  if [ ! -e "$data/.loaded" ]; then
    rm -rf "$data/python" "$data/manual.db"
    python3 -m venv "$data/python"
    "$data/python/bin/pip" install -q datasette==0.65.5
    "$data/python/bin/python" "$here/load-datasette.py" "$data/manual.db"
    touch "$data/.loaded"
  fi
  nohup "$data/python/bin/datasette" serve -h 127.0.0.1 -p "$port" "$data/manual.db" >"$data/server.log" 2>&1 &
  echo $! >"$data/pid"
}

case $action in
  up) if ! is_up; then "up_$name"; fi; wait_up ;;
  down) down ;;
  crawl)
    if ! is_up; then "up_$name"; fi
    wait_up
    # The first two were crawled by their own links alone.
    case $name in dokuwiki|trac) visitors= ;; *) visitors=--visitors ;; esac
    node "$here/crawl.mjs" "$origin" "$home/$name" "${MOST:-3000}" $visitors
    xz -f "$home/$name/crawl.jsonl" "$home/$name/access.log"
    ;;
  *) echo "$usage" >&2; exit 2 ;;
esac
