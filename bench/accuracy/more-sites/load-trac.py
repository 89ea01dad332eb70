"""Fills a Trac project with what Python's own manual pages say: wiki pages with links and versions, tickets with comments."""
import io
import pkgutil
import pydoc
import re
import sys
from datetime import datetime, timedelta, timezone

from trac.env import open_environment
from trac.perm import PermissionSystem
from trac.ticket.model import Component, Milestone, Ticket, Version
from trac.wiki.model import WikiPage

env = open_environment(sys.argv[1])
env.config.set("trac", "default_timezone", "UTC")
env.config.save()
start = datetime(2026, 1, 5, 8, tzinfo=timezone.utc)


def text_of(name):
    try:
        return re.sub(r".\b", "", pydoc.render_doc(name, renderer=pydoc.plaintext))
    except BaseException:
        return ""


names = [m.name for m in pkgutil.iter_modules() if m.name in sys.stdlib_module_names and not m.name.startswith("_")]
skipped = {"antigravity", "this", "idlelib", "turtledemo", "test", "lib2to3", "tkinter", "turtle"}
modules = [(name, text_of(name)) for name in sorted(names) if name not in skipped]
modules = [(name, text) for name, text in modules if len(text) > 500][:150]
sys.stdout = io.StringIO()
titles = {name: "Module" + "".join(part.capitalize() for part in name.split("_")) for name, _ in modules}

permissions = PermissionSystem(env)
for action in ("WIKI_VIEW", "TICKET_VIEW", "MILESTONE_VIEW", "REPORT_VIEW", "TIMELINE_VIEW", "SEARCH_VIEW", "ROADMAP_VIEW"):
    try:
        permissions.grant_permission("anonymous", action)
    except BaseException:
        pass

for i, (name, text) in enumerate(modules):
    others = [other for other, _ in modules if other != name and re.search(r"\b%s\b" % other, text)][:12]
    links = "\n".join(" * [wiki:%s %s]" % (titles[other], other) for other in others)
    for version in range(1 + i % 3):
        page = WikiPage(env, titles[name])
        remark = "Remark %d on %s.\n" % (version, name) * version
        page.text = "= %s =\n{{{\n%s\n}}}\n%s== See also ==\n%s\n" % (name, text[: 3000 + 500 * version], remark, links)
        page.save("author%d" % (i % 4), "version %d" % (version + 1), start + timedelta(hours=i, minutes=version))
index = WikiPage(env, "ModuleIndex")
index.text = "= Modules =\n" + "\n".join(" * [wiki:%s %s]" % (titles[name], name) for name, _ in modules)
index.save("author0", "all of them", start)

for name in ("parsers", "network", "files", "numbers"):
    component = Component(env)
    component.name, component.owner = name, "author1"
    component.insert()
for name in ("3.12", "3.13"):
    version = Version(env)
    version.name = name
    version.insert()
for name in ("spring", "summer"):
    milestone = Milestone(env)
    milestone.name = name
    milestone.insert()
for i, (name, text) in enumerate(modules[:120]):
    lines = [line.strip() for line in text.splitlines() if len(line.strip()) > 40]
    ticket = Ticket(env)
    ticket["summary"] = "%s: %s" % (name, lines[0][:60] if lines else "no description")
    ticket["description"] = "See [wiki:%s].\n\n%s" % (titles[name], "\n\n".join(lines[1:6]))
    ticket["reporter"], ticket["owner"] = "author%d" % (i % 4), "author1"
    ticket["component"] = ("parsers", "network", "files", "numbers")[i % 4]
    ticket["version"] = ("3.12", "3.13")[i % 2]
    ticket["milestone"] = ("spring", "summer")[i % 2]
    ticket["type"] = ("defect", "enhancement", "task")[i % 3]
    ticket["status"] = "new"
    ticket["priority"] = ("major", "minor")[i % 2]
    ticket.insert(when=start + timedelta(days=1, hours=i))
    for j in range(i % 4):
        ticket.save_changes("author%d" % j, "\n".join(lines[6 + j : 8 + j]) or "see above", start + timedelta(days=9, hours=i, minutes=j))
