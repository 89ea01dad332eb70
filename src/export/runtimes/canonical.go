// Package main gives canonical URLs: safe normalization, then dustpan's rules until nothing changes.
//
// Canonical gives the canonical URL; what is no http(s) URL comes back as it was. As a program it reads URLs, one a line,
// and prints their canonical ones. To use it as a library, change the package's name and remove main.
package main

import (
	"bufio"
	"io"
	"os"
	"sort"
	"strconv"
	"strings"
)

// Rule is one operation with its texts and its scope. An absent text is nil.
type Rule struct {
	ID                       string
	Operation                string
	First, Second            *string
	AtStart, AtEnd, Repeated bool
	Host, Path, Script       *string
	Conditions               []Condition
}

// Condition on the query: the parameter is there, with this value wherever it stands if it is not nil; or it is not.
type Condition struct {
	Name    string
	IsThere bool
	Value   *string
}

// Rules are applied in this order.
var Rules = []Rule{}

// Aliases are single URLs that are another one's page, after the rules.
var Aliases = map[string]string{}

const (
	maxRounds       = 10
	maxApplications = 1000
)

// Canonical is safe normalization, then the rules, then the aliases.
func Canonical(url string) string {
	found := Canonize(Normalize(url), Rules)
	if to, ok := Aliases[found]; ok {
		return to
	}
	return found
}

// Canonize applies the rules alone to a URL that is normal already. Where they find no rest, it is the URL as it was.
func Canonize(url string, rules []Rule) string {
	if _, ok := parse(url); !ok {
		return url
	}
	text := url
	applications := 0
	for round := 0; round < maxRounds; round++ {
		previous := text
		for i := range rules {
			for {
				changed, ok := apply(&rules[i], text)
				if !ok {
					break
				}
				applications++
				if applications > maxApplications {
					return url
				}
				text = changed
				if !rules[i].Repeated {
					break
				}
			}
		}
		if text == previous {
			return text
		}
	}
	return url
}

// Normalize does what leads to the same request, and takes the fragment away.
func Normalize(url string) string {
	p, ok := parse(url)
	if !ok {
		return url
	}
	port := url[p.hostEnd:p.pathStart]
	if port != "" {
		number, _ := strconv.Atoi("0" + url[p.portStart:p.pathStart])
		if p.portStart == p.pathStart || (p.schemeEnd == 4 && number == 80) || (p.schemeEnd != 4 && number == 443) {
			port = ""
		}
	}
	path := url[p.pathStart:p.pathEnd]
	if path == "" {
		path = "/"
	}
	if strings.Contains(path, "/.") {
		path = removeDotSegments(path)
	}
	rest := []byte(path + url[p.pathEnd:p.queryEnd])
	for i := 0; i+2 < len(rest); i++ {
		if rest[i] == '%' && isHex(rest[i+1]) && isHex(rest[i+2]) {
			rest[i+1] = upper(rest[i+1])
			rest[i+2] = upper(rest[i+2])
			i += 2
		}
	}
	return lower(url[:p.schemeEnd]) + url[p.schemeEnd:p.hostStart] + lower(url[p.hostStart:p.hostEnd]) + port + string(rest)
}

func removeDotSegments(path string) string {
	kept := []string{}
	segments := strings.Split(path, "/")[1:]
	for place, segment := range segments {
		if segment != "." && segment != ".." {
			kept = append(kept, segment)
			continue
		}
		if segment == ".." && len(kept) > 0 {
			kept = kept[:len(kept)-1]
		}
		if place == len(segments)-1 {
			kept = append(kept, "")
		}
	}
	return "/" + strings.Join(kept, "/")
}

// parts says where the parts of a URL are.
type parts struct {
	schemeEnd, hostStart, hostEnd, portStart, pathStart, pathEnd, queryEnd int
}

