"""Canonical URLs: safe normalization, then dustpan's rules until nothing changes.

canonical(url) gives the canonical URL; what is no http(s) URL comes back as it was.
As a program it reads URLs, one a line, and prints their canonical ones.
"""

import re
import sys

# (id, operation, first, second, at the start, at the end, repeated, host, path, script,
#  [(parameter, it is there, its value if that matters), ...])
RULES = []

# Single URLs that are another one's page, after the rules.
ALIASES = {}

_MAX_ROUNDS = 10
_MAX_APPLICATIONS = 1000
_ALPHANUMERIC = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_NOT_IN_HOST = frozenset(chr(code) for code in range(0x21)) | frozenset("#%/:<>?@[\\]^|\x7f")
_UPPER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def canonical(url, rules=RULES):
    url = canonize(normalize(url), rules)
    return ALIASES.get(url, url)


def canonize(url, rules=RULES):
    """The rules alone, on a URL that is normal already. Where they find no rest, the URL as it was."""
    if _parse(url) is None:
        return url
    text = url
    applications = 0
    for _ in range(_MAX_ROUNDS):
        previous = text
        for rule in rules:
            while True:
                changed = _apply(rule, text)
                if changed is None:
                    break
                applications += 1
                if applications > _MAX_APPLICATIONS:
                    return url
                text = changed
                if not rule[6]:
                    break
        if text == previous:
            return text
    return url


def normalize(url):
    """Safe normalization: what leads to the same request, and no fragment."""
    parts = _parse(url)
    if parts is None:
        return url
    scheme_end, host_start, host_end, port_start, path_start, path_end, query_end = parts
    scheme = url[:scheme_end].translate(_UPPER)
    host = url[host_start:host_end].translate(_UPPER)
    port = url[host_end:path_start]
    if port and (port_start == path_start or int(url[port_start:path_start]) == (80 if scheme_end == 4 else 443)):
        port = ""
    path = url[path_start:path_end] or "/"
    if "/." in path:
        path = _remove_dot_segments(path)
    rest = re.sub("%[0-9A-Fa-f]{2}", lambda found: found[0].upper(), path + url[path_end:query_end])
    return scheme + url[scheme_end:host_start] + host + port + rest


def _remove_dot_segments(path):
    kept = []
    segments = path.split("/")[1:]
    for place, segment in enumerate(segments):
        if segment not in (".", ".."):
            kept.append(segment)
            continue
        if segment == ".." and kept:
            kept.pop()
        if place == len(segments) - 1:
            kept.append("")
    return "/" + "/".join(kept)


def _parse(url):
    """(scheme end, host start, host end, port start, path start, path end, query end); None where this is no URL."""
    if url[:1] == "/":
        return _parts(url, 0, 0, 0, 0, 0)
    head = url[:6].translate(_UPPER)
    scheme_end = 4 if head.startswith("http:") else 5 if head == "https:" else 0
    if scheme_end == 0 or url[scheme_end + 1 : scheme_end + 3] != "//":
        return None
    host_start = path_start = scheme_end + 3
    colon = -1
    plain = True
    while path_start < len(url):
        character = url[path_start]
        if character in _NOT_IN_HOST:
            if character in "/?#":
                break
            if character == "\\":
                return None
            if character == "@":
                host_start = path_start + 1
                colon = -1
                plain = True
            elif character == ":":
                if colon < 0:
                    colon = path_start
            else:
                plain = False
        path_start += 1
    host_end = path_start if colon < 0 else colon
    if not plain:
        host_end = _address_end(url, host_start, path_start)
    if host_end == host_start:
        return None
    port_start = host_end + 1 if host_end < path_start else host_end
    port = url[port_start:path_start]
    if not all("0" <= digit <= "9" for digit in port) or int("0" + port) > 65535:
        return None
    return _parts(url, scheme_end, host_start, host_end, port_start, path_start)


def _parts(url, scheme_end, host_start, host_end, port_start, path_start):
    query_end = url.find("#", path_start)
    if query_end < 0:
        query_end = len(url)
    path_end = url.find("?", path_start, query_end)
    if path_end < 0:
        path_end = query_end
    return scheme_end, host_start, host_end, port_start, path_start, path_end, query_end


