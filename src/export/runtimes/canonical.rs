//! Canonical URLs: safe normalization, then dustpan's rules until nothing changes.
//!
//! `canonical` gives the canonical URL; what is no http(s) URL comes back as it was. As a program it reads URLs, one a
//! line, and prints their canonical ones. To use it as a module, remove `main`.

use std::collections::HashMap;
use std::io::{BufRead, Write};

/// One operation with its texts and its scope.
pub struct Rule {
    pub id: &'static str,
    pub operation: &'static str,
    pub first: Option<&'static str>,
    pub second: Option<&'static str>,
    pub at_start: bool,
    pub at_end: bool,
    pub repeated: bool,
    pub host: Option<&'static str>,
    pub path: Option<&'static str>,
    pub script: Option<&'static str>,
    pub conditions: &'static [Condition],
}

/// On the query: the parameter is there, with this value wherever it stands if there is one here; or it is not.
pub struct Condition {
    pub name: &'static str,
    pub is_there: bool,
    pub value: Option<&'static str>,
}

/// Applied in this order.
pub static RULES: &[Rule] = &[];

/// Single URLs that are another one's page, after the rules; by the first.
pub static ALIASES: &[(&str, &str)] = &[];

const MAX_ROUNDS: usize = 10;
const MAX_APPLICATIONS: usize = 1000;

/// Safe normalization, then the rules, then the aliases.
pub fn canonical(url: &str) -> String {
    let found = canonize(&normalize(url), RULES);
    match ALIASES.binary_search_by_key(&found.as_str(), |alias| alias.0) {
        Ok(at) => ALIASES[at].1.to_string(),
        Err(_) => found,
    }
}

/// The rules alone, on a URL that is normal already. Where they find no rest, the URL as it was.
pub fn canonize(url: &str, rules: &[Rule]) -> String {
    if parse(url).is_none() {
        return url.to_string();
    }
    let mut text = url.to_string();
    let mut applications = 0;
    for _ in 0..MAX_ROUNDS {
        let previous = text.clone();
        for rule in rules {
            while let Some(changed) = apply(rule, &text) {
                applications += 1;
                if applications > MAX_APPLICATIONS {
                    return url.to_string();
                }
                text = changed;
                if !rule.repeated {
                    break;
                }
            }
        }
        if text == previous {
            return text;
        }
    }
    url.to_string()
}

/// What leads to the same request, and no fragment.
pub fn normalize(url: &str) -> String {
    let Some(parts) = parse(url) else {
        return url.to_string();
    };
    let mut port = &url[parts.host_end..parts.path_start];
    if !port.is_empty() {
        let usual = if parts.scheme_end == 4 { 80 } else { 443 };
        let digits = &url[parts.port_start..parts.path_start];
        if digits.is_empty() || digits.bytes().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')) == usual {
            port = "";
        }
    }
    let mut path = url[parts.path_start..parts.path_end].to_string();
    if path.is_empty() {
        path.push('/');
    }
    if path.contains("/.") {
        path = remove_dot_segments(&path);
    }
    let mut rest = path.into_bytes();
    rest.extend_from_slice(url[parts.path_end..parts.query_end].as_bytes());
    let mut at = 0;
    while at + 2 < rest.len() {
        if rest[at] == b'%' && rest[at + 1].is_ascii_hexdigit() && rest[at + 2].is_ascii_hexdigit() {
            rest[at + 1].make_ascii_uppercase();
            rest[at + 2].make_ascii_uppercase();
            at += 2;
        }
        at += 1;
    }
    [
        &url[..parts.scheme_end].to_ascii_lowercase(),
        &url[parts.scheme_end..parts.host_start],
        &url[parts.host_start..parts.host_end].to_ascii_lowercase(),
        port,
        &String::from_utf8(rest).expect("ASCII was changed only"),
    ]
    .concat()
}

fn remove_dot_segments(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    for (place, segment) in segments.iter().enumerate() {
        if *segment != "." && *segment != ".." {
            kept.push(segment);
            continue;
        }
        if *segment == ".." {
            kept.pop();
        }
        if place + 1 == segments.len() {
            kept.push("");
        }
    }
    format!("/{}", kept.join("/"))
}