func parse(url string) (parts, bool) {
	if strings.HasPrefix(url, "/") {
		return split(url, parts{}), true
	}
	head := lower(url[:min(6, len(url))])
	schemeEnd := 0
	if strings.HasPrefix(head, "http:") {
		schemeEnd = 4
	} else if head == "https:" {
		schemeEnd = 5
	}
	if schemeEnd == 0 || !strings.HasPrefix(url[schemeEnd+1:], "//") {
		return parts{}, false
	}
	hostStart := schemeEnd + 3
	pathStart := hostStart
	colon := -1
	plain := true
authority:
	for ; pathStart < len(url); pathStart++ {
		switch character := url[pathStart]; {
		case character == '/' || character == '?' || character == '#':
			break authority
		case character == '\\':
			return parts{}, false
		case character == '@':
			hostStart = pathStart + 1
			colon = -1
			plain = true
		case character == ':':
			if colon < 0 {
				colon = pathStart
			}
		case character <= ' ' || strings.IndexByte("%<>[]^|\x7f", character) >= 0:
			plain = false
		}
	}
	hostEnd := pathStart
	if colon >= 0 {
		hostEnd = colon
	}
	if !plain {
		hostEnd = addressEnd(url, hostStart, pathStart)
	}
	if hostEnd == hostStart {
		return parts{}, false
	}
	portStart := hostEnd
	if hostEnd < pathStart {
		portStart++
	}
	port := 0
	for _, digit := range []byte(url[portStart:pathStart]) {
		if digit < '0' || digit > '9' {
			return parts{}, false
		}
		port = port*10 + int(digit-'0')
		if port > 65535 {
			return parts{}, false
		}
	}
	return split(url, parts{schemeEnd: schemeEnd, hostStart: hostStart, hostEnd: hostEnd, portStart: portStart, pathStart: pathStart}), true
}

// split finds the ends of path and query.
func split(url string, p parts) parts {
	p.queryEnd = len(url)
	if at := strings.IndexByte(url[p.pathStart:], '#'); at >= 0 {
		p.queryEnd = p.pathStart + at
	}
	p.pathEnd = p.queryEnd
	if at := strings.IndexByte(url[p.pathStart:p.queryEnd], '?'); at >= 0 {
		p.pathEnd = p.pathStart + at
	}
	return p
}

// addressEnd is the end of an IPv6 address in brackets, or start where this is none.
func addressEnd(url string, start, end int) int {
	close := strings.IndexByte(url[start:], ']') + start
	if start >= end || url[start] != '[' || close < start+3 || close >= end {
		return start
	}
	if close+1 < end && url[close+1] != ':' {
		return start
	}
	for _, character := range []byte(url[start+1 : close]) {
		if !isHex(character) && character != ':' && character != '.' {
			return start
		}
	}
	return close + 1
}

// apply says what the rule makes of the URL; false where it changes nothing.
func apply(rule *Rule, url string) (string, bool) {
	p, _ := parse(url)
	if !inScope(rule, url, p) {
		return "", false
	}
	edited := url
	switch rule.Operation {
	case "replace":
		return replace(url, *rule.First, *rule.Second, rule.AtStart, rule.AtEnd)
	case "remove-path", "set-path":
		edited = editPath(url, p.pathStart, p.pathEnd, *rule.First, rule.Second)
	case "drop-www", "add-www":
		edited = editWww(url, p.hostStart, p.hostEnd, rule.Operation == "add-www")
	case "scheme":
		if p.schemeEnd > 0 && p.hostEnd == p.pathStart {
			edited = *rule.First + url[p.schemeEnd:]
		}
	case "drop-slash", "add-slash", "drop-name", "drop-extension", "add-extension":
		edited = url[:p.pathStart] + editPathEnd(rule, url[p.pathStart:p.pathEnd]) + url[p.pathEnd:]
	case "lower-path":
		path := []byte(url[p.pathStart:p.pathEnd])
		for i := 0; i < len(path); i++ {
			if path[i] == '%' && i+2 < len(path) && isHex(path[i+1]) && isHex(path[i+2]) {
				i += 2
			} else if path[i] >= 'A' && path[i] <= 'Z' {
				path[i] += 32
			}
		}
		edited = url[:p.pathStart] + string(path) + url[p.pathEnd:]
	case "single-slash":
		edited = url[:p.pathStart] + singleSlashes(url[p.pathStart:p.pathEnd]) + url[p.pathEnd:]
	case "decode-marks":
		query := decode(url[p.pathEnd:p.queryEnd], marks+"/?")
		edited = url[:p.pathStart] + decode(url[p.pathStart:p.pathEnd], marks) + query + url[p.queryEnd:]
	case "template":
		edited = url[:p.pathStart] + editTemplate(url[p.pathStart:p.queryEnd], *rule.First, *rule.Second) + url[p.queryEnd:]
	default:
		edited = url[:p.pathEnd] + editQuery(rule, parameters(url, p.pathEnd, p.queryEnd)) + url[p.queryEnd:]
	}
	return edited, edited != url
}

func singleSlashes(path string) string {
	kept := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		if path[i] != '/' || i == 0 || path[i-1] != '/' {
			kept = append(kept, path[i])
		}
	}
	return string(kept)
}