def _address_end(url, start, end):
    """The end of an IPv6 address in brackets, or `start` where this is none."""
    close = url.find("]", start)
    if url[start : start + 1] != "[" or close < start + 3 or close >= end:
        return start
    if close + 1 < end and url[close + 1] != ":":
        return start
    return close + 1 if all(each in "0123456789abcdefABCDEF:." for each in url[start + 1 : close]) else start


def _apply(rule, url):
    """What the rule makes of the URL; None where it changes nothing."""
    _, operation, first, second, at_start, at_end, _, host, path, script, conditions = rule
    if operation == "replace" and host is path is script is None and not conditions:
        return _replace(url, first, second, at_start, at_end)
    parts = _parse(url)
    if not _in_scope(url, parts, host, path, script, conditions):
        return None
    if operation == "replace":
        return _replace(url, first, second, at_start, at_end)
    path_start, path_end, query_end = parts[4:]
    if operation in ("remove-path", "set-path"):
        edited = _edit_path(url, path_start, path_end, first, second)
    elif operation in ("drop-www", "add-www"):
        edited = _edit_www(url, parts[1], parts[2], operation == "add-www")
    elif operation == "scheme":
        edited = first + url[parts[0] :] if parts[0] > 0 and parts[2] == path_start else url
    elif operation in ("drop-slash", "add-slash", "drop-name", "drop-extension", "add-extension"):
        edited = url[:path_start] + _edit_path_end(operation, url[path_start:path_end], first) + url[path_end:]
    elif operation == "lower-path":
        lower = lambda found: found[0] if found[0][0] == "%" else found[0].lower()
        edited = re.sub("%[0-9A-Fa-f]{2}|[A-Z]+", lower, url[path_start:path_end])
        edited = url[:path_start] + edited + url[path_end:]
    elif operation == "single-slash":
        edited = url[:path_start] + re.sub("/+", "/", url[path_start:path_end]) + url[path_end:]
    elif operation == "decode-marks":
        path = _decode(url[path_start:path_end], _MARKS)
        edited = url[:path_start] + path + _decode(url[path_end:query_end], _MARKS + "/?") + url[query_end:]
    elif operation == "template":
        edited = url[:path_start] + _edit_template(url[path_start:query_end], first, second) + url[query_end:]
    else:
        query = _edit_query(operation, first, second, _parameters(url, path_end, query_end))
        edited = url[:path_end] + query + url[query_end:]
    return None if edited == url else edited


_MARKS = "-_~!$'()*,:@"


def _decode(text, marks):
    """Percent-encoded marks as they are."""
    decode = lambda found: chr(int(found[0][1:], 16)) if chr(int(found[0][1:], 16)) in marks else found[0]
    return re.sub("%[2-7][0-9A-Fa-f]", decode, text)


def _in_scope(url, parts, host, path, script, conditions):
    _, host_start, host_end, _, path_start, path_end, query_end = parts
    if host is not None:
        given = url[host_start:host_end].translate(_UPPER)
        if given != host and not (host[:2] == "*." and (given.endswith(host[1:]) or given == host[2:])):
            return False
    own_path = url[path_start:path_end]
    if path is not None and not (own_path or "/").startswith(path):
        return False
    last = own_path.rfind("/") + 1
    if script is not None and not ("/" + own_path[:last] + own_path[last:].split(";", 1)[0]).endswith("/" + script):
        return False
    if not conditions:
        return True
    parameters = _parameters(url, path_end, query_end)
    for name, is_there, value in conditions:
        values = [each[2][1:] for each in parameters if each[1] == name]
        if bool(values) != is_there or (value is not None and any(each != value for each in values)):
            return False
    return True