/// Where the parts of a URL are.
struct Parts {
    scheme_end: usize,
    host_start: usize,
    host_end: usize,
    port_start: usize,
    path_start: usize,
    path_end: usize,
    query_end: usize,
}

fn parse(url: &str) -> Option<Parts> {
    let bytes = url.as_bytes();
    if bytes.first() == Some(&b'/') {
        return Some(split(url, 0, 0, 0, 0, 0));
    }
    let begins = |scheme: &str| bytes.len() >= scheme.len() && bytes[..scheme.len()].eq_ignore_ascii_case(scheme.as_bytes());
    let scheme_end = if begins("http://") {
        4
    } else if begins("https://") {
        5
    } else {
        return None;
    };
    let mut host_start = scheme_end + 3;
    let mut path_start = host_start;
    let mut colon = None;
    let mut is_plain = true;
    while path_start < bytes.len() {
        match bytes[path_start] {
            b'/' | b'?' | b'#' => break,
            b'\\' => return None,
            b'@' => {
                host_start = path_start + 1;
                colon = None;
                is_plain = true;
            }
            b':' => colon = colon.or(Some(path_start)),
            0..=b' ' | b'%' | b'<' | b'>' | b'[' | b']' | b'^' | b'|' | 0x7f => is_plain = false,
            _ => {}
        }
        path_start += 1;
    }
    let host_end = if is_plain { colon.unwrap_or(path_start) } else { address_end(url, host_start, path_start) };
    if host_end == host_start {
        return None;
    }
    let port_start = if host_end < path_start { host_end + 1 } else { host_end };
    let mut port = 0;
    for digit in &bytes[port_start..path_start] {
        if !digit.is_ascii_digit() {
            return None;
        }
        port = port * 10 + u32::from(digit - b'0');
        if port > 65535 {
            return None;
        }
    }
    Some(split(url, scheme_end, host_start, host_end, port_start, path_start))
}

fn split(url: &str, scheme_end: usize, host_start: usize, host_end: usize, port_start: usize, path_start: usize) -> Parts {
    let query_end = find(url, "#", path_start).unwrap_or(url.len());
    let path_end = find(&url[..query_end], "?", path_start).unwrap_or(query_end);
    Parts { scheme_end, host_start, host_end, port_start, path_start, path_end, query_end }
}

/// The end of an IPv6 address in brackets, or `start` where this is none.
fn address_end(url: &str, start: usize, end: usize) -> usize {
    let bytes = url.as_bytes();
    let Some(close) = find(url, "]", start) else {
        return start;
    };
    let is_address = bytes[start] == b'['
        && close >= start + 3
        && close < end
        && (close + 1 == end || bytes[close + 1] == b':')
        && bytes[start + 1..close].iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b':' || *byte == b'.');
    if is_address { close + 1 } else { start }
}

