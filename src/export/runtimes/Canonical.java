import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Canonical URLs: safe normalization, then dustpan's rules until nothing changes.
 *
 * <p>{@link #canonical} gives the canonical URL; what is no http(s) URL comes back as it was. As a program it reads URLs,
 * one a line, and prints their canonical ones.
 */
public final class Canonical {
  /** One operation with its texts and its scope. An absent text is null. */
  public record Rule(
      String id,
      String operation,
      String first,
      String second,
      boolean atStart,
      boolean atEnd,
      boolean isRepeated,
      String host,
      String path,
      String script,
      List<Condition> conditions) {}

  /** On the query: the parameter is there, with this value wherever it stands if that is not null; or it is not. */
  public record Condition(String name, boolean isThere, String value) {}

  /** Applied in this order. */
  public static final List<Rule> RULES = Stream.<Rule>of().toList();

  /** Single URLs that are another one's page, after the rules. */
  public static final Map<String, String> ALIASES = Map.of();

  private static final int MAX_ROUNDS = 10;
  private static final int MAX_APPLICATIONS = 1000;

  private Canonical() {}

  /** Safe normalization, then the rules, then the aliases. */
  public static String canonical(String url) {
    String found = canonize(normalize(url), RULES);
    return ALIASES.getOrDefault(found, found);
  }

  /** The rules alone, on a URL that is normal already. Where they find no rest, the URL as it was. */
  public static String canonize(String url, List<Rule> rules) {
    if (parse(url) == null) return url;
    String text = url;
    int applications = 0;
    for (int round = 0; round < MAX_ROUNDS; round++) {
      String previous = text;
      for (Rule rule : rules) {
        for (String changed = apply(rule, text); changed != null; changed = apply(rule, text)) {
          if (++applications > MAX_APPLICATIONS) return url;
          text = changed;
          if (!rule.isRepeated()) break;
        }
      }
      if (text.equals(previous)) return text;
    }
    return url;
  }

  /** What leads to the same request, and no fragment. */
  public static String normalize(String url) {
    Parts parts = parse(url);
    if (parts == null) return url;
    String port = url.substring(parts.hostEnd, parts.pathStart);
    if (!port.isEmpty()) {
      String digits = url.substring(parts.portStart, parts.pathStart);
      if (digits.isEmpty() || Long.parseLong(digits) == (parts.schemeEnd == 4 ? 80 : 443)) port = "";
    }
    String path = url.substring(parts.pathStart, parts.pathEnd);
    if (path.isEmpty()) path = "/";
    if (path.contains("/.")) path = removeDotSegments(path);
    StringBuilder rest = new StringBuilder(path).append(url, parts.pathEnd, parts.queryEnd);
    for (int i = 0; i + 2 < rest.length(); i++) {
      if (rest.charAt(i) != '%' || !isHex(rest.charAt(i + 1)) || !isHex(rest.charAt(i + 2))) continue;
      rest.setCharAt(i + 1, Character.toUpperCase(rest.charAt(i + 1)));
      rest.setCharAt(i + 2, Character.toUpperCase(rest.charAt(i + 2)));
      i += 2;
    }
    return lower(url.substring(0, parts.schemeEnd))
        + url.substring(parts.schemeEnd, parts.hostStart)
        + lower(url.substring(parts.hostStart, parts.hostEnd))
        + port
        + rest;
  }

  private static String removeDotSegments(String path) {
    List<String> kept = new ArrayList<>();
    String[] segments = path.split("/", -1);
    for (int i = 1; i < segments.length; i++) {
      boolean isParent = segments[i].equals("..");
      if (!isParent && !segments[i].equals(".")) {
        kept.add(segments[i]);
        continue;
      }
      if (isParent && !kept.isEmpty()) kept.remove(kept.size() - 1);
      if (i == segments.length - 1) kept.add("");
    }
    return "/" + String.join("/", kept);
  }

  /** Where the parts of a URL are. */
  private record Parts(
      int schemeEnd, int hostStart, int hostEnd, int portStart, int pathStart, int pathEnd, int queryEnd) {}

  private static Parts parse(String url) {
    if (url.startsWith("/")) return split(url, 0, 0, 0, 0, 0);
    String head = lower(url.substring(0, Math.min(8, url.length())));
    int schemeEnd = head.startsWith("http://") ? 4 : head.equals("https://") ? 5 : 0;
    if (schemeEnd == 0) return null;
    int hostStart = schemeEnd + 3;
    int pathStart = hostStart;
    int colon = -1;
    boolean isPlain = true;
    for (; pathStart < url.length(); pathStart++) {
      char character = url.charAt(pathStart);
      if (character == '/' || character == '?' || character == '#') break;
      if (character == '\\') return null;
      if (character == '@') {
        hostStart = pathStart + 1;
        colon = -1;
        isPlain = true;
      } else if (character == ':') {
        if (colon < 0) colon = pathStart;
      } else if (character <= ' ' || "%<>[]^|\177".indexOf(character) >= 0) {
        isPlain = false;
      }
    }
    int hostEnd = colon < 0 ? pathStart : colon;
    if (!isPlain) hostEnd = addressEnd(url, hostStart, pathStart);
    if (hostEnd == hostStart) return null;
    int portStart = hostEnd < pathStart ? hostEnd + 1 : hostEnd;
    int port = 0;
    for (int i = portStart; i < pathStart; i++) {
      int digit = url.charAt(i) - '0';
      if (digit < 0 || digit > 9) return null;
      port = port * 10 + digit;
      if (port > 65535) return null;
    }
    return split(url, schemeEnd, hostStart, hostEnd, portStart, pathStart);
  }

  private static Parts split(
      String url, int schemeEnd, int hostStart, int hostEnd, int portStart, int pathStart) {
    int fragment = url.indexOf('#', pathStart);
    int queryEnd = fragment < 0 ? url.length() : fragment;
    int question = url.indexOf('?', pathStart);
    int pathEnd = question < 0 || question > queryEnd ? queryEnd : question;
    return new Parts(schemeEnd, hostStart, hostEnd, portStart, pathStart, pathEnd, queryEnd);
  }

  /** The end of an IPv6 address in brackets, or `start` where this is none. */
  private static int addressEnd(String url, int start, int end) {
    int close = url.indexOf(']', start);
    if (start >= end || url.charAt(start) != '[' || close < start + 3 || close >= end) return start;
    if (close + 1 < end && url.charAt(close + 1) != ':') return start;
    for (int i = start + 1; i < close; i++) {
      char character = url.charAt(i);
      if (!isHex(character) && character != ':' && character != '.') return start;
    }
    return close + 1;
  }

  /** What the rule makes of the URL; null where it changes nothing. */
  private static String apply(Rule rule, String url) {
    Parts parts = parse(url);
    if (!inScope(rule, url, parts)) return null;
    String edited;
    switch (rule.operation()) {
      case "replace":
        return replace(url, rule.first(), rule.second(), rule.atStart(), rule.atEnd());
      case "remove-path", "set-path":
        edited = editPath(url, parts.pathStart, parts.pathEnd, rule.first(), rule.second());
        break;
      case "drop-www", "add-www":
        edited = editWww(url, parts.hostStart, parts.hostEnd, rule.operation().equals("add-www"));
        break;
      case "scheme":
        boolean isFree = parts.schemeEnd > 0 && parts.hostEnd == parts.pathStart;
        edited = isFree ? rule.first() + url.substring(parts.schemeEnd) : url;
        break;
      case "drop-slash", "add-slash", "drop-name", "drop-extension", "add-extension":
        String path = url.substring(parts.pathStart, parts.pathEnd);
        edited = url.substring(0, parts.pathStart) + editPathEnd(rule, path) + url.substring(parts.pathEnd);
        break;
      case "lower-path":
        edited = lowerPath(url, parts.pathStart, parts.pathEnd);
        break;
      case "single-slash":
        String single = url.substring(parts.pathStart, parts.pathEnd).replaceAll("/+", "/");
        edited = url.substring(0, parts.pathStart) + single + url.substring(parts.pathEnd);
        break;
      case "decode-marks":
        String ofPath = decode(url.substring(parts.pathStart, parts.pathEnd), MARKS);
        String ofQuery = decode(url.substring(parts.pathEnd, parts.queryEnd), MARKS + "/?");
        edited = url.substring(0, parts.pathStart) + ofPath + ofQuery + url.substring(parts.queryEnd);
        break;
      case "template":
        String text = url.substring(parts.pathStart, parts.queryEnd);
        String image = editTemplate(text, rule.first(), rule.second());
        edited = url.substring(0, parts.pathStart) + image + url.substring(parts.queryEnd);
        break;
      default:
        List<Parameter> parameters = parameters(url, parts.pathEnd, parts.queryEnd);
        edited = url.substring(0, parts.pathEnd) + editQuery(rule, parameters) + url.substring(parts.queryEnd);
    }
    return edited.equals(url) ? null : edited;
  }

  /** A text, or a capture with its name and type. */
  private record TemplatePart(String text, String name, String type) {
    boolean takes(char character) {
      return switch (type) {
        case "number" -> character >= '0' && character <= '9';
        case "hex" -> isHex(character);
        case "word" -> isAlphanumeric(character) || character == '_' || character == '-';
        case "segment" -> "/?&;=".indexOf(character) < 0;
        default -> true;
      };
    }
  }

  private static List<TemplatePart> templateParts(String template) {
    List<TemplatePart> found = new ArrayList<>();
    for (int at = 0; at < template.length(); ) {
      int end = at;
      if (template.startsWith("{{", at) || template.startsWith("}}", at)) {
        found.add(new TemplatePart(template.substring(at, at + 1), null, null));
        end = at + 2;
      } else if (template.charAt(at) == '{') {
        int colon = template.indexOf(':', at);
        end = template.indexOf('}', at) + 1;
        found.add(new TemplatePart(null, template.substring(at + 1, colon), template.substring(colon + 1, end - 1)));
      } else {
        while (end < template.length() && "{}".indexOf(template.charAt(end)) < 0) end++;
        found.add(new TemplatePart(template.substring(at, end), null, null));
      }
      at = end;
    }
    return found;
  }

  /** Each capture takes as much as it can. From the right: where does it end if it begins here and the rest matches? */
  private static String editTemplate(String text, String from, String to) {
    List<TemplatePart> all = templateParts(from);
    if (!text.startsWith(all.get(0).text())) return text;
    int length = text.length();
    int[][] ends = new int[all.size()][];
    int[] rest = new int[length + 1];
    rest[length] = 1;
    for (int i = all.size() - 1; i >= 0; i--) {
      TemplatePart part = all.get(i);
      int[] own = new int[length + 1];
      for (int at = length; at >= 0; at--) {
        if (part.text() != null) {
          if (text.startsWith(part.text(), at)) own[at] = rest[at + part.text().length()];
        } else if (at < length && part.takes(text.charAt(at))) {
          own[at] = own[at + 1] > 0 || rest[at + 1] == 0 ? own[at + 1] : at + 1;
        }
      }
      ends[i] = own;
      rest = own;
    }
    if (rest[0] == 0) return text;
    Map<String, String> values = new HashMap<>();
    int at = 0;
    for (int i = 0; i < ends.length; i++) {
      TemplatePart part = all.get(i);
      int end = part.text() != null ? at + part.text().length() : ends[i][at];
      if (part.text() == null) values.put(part.name(), text.substring(at, end));
      at = end;
    }
    StringBuilder edited = new StringBuilder();
    for (TemplatePart part : templateParts(to)) {
      edited.append(part.text() != null ? part.text() : values.get(part.name()));
    }
    return edited.toString();
  }

  private static String editPathEnd(Rule rule, String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    String end = rule.first();
    switch (rule.operation()) {
      case "drop-slash":
        boolean isOne = path.length() > 1 && path.endsWith("/") && !path.endsWith("//");
        return isOne ? path.substring(0, path.length() - 1) : path;
      case "drop-name":
        return !path.isEmpty() && name.equals(end) ? path.substring(0, path.length() - end.length()) : path;
      case "drop-extension":
        boolean hasEnd = name.length() > end.length() && name.endsWith(end);
        return hasEnd ? path.substring(0, path.length() - end.length()) : path;
      default:
        // "/a.html/" and "/a;v=1/" are other pages, if they are any.
        if (name.isEmpty() || name.contains(".") || name.contains(";")) return path;
        return path + (rule.operation().equals("add-slash") ? "/" : end);
    }
  }

  private static String editWww(String url, int start, int end, boolean isAdded) {
    String host = url.substring(start, end);
    boolean hasPrefix = lower(host).startsWith("www.");
    if (isAdded) {
      return isDomain(host) && !hasPrefix ? url.substring(0, start) + "www." + url.substring(start) : url;
    }
    if (!hasPrefix || !isDomain(host.substring(4)) || lower(host).startsWith("www.www.")) return url;
    return url.substring(0, start) + url.substring(start + 4);
  }

  /** A name with a dot in it that is no address. */
  private static boolean isDomain(String host) {
    boolean isNumber = host.chars().allMatch(each -> each == '.' || (each >= '0' && each <= '9'));
    return host.contains(".") && !isNumber && !host.startsWith(".") && !host.contains("[") && !host.contains(":");
  }

  private static String lowerPath(String url, int start, int end) {
    StringBuilder edited = new StringBuilder(url);
    for (int i = start; i < end; i++) {
      char character = url.charAt(i);
      if (character == '%' && i + 2 < end && isHex(url.charAt(i + 1)) && isHex(url.charAt(i + 2))) i += 2;
      else if (character >= 'A' && character <= 'Z') edited.setCharAt(i, (char) (character + 32));
    }
    return edited.toString();
  }

  private static final String MARKS = "-_~!$'()*,:@";

  /** Percent-encoded marks as they are. */
  private static String decode(String text, String marks) {
    StringBuilder decoded = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character == '%' && i + 2 < text.length() && isHex(text.charAt(i + 1)) && isHex(text.charAt(i + 2))) {
        char mark = (char) Integer.parseInt(text.substring(i + 1, i + 3), 16);
        if (marks.indexOf(mark) >= 0) {
          decoded.append(mark);
          i += 2;
          continue;
        }
      }
      decoded.append(character);
    }
    return decoded.toString();
  }

  private static boolean inScope(Rule rule, String url, Parts parts) {
    String host = rule.host();
    if (host != null) {
      String given = lower(url.substring(parts.hostStart, parts.hostEnd));
      boolean isBelow = host.startsWith("*.") && (given.endsWith(host.substring(1)) || given.equals(host.substring(2)));
      if (!given.equals(host) && !isBelow) return false;
    }
    String path = url.substring(parts.pathStart, parts.pathEnd);
    if (rule.path() != null && !(path.isEmpty() ? "/" : path).startsWith(rule.path())) return false;
    if (rule.script() != null) {
      int semicolon = path.indexOf(';', path.lastIndexOf('/') + 1);
      String whole = "/" + (semicolon < 0 ? path : path.substring(0, semicolon));
      if (!whole.endsWith("/" + rule.script())) return false;
    }
    if (rule.conditions().isEmpty()) return true;
    List<Parameter> all = parameters(url, parts.pathEnd, parts.queryEnd);
    for (Condition condition : rule.conditions()) {
      boolean isThere = false;
      for (Parameter each : all) {
        if (!each.name.equals(condition.name())) continue;
        isThere = true;
        String value = each.value.isEmpty() ? "" : each.value.substring(1);
        if (condition.value() != null && !condition.value().equals(value)) return false;
      }
      if (isThere != condition.isThere()) return false;
    }
    return true;
  }

  /** One of a query; its value begins with "=", or is empty. */
  private record Parameter(String separator, String name, String value) {
    boolean isNothing() {
      return name.isEmpty() && value.isEmpty();
    }
  }

  /** Those of the query from start to end; the ";" of a leading "amp;" belongs to the name. */
  private static List<Parameter> parameters(String url, int start, int end) {
    List<Parameter> found = new ArrayList<>();
    for (int at = start; at < end; ) {
      int begin = at + 1;
      int stop = begin;
      while (stop + 4 <= end && url.startsWith("amp;", stop)) stop += 4;
      while (stop < end && url.charAt(stop) != '&' && url.charAt(stop) != ';') stop++;
      int equals = url.indexOf('=', begin);
      int nameEnd = equals < 0 || equals > stop ? stop : equals;
      found.add(new Parameter(url.substring(at, begin), url.substring(begin, nameEnd), url.substring(nameEnd, stop)));
      at = stop;
    }
    return found;
  }

  private static String editQuery(Rule rule, List<Parameter> all) {
    List<Parameter> kept = new ArrayList<>(all);
    switch (rule.operation()) {
      case "remove" -> kept.removeIf(each -> each.name.equals(rule.first()));
      case "set" ->
          kept.replaceAll(
              each ->
                  each.name.equals(rule.first())
                      ? new Parameter(each.separator, each.name, "=" + rule.second())
                      : each);
      case "drop-empty" ->
          kept.removeIf(
              each ->
                  (each.value.isEmpty() || each.value.equals("="))
                      && (rule.first() == null || rule.first().equals(each.name)));
      case "sort" -> {
        List<Parameter> sorted = new ArrayList<>(all);
        sorted.removeIf(Parameter::isNothing);
        sorted.sort((a, b) -> compareCodePoints(a.name, b.name));
        Iterator<Parameter> next = sorted.iterator();
        kept.replaceAll(
            each -> {
              if (each.isNothing()) return each;
              Parameter own = next.next();
              return new Parameter(each.separator, own.name, own.value);
            });
      }
      default -> keepOne(rule, kept);
    }
    return join(kept);
  }

  /** Units of surrogate pairs stand for code points above every other unit. */
  private static int compareCodePoints(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char unitA = a.charAt(i);
      char unitB = b.charAt(i);
      if (unitA == unitB) continue;
      boolean isHighA = Character.isSurrogate(unitA);
      boolean isHighB = Character.isSurrogate(unitB);
      return isHighA == isHighB ? unitA - unitB : isHighA ? 1 : -1;
    }
    return a.length() - b.length();
  }

  private static void keepOne(Rule rule, List<Parameter> all) {
    Map<String, Parameter> places = new HashMap<>();
    for (Parameter each : all) {
      if (each.isNothing()) continue;
      if (rule.operation().equals("keep-first")) places.putIfAbsent(each.name, each);
      else places.put(each.name, each);
    }
    // The very parameter, not one with the same text.
    all.removeIf(
        each ->
            !each.isNothing()
                && (rule.first() == null || rule.first().equals(each.name))
                && places.get(each.name) != each);
  }

  /** The query's text. A ";" behind a bare "amp" would be read as part of the next name: it becomes "&". */
  private static String join(List<Parameter> all) {
    StringBuilder query = new StringBuilder();
    for (Parameter each : all) {
      int last = query.length() - 4;
      boolean isBare =
          last >= 0 && query.indexOf("amp", last + 1) >= 0 && (last == 0 || "&;".indexOf(query.charAt(last)) >= 0);
      query.append(query.isEmpty() ? "?" : isBare && each.separator.equals(";") ? "&" : each.separator);
      query.append(each.name).append(each.value);
    }
    return query.toString();
  }

  /** Path parameters of this name go (value null), or get the value. */
  private static String editPath(String url, int start, int end, String name, String value) {
    StringBuilder edited = new StringBuilder();
    int copied = 0;
    for (int at = url.indexOf(';', start); at >= 0 && at < end; ) {
      int stop = at + 1;
      while (stop < end && url.charAt(stop) != ';' && url.charAt(stop) != '/') stop++;
      int equals = url.indexOf('=', at);
      if (equals > at + 1 && equals < stop && url.substring(at + 1, equals).equals(name)) {
        if (value == null) edited.append(url, copied, at);
        else edited.append(url, copied, equals).append('=').append(value);
        copied = stop;
      }
      at = url.indexOf(';', stop);
    }
    return edited.append(url, copied, url.length()).toString();
  }

  /** The first occurrence in whole tokens; none that is part of a replacement already. */
  private static String replace(String text, String from, String to, boolean atStart, boolean atEnd) {
    if (atStart || atEnd) {
      int at = atStart ? 0 : text.length() - from.length();
      if (at < 0 || !text.startsWith(from, at) || (atEnd && at + from.length() != text.length())) return null;
      if (!qualifies(text, at, from, to) || isReplaced(text, from, to, atStart)) return null;
      return replaceAt(text, at, from, to);
    }
    boolean isPart = to.length() > from.length() && to.contains(from);
    int sought = isPart ? text.indexOf(to) : -1;
    int reach = 0;
    for (int at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + 1)) {
      for (; sought >= 0 && sought <= at; sought = text.indexOf(to, sought + 1)) {
        if (isBoundary(text, sought) && isBoundary(text, sought + to.length())) reach = sought + to.length();
      }
      if (at + from.length() <= reach || !qualifies(text, at, from, to)) continue;
      String result = replaceAt(text, at, from, to);
      if (result != null) return result;
    }
    return null;
  }

  private static boolean isReplaced(String text, String from, String to, boolean atStart) {
    if (to.length() < from.length() || !(atStart ? text.startsWith(to) : text.endsWith(to))) return false;
    return isBoundary(text, atStart ? to.length() : text.length() - to.length());
  }

  private static boolean qualifies(String text, int at, String from, String to) {
    int end = at + from.length();
    if (!isBoundary(text, at) || !isBoundary(text, end)) return false;
    if (to.isEmpty()) return at == 0 || end == text.length() || !fuses(text.charAt(at - 1), text.charAt(end));
    return (at == 0 || !fuses(text.charAt(at - 1), to.charAt(0)))
        && (end == text.length() || !fuses(to.charAt(to.length() - 1), text.charAt(end)));
  }

  private static boolean isBoundary(String text, int at) {
    return at <= 0 || at >= text.length() || !fuses(text.charAt(at - 1), text.charAt(at));
  }

  /** Would the two, side by side, be part of one token? */
  private static boolean fuses(char before, char after) {
    return (isAlphanumeric(before) && isAlphanumeric(after)) || Character.isSurrogatePair(before, after);
  }

  /** Null where the URL would come apart, or something would change sides between host and path. */
  private static String replaceAt(String text, int at, String from, String to) {
    String result = text.substring(0, at) + to + text.substring(at + from.length());
    int slash = text.startsWith("/") ? 0 : text.indexOf('/', "https://".length());
    if (slash >= 0 && at > slash) return result;
    Parts before = parse(text);
    Parts after = parse(result);
    if (before == null || after == null) return null;
    int border = before.pathStart;
    int moved = after.pathStart;
    boolean isKept =
        at > border
            || (at + from.length() < border
                ? moved - border == to.length() - from.length()
                : at <= moved && moved <= at + to.length());
    return isKept ? result : null;
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  private static boolean isHex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  /** ASCII letters only. */
  private static String lower(String text) {
    StringBuilder lower = new StringBuilder(text);
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character >= 'A' && character <= 'Z') lower.setCharAt(i, (char) (character + 32));
    }
    return lower.toString();
  }

  public static void main(String[] arguments) throws IOException {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream output = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    for (String line = input.readLine(); line != null; line = input.readLine()) output.print(canonical(line) + "\n");
    output.flush();
  }
}
