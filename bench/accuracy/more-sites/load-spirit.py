"""Fills a Spirit forum with what Python's manual says: a topic for each of its modules and subjects, whose paragraphs are the comments."""
import os
import pkgutil
import pydoc
import re
import sys
from datetime import datetime, timedelta, timezone
from pydoc_data import topics as subjects

sys.path.insert(0, sys.argv[1])
os.environ["DJANGO_SETTINGS_MODULE"] = "forum.settings.dev"
import django

django.setup()

from django.contrib.auth import get_user_model
from spirit.category.models import Category
from spirit.comment.models import Comment
from spirit.core.utils.markdown import Markdown
from spirit.topic.models import Topic

start = datetime(2026, 1, 5, 8, tzinfo=timezone.utc)
MOST_TOPICS = 150
MOST_COMMENTS = 60


def text_of(name):
    try:
        return re.sub(r".\b", "", pydoc.render_doc(name, renderer=pydoc.plaintext))
    except BaseException:
        return ""


users = [get_user_model().objects.create_user("reader%d" % i, "reader%d@example.invalid" % i, "unused") for i in range(12)]
skipped = {"antigravity", "this", "idlelib", "turtledemo", "test", "lib2to3", "tkinter", "turtle"}
names = [m.name for m in pkgutil.iter_modules() if m.name in sys.stdlib_module_names - skipped and m.name[0] != "_"]
texts = {"Subjects": sorted(subjects.topics.items()), "Modules": [(name, text_of(name)) for name in sorted(names)]}
for title, list_of in texts.items():
    parent = Category.objects.create(title=title, description="%s of the manual" % title)
    parts = [Category.objects.create(title="%s %s" % (title, part), parent=parent) for part in ("A to M", "N to Z")]
    for i, (name, text) in enumerate([(name, text) for name, text in list_of if len(text) > 500][: MOST_TOPICS // 2]):
        when = start + timedelta(hours=7 * i)
        topic = Topic.objects.create(user=users[i % 12], category=parts[name.lower() > "n"], title="What is %s" % name, date=when)
        said = [paragraph for paragraph in re.split(r"\n\s*\n", text) if len(paragraph) > 80][:MOST_COMMENTS]
        for number, paragraph in enumerate(said):
            comment = re.sub(r"(?m)^\s+", "", paragraph)[:1500]
            spoken = Comment.objects.create(user=users[(i + number) % 12], topic=topic, comment=comment, date=when + timedelta(minutes=number))
            Comment.objects.filter(pk=spoken.pk).update(comment_html=Markdown().render(comment))
        Topic.objects.filter(pk=topic.pk).update(comment_count=len(said), last_active=when + timedelta(minutes=len(said)))