/// What the rule makes of the URL; None where it changes nothing.
fn apply(rule: &Rule, url: &str) -> Option<String> {
    let parts = parse(url)?;
    if !in_scope(rule, url, &parts) {
        return None;
    }
    let name = rule.first.unwrap_or("");
    let edited = match rule.operation {
        "replace" => return replace(url, name, rule.second.unwrap_or(""), rule.at_start, rule.at_end),
        "remove-path" | "set-path" => edit_path(url, parts.path_start, parts.path_end, name, rule.second),
        "drop-www" | "add-www" => edit_www(url, parts.host_start, parts.host_end, rule.operation == "add-www"),
        "scheme" if parts.scheme_end == 0 || parts.host_end < parts.path_start => return None,
        "scheme" => [name, &url[parts.scheme_end..]].concat(),
        "drop-slash" | "add-slash" | "drop-name" | "drop-extension" | "add-extension" => {
            let end = edit_path_end(rule.operation, &url[parts.path_start..parts.path_end], name);
            [&url[..parts.path_start], &end, &url[parts.path_end..]].concat()
        }
        "lower-path" => {
            let mut bytes = url.as_bytes().to_vec();
            let mut at = parts.path_start;
            while at < parts.path_end {
                let is_encoded = bytes[at] == b'%'
                    && at + 2 < parts.path_end
                    && bytes[at + 1].is_ascii_hexdigit()
                    && bytes[at + 2].is_ascii_hexdigit();
                bytes[at].make_ascii_lowercase();
                at += if is_encoded { 3 } else { 1 };
            }
            String::from_utf8(bytes).expect("ASCII was changed only")
        }
        "single-slash" => {
            let mut path = url[parts.path_start..parts.path_end].to_string();
            while path.contains("//") {
                path = path.replace("//", "/");
            }
            [&url[..parts.path_start], &path, &url[parts.path_end..]].concat()
        }
        "decode-marks" => {
            let path = decode(&url[parts.path_start..parts.path_end], MARKS);
            let query = decode(&url[parts.path_end..parts.query_end], &[MARKS, "/?"].concat());
            [&url[..parts.path_start], &path, &query, &url[parts.query_end..]].concat()
        }
        "template" => {
            let text = &url[parts.path_start..parts.query_end];
            let image = edit_template(text, name, rule.second.unwrap_or(""))?;
            [&url[..parts.path_start], &image, &url[parts.query_end..]].concat()
        }
        _ => {
            let query = edit_query(rule, parameters(url, parts.path_end, parts.query_end));
            [&url[..parts.path_end], &query, &url[parts.query_end..]].concat()
        }
    };
    if edited == url { None } else { Some(edited) }
}

enum TemplatePart<'a> {
    Text(&'a str),
    Capture(&'a str, &'a str),
}

fn template_parts(template: &str) -> Vec<TemplatePart<'_>> {
    let mut found = Vec::new();
    let mut rest = template;
    while !rest.is_empty() {
        let end;
        if rest.starts_with("{{") || rest.starts_with("}}") {
            found.push(TemplatePart::Text(&rest[..1]));
            end = 2;
        } else if rest.starts_with('{') {
            end = rest.find('}').map_or(rest.len(), |close| close + 1);
            let (name, kind) = rest[1..end - 1].split_once(':').unwrap_or_default();
            found.push(TemplatePart::Capture(name, kind));
        } else {
            end = rest.find(['{', '}']).unwrap_or(rest.len());
            found.push(TemplatePart::Text(&rest[..end]));
        }
        rest = &rest[end..];
    }
    found
}

fn is_taken(kind: &str, byte: u8) -> bool {
    match kind {
        "number" => byte.is_ascii_digit(),
        "hex" => byte.is_ascii_hexdigit(),
        "word" => byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-',
        "segment" => !b"/?&;=".contains(&byte),
        _ => true,
    }
}

/// Each capture takes as much as it can. From the right: where does it end if it begins here and the rest matches?
fn edit_template(text: &str, from: &str, to: &str) -> Option<String> {
    let parts = template_parts(from);
    let bytes = text.as_bytes();
    if matches!(parts.first(), Some(TemplatePart::Text(head)) if !text.starts_with(head)) {
        return None;
    }
    let mut ends = Vec::new();
    let mut rest = vec![0; bytes.len() + 1];
    rest[bytes.len()] = 1;
    for part in parts.iter().rev() {
        let mut own = vec![0; bytes.len() + 1];
        for at in (0..=bytes.len()).rev() {
            own[at] = match part {
                TemplatePart::Text(own) if bytes[at..].starts_with(own.as_bytes()) => rest[at + own.len()],
                TemplatePart::Capture(_, kind) if at < bytes.len() && is_taken(kind, bytes[at]) => {
                    if own[at + 1] > 0 || rest[at + 1] == 0 { own[at + 1] } else { at + 1 }
                }
                _ => 0,
            };
        }
        ends.push(std::mem::replace(&mut rest, own));
    }
    if rest[0] == 0 {
        return None;
    }
    let mut values = std::collections::HashMap::new();
    let mut at = 0;
    for part in &parts {
        let own = std::mem::replace(&mut rest, ends.pop().unwrap_or_default());
        match part {
            TemplatePart::Text(literal) => at += literal.len(),
            TemplatePart::Capture(name, _) => {
                values.insert(*name, &text[at..own[at]]);
                at = own[at];
            }
        }
    }
    let filled = template_parts(to).into_iter().map(|part| match part {
        TemplatePart::Text(literal) => literal,
        TemplatePart::Capture(name, _) => values[name],
    });
    Some(filled.collect())
}