const marks = "-_~!$'()*,:@"

// decode writes percent-encoded marks as they are.
func decode(text, marks string) string {
	decoded := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]) {
			mark := 16*hexValue(text[i+1]) + hexValue(text[i+2])
			if strings.IndexByte(marks, mark) >= 0 {
				decoded = append(decoded, mark)
				i += 2
				continue
			}
		}
		decoded = append(decoded, text[i])
	}
	return string(decoded)
}

func hexValue(digit byte) byte {
	if digit <= '9' {
		return digit - '0'
	}
	return digit&15 + 9
}

func inScope(rule *Rule, url string, p parts) bool {
	if rule.Host != nil {
		host := *rule.Host
		given := lower(url[p.hostStart:p.hostEnd])
		below := strings.HasPrefix(host, "*.") && (strings.HasSuffix(given, host[1:]) || given == host[2:])
		if given != host && !below {
			return false
		}
	}
	path := url[p.pathStart:p.pathEnd]
	if rule.Script != nil {
		last := strings.LastIndexByte(path, '/') + 1
		script, _, _ := strings.Cut(path[last:], ";")
		if !strings.HasSuffix("/"+path[:last]+script, "/"+*rule.Script) {
			return false
		}
	}
	if rule.Path != nil {
		if path == "" {
			path = "/"
		}
		if !strings.HasPrefix(path, *rule.Path) {
			return false
		}
	}
	if len(rule.Conditions) == 0 {
		return true
	}
	all := parameters(url, p.pathEnd, p.queryEnd)
	for _, condition := range rule.Conditions {
		isThere := false
		for _, each := range all {
			if each.name != condition.Name {
				continue
			}
			isThere = true
			if condition.Value != nil && strings.TrimPrefix(each.value, "=") != *condition.Value {
				return false
			}
		}
		if isThere != condition.IsThere {
			return false
		}
	}
	return true
}

// parameter of a query; its value begins with "=", or is empty.
type parameter struct{ separator, name, value string }

func (p parameter) isNothing() bool { return p.name == "" && p.value == "" }

// parameters of the query in url[start:end]; the ";" of a leading "amp;" belongs to the name.
func parameters(url string, start, end int) []parameter {
	found := []parameter{}
	for at := start; at < end; {
		begin := at + 1
		stop := begin
		for stop+4 <= end && url[stop:stop+4] == "amp;" {
			stop += 4
		}
		for stop < end && url[stop] != '&' && url[stop] != ';' {
			stop++
		}
		nameEnd := stop
		if equals := strings.IndexByte(url[begin:stop], '='); equals >= 0 {
			nameEnd = begin + equals
		}
		found = append(found, parameter{url[at:begin], url[begin:nameEnd], url[nameEnd:stop]})
		at = stop
	}
	return found
}

func editQuery(rule *Rule, all []parameter) string {
	kept := []parameter{}
	switch rule.Operation {
	case "remove":
		for _, each := range all {
			if each.name != *rule.First {
				kept = append(kept, each)
			}
		}
	case "set":
		for _, each := range all {
			if each.name == *rule.First {
				each.value = "=" + *rule.Second
			}
			kept = append(kept, each)
		}
	case "drop-empty":
		for _, each := range all {
			isEmpty := each.value == "" || each.value == "="
			if !isEmpty || (rule.First != nil && *rule.First != each.name) {
				kept = append(kept, each)
			}
		}
	case "sort":
		sorted := []parameter{}
		for _, each := range all {
			if !each.isNothing() {
				sorted = append(sorted, each)
			}
		}
		sort.SliceStable(sorted, func(a, b int) bool { return sorted[a].name < sorted[b].name })
		for _, each := range all {
			if !each.isNothing() {
				each.name, each.value = sorted[0].name, sorted[0].value
				sorted = sorted[1:]
			}
			kept = append(kept, each)
		}
	default:
		kept = keepOne(rule, all)
	}
	return join(kept)
}

func keepOne(rule *Rule, all []parameter) []parameter {
	places := map[string]int{}
	for place, each := range all {
		_, isKnown := places[each.name]
		if !each.isNothing() && !(rule.Operation == "keep-first" && isKnown) {
			places[each.name] = place
		}
	}
	kept := []parameter{}
	for place, each := range all {
		if each.isNothing() || (rule.First != nil && each.name != *rule.First) || places[each.name] == place {
			kept = append(kept, each)
		}
	}
	return kept
}