def _parameters(url, start, end):
    """The query's parameters as (separator, name, "=" and value); the ";" of a leading "amp;" belongs to the name."""
    found = []
    at = start
    while at < end:
        separator = url[at]
        begin = stop = at + 1
        while url.startswith("amp;", stop) and stop + 4 <= end:
            stop += 4
        while stop < end and url[stop] not in "&;":
            stop += 1
        # An "amp;" holds no "=".
        equals = url.find("=", begin, stop)
        name_end = stop if equals < 0 else equals
        found.append((separator, url[begin:name_end], url[name_end:stop]))
        at = stop
    return found


def _edit_query(operation, first, second, parameters):
    if operation == "remove":
        kept = [each for each in parameters if each[1] != first]
    elif operation == "set":
        kept = [(each[0], first, "=" + second) if each[1] == first else each for each in parameters]
    elif operation == "drop-empty":
        kept = [each for each in parameters if each[2] not in ("", "=") or first not in (None, each[1])]
    elif operation == "sort":
        ordered = iter(sorted((each[1:] for each in parameters if each[1] or each[2]), key=lambda each: each[0]))
        kept = [(each[0], *next(ordered)) if each[1] or each[2] else each for each in parameters]
    else:
        kept = _keep_one(first, parameters, operation == "keep-first")
    return _join(kept)


def _keep_one(name, parameters, is_first):
    last = {}
    for place, (_, own, value) in enumerate(parameters):
        if (own or value) and not (is_first and own in last):
            last[own] = place
    return [
        each
        for place, each in enumerate(parameters)
        if not (each[1] or each[2]) or (name is not None and each[1] != name) or last[each[1]] == place
    ]


def _join(parameters):
    """The query's text. A ";" behind a bare "amp" would be read as part of the next name: it becomes "&"."""
    query = ""
    for separator, name, value in parameters:
        if query == "":
            separator = "?"
        elif separator == ";" and (query == "?amp" or query.endswith(("&amp", ";amp"))):
            separator = "&"
        query += separator + name + value
    return query


def _edit_path(url, start, end, name, value):
    """Path parameters of this name go (value None), or get the value."""
    edited = ""
    copied = 0
    at = url.find(";", start, end)
    while at >= 0:
        stop = at + 1
        while stop < end and url[stop] not in ";/":
            stop += 1
        equals = url.find("=", at, stop)
        if equals > at + 1 and url[at + 1 : equals] == name:
            edited += url[copied:at] if value is None else url[copied:equals] + "=" + value
            copied = stop
        at = url.find(";", stop, end)
    return edited + url[copied:]


def _edit_path_end(operation, path, text):
    name = path[path.rfind("/") + 1 :]
    if operation == "drop-slash":
        return path[:-1] if len(path) > 1 and path[-1] == "/" and path[-2] != "/" else path
    if operation == "drop-name":
        return path[: -len(text)] if path != "" and name == text else path
    if operation == "drop-extension":
        return path[: -len(text)] if len(name) > len(text) and name.endswith(text) else path
    # "/a.html/" and "/a;v=1/" are other pages, if they are any.
    if name == "" or "." in name or ";" in name:
        return path
    return path + ("/" if operation == "add-slash" else text)


def _edit_www(url, start, end, is_added):
    has_prefix = url[start : start + 4].translate(_UPPER) == "www."
    if is_added:
        return url[:start] + "www." + url[start:] if _is_domain(url[start:end]) and not has_prefix else url
    rest = url[start + 4 : end]
    if not has_prefix or not _is_domain(rest) or rest[:4].translate(_UPPER) == "www.":
        return url
    return url[:start] + url[start + 4 :]


def _is_domain(host):
    """A name with a dot in it that is no address."""
    is_number = all(character in "0123456789." for character in host)
    return "." in host and not is_number and host[0] != "." and "[" not in host and ":" not in host


_CAPTURES = {"number": "[0-9]", "hex": "[0-9A-Fa-f]", "word": "[A-Za-z0-9_-]", "segment": "[^/?&;=]", "rest": "(?s:.)"}
_TEMPLATE = re.compile(r"\{\{|\}\}|\{(\w+):(\w+)\}|[^{}]+")


def _template_parts(template):
    """Texts and (name, pattern of one character)."""
    found = _TEMPLATE.finditer(template)
    return [(each[1], _CAPTURES[each[2]]) if each[1] else each[0].replace("{{", "{").replace("}}", "}") for each in found]