const MARKS: &str = "-_~!$'()*,:@";

/// Percent-encoded marks as they are.
fn decode(text: &str, marks: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut pieces = text.split('%');
    decoded.push_str(pieces.next().unwrap_or(""));
    for piece in pieces {
        let code = piece.get(..2).filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let mark = code.and_then(|hex| u8::from_str_radix(hex, 16).ok()).map(char::from);
        match mark.filter(|mark| marks.contains(*mark)) {
            Some(mark) => {
                decoded.push(mark);
                decoded.push_str(&piece[2..]);
            }
            None => {
                decoded.push('%');
                decoded.push_str(piece);
            }
        }
    }
    decoded
}

fn in_scope(rule: &Rule, url: &str, parts: &Parts) -> bool {
    if let Some(host) = rule.host {
        let given = url[parts.host_start..parts.host_end].to_ascii_lowercase();
        let is_below = host.strip_prefix("*.").is_some_and(|domain| given == domain || given.ends_with(&host[1..]));
        if given != host && !is_below {
            return false;
        }
    }
    let path = &url[parts.path_start..parts.path_end];
    if rule.path.is_some_and(|prefix| !(if path.is_empty() { "/" } else { path }).starts_with(prefix)) {
        return false;
    }
    if let Some(script) = rule.script {
        let last = path.rfind('/').map_or(0, |slash| slash + 1);
        let end = path[last..].find(';').map_or(path.len(), |semicolon| last + semicolon);
        let whole = ["/", &path[..end]].concat();
        if !whole.ends_with(&["/", script].concat()) {
            return false;
        }
    }
    if rule.conditions.is_empty() {
        return true;
    }
    let all = parameters(url, parts.path_end, parts.query_end);
    rule.conditions.iter().all(|condition| {
        let mut named = all.iter().filter(|each| each.name == condition.name).peekable();
        let has_value = |each: &Parameter| {
            condition.value.is_none_or(|value| each.value.strip_prefix('=').unwrap_or("") == value)
        };
        named.peek().is_some() == condition.is_there && named.all(has_value)
    })
}

/// One of a query; its value begins with "=", or is empty.
#[derive(Clone)]
struct Parameter {
    separator: char,
    name: String,
    value: String,
}

impl Parameter {
    fn is_nothing(&self) -> bool {
        self.name.is_empty() && self.value.is_empty()
    }
}

/// Those of the query url[start..end]; the ";" of a leading "amp;" belongs to the name.
fn parameters(url: &str, start: usize, end: usize) -> Vec<Parameter> {
    let bytes = url.as_bytes();
    let mut found = Vec::new();
    let mut at = start;
    while at < end {
        let begin = at + 1;
        let mut stop = begin;
        while stop + 4 <= end && &bytes[stop..stop + 4] == b"amp;" {
            stop += 4;
        }
        while stop < end && bytes[stop] != b'&' && bytes[stop] != b';' {
            stop += 1;
        }
        let name_end = find(&url[..stop], "=", begin).unwrap_or(stop);
        found.push(Parameter {
            separator: char::from(bytes[at]),
            name: url[begin..name_end].to_string(),
            value: url[name_end..stop].to_string(),
        });
        at = stop;
    }
    found
}