// join makes the query's text. A ";" behind a bare "amp" would be read as part of the next name: it becomes "&".
func join(all []parameter) string {
	query := ""
	for _, each := range all {
		separator := each.separator
		if query == "" {
			separator = "?"
		} else if separator == ";" && (query == "?amp" || strings.HasSuffix(query, "&amp") || strings.HasSuffix(query, ";amp")) {
			separator = "&"
		}
		query += separator + each.name + each.value
	}
	return query
}

// editPath removes path parameters of this name (value nil), or gives them the value.
func editPath(url string, start, end int, name string, value *string) string {
	edited := ""
	copied := 0
	for at := start; at < end; {
		if url[at] != ';' {
			at++
			continue
		}
		stop := at + 1
		for stop < end && url[stop] != ';' && url[stop] != '/' {
			stop++
		}
		equals := at + strings.IndexByte(url[at:stop], '=')
		if equals > at+1 && url[at+1:equals] == name {
			if value == nil {
				edited += url[copied:at]
			} else {
				edited += url[copied:equals] + "=" + *value
			}
			copied = stop
		}
		at = stop
	}
	return edited + url[copied:]
}

func editPathEnd(rule *Rule, path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	end := ""
	if rule.First != nil {
		end = *rule.First
	}
	switch rule.Operation {
	case "drop-slash":
		if len(path) > 1 && strings.HasSuffix(path, "/") && !strings.HasSuffix(path, "//") {
			return path[:len(path)-1]
		}
	case "drop-name":
		if path != "" && name == end {
			return path[:len(path)-len(end)]
		}
	case "drop-extension":
		if len(name) > len(end) && strings.HasSuffix(name, end) {
			return path[:len(path)-len(end)]
		}
	default:
		// "/a.html/" and "/a;v=1/" are other pages, if they are any.
		if name == "" || strings.ContainsAny(name, ".;") {
			return path
		}
		if rule.Operation == "add-slash" {
			end = "/"
		}
		return path + end
	}
	return path
}

func editWww(url string, start, end int, isAdded bool) string {
	host := url[start:end]
	hasPrefix := strings.HasPrefix(lower(host), "www.")
	if isAdded {
		if isDomain(host) && !hasPrefix {
			return url[:start] + "www." + url[start:]
		}
		return url
	}
	if !hasPrefix || !isDomain(host[4:]) || strings.HasPrefix(lower(host[4:]), "www.") {
		return url
	}
	return url[:start] + url[start+4:]
}

// isDomain tells a name with a dot in it that is no address.
func isDomain(host string) bool {
	isNumber := strings.Trim(host, "0123456789.") == ""
	return strings.Contains(host, ".") && !isNumber && host[0] != '.' && !strings.ContainsAny(host, "[:")
}

// replace changes the first occurrence in whole tokens; none that is part of a replacement already.
// templatePart is a text, or a capture with its name and type.
type templatePart struct{ text, name, kind string }

func templateParts(template string) []templatePart {
	found := []templatePart{}
	for at := 0; at < len(template); {
		if at+1 < len(template) && (template[at:at+2] == "{{" || template[at:at+2] == "}}") {
			found = append(found, templatePart{text: template[at : at+1]})
			at += 2
		} else if template[at] == '{' {
			end := at + strings.IndexByte(template[at:], '}')
			name, kind, _ := strings.Cut(template[at+1:end], ":")
			found = append(found, templatePart{name: name, kind: kind})
			at = end + 1
		} else {
			end := at
			for end < len(template) && template[end] != '{' && template[end] != '}' {
				end++
			}
			found = append(found, templatePart{text: template[at:end]})
			at = end
		}
	}
	return found
}

func (p templatePart) takes(c byte) bool {
	switch p.kind {
	case "number":
		return c >= '0' && c <= '9'
	case "hex":
		return isHex(c)
	case "word":
		return isAlphanumeric(c) || c == '_' || c == '-'
	case "segment":
		return strings.IndexByte("/?&;=", c) < 0
	}
	return true
}

