"""Makes the database that Datasette shows: the modules of Python, what each of them has, and the subjects of its manual."""
import inspect
import pkgutil
import sqlite3
import sys
from pydoc_data import topics as subjects

MOST_MODULES = 120
MOST_NAMES = 30

skipped = {"antigravity", "this", "idlelib", "turtledemo", "test", "lib2to3", "tkinter", "turtle"}
db = sqlite3.connect(sys.argv[1])
db.executescript(
    """
    create table modules (id integer primary key, name text, is_package integer, doc text);
    create table kinds (id integer primary key, name text);
    create table names (id integer primary key, name text, module integer references modules(id), kind integer references kinds(id), lines integer, doc text);
    create table subjects (name text primary key, length integer, text text);
    create view longest as select name, length from subjects order by length desc limit 20;
    """
)
kinds = {name: i for i, name in enumerate(["class", "function", "builtin", "data"], 1)}
db.executemany("insert into kinds values (?, ?)", [(i, name) for name, i in kinds.items()])
modules = [m for m in pkgutil.iter_modules() if m.name in sys.stdlib_module_names - skipped and m.name[0] != "_"]
for module in sorted(modules, key=lambda m: m.name)[:MOST_MODULES]:
    try:
        loaded = __import__(module.name)
    except BaseException:
        continue
    found = db.execute("insert into modules (name, is_package, doc) values (?, ?, ?)", (module.name, int(module.ispkg), inspect.getdoc(loaded)))
    for name in [n for n in sorted(vars(loaded)) if n[0] != "_"][:MOST_NAMES]:
        value = getattr(loaded, name)
        kind = "class" if inspect.isclass(value) else "function" if inspect.isfunction(value) else "builtin" if inspect.isbuiltin(value) else "data"
        doc = inspect.getdoc(value) or ""
        db.execute(
            "insert into names (name, module, kind, lines, doc) values (?, ?, ?, ?, ?)",
            (name, found.lastrowid, kinds[kind], doc.count("\n") + 1, doc[:800]),
        )
db.executemany("insert into subjects values (?, ?, ?)", [(name, len(text), text) for name, text in sorted(subjects.topics.items())])
db.commit()