fn edit_query(rule: &Rule, mut all: Vec<Parameter>) -> String {
    match rule.operation {
        "remove" => all.retain(|each| Some(each.name.as_str()) != rule.first),
        "set" => {
            for each in &mut all {
                if Some(each.name.as_str()) == rule.first {
                    each.value = format!("={}", rule.second.unwrap_or(""));
                }
            }
        }
        "drop-empty" => all.retain(|each| {
            let is_empty = each.value.is_empty() || each.value == "=";
            !is_empty || rule.first.is_some_and(|name| name != each.name)
        }),
        "sort" => {
            let mut sorted: Vec<Parameter> = all.iter().filter(|each| !each.is_nothing()).cloned().collect();
            sorted.sort_by(|a, b| a.name.cmp(&b.name));
            let mut next = sorted.into_iter();
            for each in &mut all {
                if !each.is_nothing() {
                    let Parameter { name, value, .. } = next.next().expect("as many as were taken");
                    each.name = name;
                    each.value = value;
                }
            }
        }
        _ => all = keep_one(rule, all),
    }
    join(&all)
}

fn keep_one(rule: &Rule, all: Vec<Parameter>) -> Vec<Parameter> {
    let mut places: HashMap<String, usize> = HashMap::new();
    for (place, each) in all.iter().enumerate() {
        if !each.is_nothing() && !(rule.operation == "keep-first" && places.contains_key(&each.name)) {
            places.insert(each.name.clone(), place);
        }
    }
    let is_kept = |place: usize, each: &Parameter| {
        each.is_nothing() || rule.first.is_some_and(|name| name != each.name) || places.get(&each.name) == Some(&place)
    };
    all.into_iter().enumerate().filter(|(place, each)| is_kept(*place, each)).map(|(_, each)| each).collect()
}

/// The query's text. A ";" behind a bare "amp" would be read as part of the next name: it becomes "&".
fn join(all: &[Parameter]) -> String {
    let mut query = String::new();
    for each in all {
        let is_bare = query == "?amp" || query.ends_with("&amp") || query.ends_with(";amp");
        query.push(match each.separator {
            _ if query.is_empty() => '?',
            ';' if is_bare => '&',
            separator => separator,
        });
        query.push_str(&each.name);
        query.push_str(&each.value);
    }
    query
}

/// Path parameters of this name go (no value), or get the value.
fn edit_path(url: &str, start: usize, end: usize, name: &str, value: Option<&str>) -> String {
    let bytes = url.as_bytes();
    let mut edited = String::new();
    let mut copied = 0;
    let mut next = find(&url[..end], ";", start);
    while let Some(at) = next {
        let mut stop = at + 1;
        while stop < end && bytes[stop] != b';' && bytes[stop] != b'/' {
            stop += 1;
        }
        if let Some(equals) = find(&url[..stop], "=", at) {
            if equals > at + 1 && &url[at + 1..equals] == name {
                match value {
                    None => edited.push_str(&url[copied..at]),
                    Some(text) => edited.push_str(&[&url[copied..equals], "=", text].concat()),
                }
                copied = stop;
            }
        }
        next = find(&url[..end], ";", stop);
    }
    edited + &url[copied..]
}

fn edit_path_end(operation: &str, path: &str, end: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or("");
    let kept = match operation {
        "drop-slash" if path.len() > 1 && path.ends_with('/') && !path.ends_with("//") => path.len() - 1,
        "drop-name" if !path.is_empty() && name == end => path.len() - end.len(),
        "drop-extension" if name.len() > end.len() && name.ends_with(end) => path.len() - end.len(),
        // "/a.html/" and "/a;v=1/" are other pages, if they are any.
        "add-slash" if !name.is_empty() && !name.contains(['.', ';']) => return [path, "/"].concat(),
        "add-extension" if !name.is_empty() && !name.contains(['.', ';']) => return [path, end].concat(),
        _ => path.len(),
    };
    path[..kept].to_string()
}

fn edit_www(url: &str, start: usize, end: usize, is_added: bool) -> String {
    let host = url[start..end].to_ascii_lowercase();
    let rest = host.strip_prefix("www.");
    if is_added && rest.is_none() && is_domain(&host) {
        return [&url[..start], "www.", &url[start..]].concat();
    }
    match rest {
        Some(rest) if !is_added && is_domain(rest) && !rest.starts_with("www.") => [&url[..start], &url[start + 4..]].concat(),
        _ => url.to_string(),
    }
}

/// A name with a dot in it that is no address.
fn is_domain(host: &str) -> bool {
    let is_number = host.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit());
    host.contains('.') && !is_number && !host.starts_with('.') && !host.contains(['[', ':'])
}