// Each capture takes as much as it can. From the right: where does it end if it begins here and the rest matches?
func editTemplate(text, from, to string) string {
	all := templateParts(from)
	if !strings.HasPrefix(text, all[0].text) {
		return text
	}
	ends := make([][]int, len(all))
	rest := make([]int, len(text)+1)
	rest[len(text)] = 1
	for i := len(all) - 1; i >= 0; i-- {
		own := make([]int, len(text)+1)
		for at := len(text); at >= 0; at-- {
			if all[i].kind == "" {
				if strings.HasPrefix(text[at:], all[i].text) {
					own[at] = rest[at+len(all[i].text)]
				}
			} else if at < len(text) && all[i].takes(text[at]) {
				own[at] = own[at+1]
				if own[at] == 0 && rest[at+1] > 0 {
					own[at] = at + 1
				}
			}
		}
		ends[i] = own
		rest = own
	}
	if rest[0] == 0 {
		return text
	}
	values := map[string]string{}
	at := 0
	for i, part := range all {
		if part.kind == "" {
			at += len(part.text)
			continue
		}
		values[part.name] = text[at:ends[i][at]]
		at = ends[i][at]
	}
	edited := ""
	for _, part := range templateParts(to) {
		edited += part.text + values[part.name]
	}
	return edited
}

func replace(text, from, to string, atStart, atEnd bool) (string, bool) {
	if atStart || atEnd {
		at := 0
		if !atStart {
			at = len(text) - len(from)
		}
		if at < 0 || !strings.HasPrefix(text[at:], from) || (atEnd && at+len(from) != len(text)) {
			return "", false
		}
		if !qualifies(text, at, from, to) || isReplaced(text, from, to, atStart) {
			return "", false
		}
		return replaceAt(text, at, from, to)
	}
	isPart := len(to) > len(from) && strings.Contains(to, from)
	next := 0
	last := -len(to) - 1
	for at := find(text, from, 0); at >= 0; at = find(text, from, at+1) {
		if isPart {
			for next >= 0 && next <= at {
				if next = find(text, to, next); next < 0 || next > at {
					break
				}
				if isBoundary(text, next) && isBoundary(text, next+len(to)) {
					last = next
				}
				next++
			}
		}
		if !qualifies(text, at, from, to) || (isPart && at+len(from) <= last+len(to)) {
			continue
		}
		if result, ok := replaceAt(text, at, from, to); ok {
			return result, true
		}
	}
	return "", false
}

func find(text, sought string, from int) int {
	if from > len(text) {
		return -1
	}
	at := strings.Index(text[from:], sought)
	if at < 0 {
		return -1
	}
	return from + at
}

func isReplaced(text, from, to string, atStart bool) bool {
	if len(to) < len(from) {
		return false
	}
	if atStart {
		return strings.HasPrefix(text, to) && isBoundary(text, len(to))
	}
	return strings.HasSuffix(text, to) && isBoundary(text, len(text)-len(to))
}

func qualifies(text string, at int, from, to string) bool {
	end := at + len(from)
	if !isBoundary(text, at) || !isBoundary(text, end) {
		return false
	}
	before := at > 0 && isAlphanumeric(text[at-1])
	after := end < len(text) && isAlphanumeric(text[end])
	if to == "" {
		return !(before && after)
	}
	return !(before && isAlphanumeric(to[0])) && !(after && isAlphanumeric(to[len(to)-1]))
}

func isBoundary(text string, at int) bool {
	return at <= 0 || at >= len(text) || !isAlphanumeric(text[at-1]) || !isAlphanumeric(text[at])
}

// replaceAt is false where the URL would come apart, or something would change sides between host and path.
func replaceAt(text string, at int, from, to string) (string, bool) {
	result := text[:at] + to + text[at+len(from):]
	slash := 0
	if !strings.HasPrefix(text, "/") {
		slash = find(text, "/", len("https://"))
	}
	if slash >= 0 && at > slash {
		return result, true
	}
	before, wasURL := parse(text)
	after, isURL := parse(result)
	if !wasURL || !isURL {
		return "", false
	}
	border, moved := before.pathStart, after.pathStart
	if at > border {
		return result, true
	}
	if at+len(from) < border {
		return result, moved-border == len(to)-len(from)
	}
	return result, at <= moved && moved <= at+len(to)
}

func isAlphanumeric(c byte) bool {
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
}

func isHex(c byte) bool {
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 32
	}
	return c
}

// lower changes ASCII letters only.
func lower(text string) string {
	bytes := []byte(text)
	for i, c := range bytes {
		if c >= 'A' && c <= 'Z' {
			bytes[i] = c + 32
		}
	}
	return string(bytes)
}

func text(value string) *string { return &value }

func main() {
	input := bufio.NewReader(os.Stdin)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for {
		line, err := input.ReadString('\n')
		if line != "" {
			output.WriteString(Canonical(strings.TrimRight(line, "\r\n")) + "\n")
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			panic(err)
		}
	}
}