def _edit_template(text, source, target):
    """Each capture takes as much as it can. From the right: where does it end if it begins here and the rest matches?"""
    parts = _template_parts(source)
    if not text.startswith(parts[0]):
        return text
    ends = []
    matches = [at == len(text) for at in range(len(text) + 1)]
    for part in reversed(parts):
        if isinstance(part, str):
            width = len(part)
            matches = [text.startswith(part, at) and matches[at + width] for at in range(len(text) + 1)]
            continue
        own = [0] * (len(text) + 1)
        for at in range(len(text) - 1, -1, -1):
            if re.match(part[1], text[at]):
                own[at] = own[at + 1] or (at + 1 if matches[at + 1] else 0)
        ends.append(own)
        matches = own
    if not matches[0]:
        return text
    values = {}
    at = 0
    for part in parts:
        if isinstance(part, str):
            at += len(part)
        else:
            end = ends.pop()[at]
            values[part[0]] = text[at:end]
            at = end
    return "".join(part if isinstance(part, str) else values[part[0]] for part in _template_parts(target))


def _replace(text, old, new, at_start, at_end):
    """The first occurrence in whole tokens; none that is part of a `new` already."""
    if at_start or at_end:
        at = 0 if at_start else len(text) - len(old)
        if at < 0 or not text.startswith(old, at) or (at_end and at + len(old) != len(text)):
            return None
        if not _qualifies(text, at, old, new) or _is_replaced(text, old, new, at_start):
            return None
        return _replace_at(text, at, old, new)
    at = text.find(old)
    if at < 0:
        return None
    places = _places(text, new) if len(new) > len(old) and old in new else []
    while at >= 0:
        if _qualifies(text, at, old, new):
            if not any(place <= at and at + len(old) <= place + len(new) for place in places):
                result = _replace_at(text, at, old, new)
                if result is not None:
                    return result
        at = text.find(old, at + 1)
    return None


def _places(text, sought):
    """Where the text has it in whole tokens."""
    places = []
    at = text.find(sought)
    while at >= 0:
        if _is_boundary(text, at) and _is_boundary(text, at + len(sought)):
            places.append(at)
        at = text.find(sought, at + 1)
    return places


def _is_replaced(text, old, new, at_start):
    if len(new) < len(old) or not (text.startswith(new) if at_start else text.endswith(new)):
        return False
    return _is_boundary(text, len(new) if at_start else len(text) - len(new))


def _qualifies(text, at, old, new):
    end = at + len(old)
    if not _is_boundary(text, at) or not _is_boundary(text, end):
        return False
    before = text[at - 1] if at > 0 else ""
    after = text[end] if end < len(text) else ""
    if new == "":
        return not (before in _ALPHANUMERIC and after in _ALPHANUMERIC)
    return not (before in _ALPHANUMERIC and new[0] in _ALPHANUMERIC) and not (
        after in _ALPHANUMERIC and new[-1] in _ALPHANUMERIC
    )


def _is_boundary(text, at):
    return at <= 0 or at >= len(text) or text[at - 1] not in _ALPHANUMERIC or text[at] not in _ALPHANUMERIC


def _replace_at(text, at, old, new):
    """None where the URL would come apart, or something would change sides between host and path."""
    result = text[:at] + new + text[at + len(old) :]
    slash = 0 if text[:1] == "/" else text.find("/", 8)
    if 0 <= slash < at:
        return result
    before = _parse(text)
    after = _parse(result)
    if before is None or after is None:
        return None
    border, moved = before[4], after[4]
    if at <= border:
        if at + len(old) < border:
            if moved - border != len(new) - len(old):
                return None
        elif not at <= moved <= at + len(new):
            return None
    return result


if __name__ == "__main__":
    for line in sys.stdin.buffer:
        # Bytes that are no UTF-8 come out as they went in.
        url = line.rstrip(b"\r\n").decode("utf-8", "surrogateescape")
        sys.stdout.buffer.write(canonical(url).encode("utf-8", "surrogateescape") + b"\n")