/// The first occurrence in whole tokens; none that is part of a replacement already.
fn replace(text: &str, from: &str, to: &str, at_start: bool, at_end: bool) -> Option<String> {
    if at_start || at_end {
        let at = if at_start { 0 } else { text.len().checked_sub(from.len())? };
        let stands = text.as_bytes()[at..].starts_with(from.as_bytes()) && (!at_end || at + from.len() == text.len());
        if !stands || !qualifies(text, at, from, to) || is_replaced(text, from, to, at_start) {
            return None;
        }
        return replace_at(text, at, from, to);
    }
    let is_part = to.len() > from.len() && to.contains(from);
    let mut sought = if is_part { occurrence(text, to, 0) } else { None };
    let mut reach = 0;
    let mut next = occurrence(text, from, 0);
    while let Some(at) = next {
        while let Some(place) = sought.filter(|place| *place <= at) {
            if is_boundary(text, place) && is_boundary(text, place + to.len()) {
                reach = place + to.len();
            }
            sought = occurrence(text, to, place + 1);
        }
        if at + from.len() > reach && qualifies(text, at, from, to) {
            let result = replace_at(text, at, from, to);
            if result.is_some() {
                return result;
            }
        }
        next = occurrence(text, from, at + 1);
    }
    None
}

/// The first place at or behind `from`, which may be inside a character.
fn occurrence(text: &str, sought: &str, from: usize) -> Option<usize> {
    let mut start = from;
    while start <= text.len() && !text.is_char_boundary(start) {
        start += 1;
    }
    find(text, sought, start)
}

fn find(text: &str, sought: &str, from: usize) -> Option<usize> {
    text.get(from..)?.find(sought).map(|at| from + at)
}

fn is_replaced(text: &str, from: &str, to: &str, at_start: bool) -> bool {
    if to.len() < from.len() {
        return false;
    }
    if at_start {
        text.starts_with(to) && is_boundary(text, to.len())
    } else {
        text.ends_with(to) && is_boundary(text, text.len() - to.len())
    }
}

fn qualifies(text: &str, at: usize, from: &str, to: &str) -> bool {
    let bytes = text.as_bytes();
    let end = at + from.len();
    if !is_boundary(text, at) || !is_boundary(text, end) {
        return false;
    }
    let before = at > 0 && bytes[at - 1].is_ascii_alphanumeric();
    let after = end < bytes.len() && bytes[end].is_ascii_alphanumeric();
    match (to.as_bytes().first(), to.as_bytes().last()) {
        (Some(first), Some(last)) => {
            !(before && first.is_ascii_alphanumeric()) && !(after && last.is_ascii_alphanumeric())
        }
        _ => !(before && after),
    }
}

fn is_boundary(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    at == 0 || at >= bytes.len() || !bytes[at - 1].is_ascii_alphanumeric() || !bytes[at].is_ascii_alphanumeric()
}

/// None where the URL would come apart, or something would change sides between host and path.
fn replace_at(text: &str, at: usize, from: &str, to: &str) -> Option<String> {
    let result = [&text[..at], to, &text[at + from.len()..]].concat();
    let slash = if text.starts_with('/') { Some(0) } else { occurrence(text, "/", "https://".len()) };
    if slash.is_some_and(|place| at > place) {
        return Some(result);
    }
    let border = parse(text)?.path_start;
    let moved = parse(&result)?.path_start;
    let is_kept = if at > border {
        true
    } else if at + from.len() < border {
        moved + from.len() == border + to.len()
    } else {
        at <= moved && moved <= at + to.len()
    };
    if is_kept { Some(result) } else { None }
}

fn main() {
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().split(b'\n') {
        let mut bytes = line.expect("stdin can be read");
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        // What is no UTF-8 is no URL.
        match String::from_utf8(bytes) {
            Ok(url) => writeln!(output, "{}", canonical(&url)).expect("stdout can be written"),
            Err(error) => {
                output.write_all(error.as_bytes()).expect("stdout can be written");
                output.write_all(b"\n").expect("stdout can be written");
            }
        }
    }
}
