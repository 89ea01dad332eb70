import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * URLs in, one a line; out what a regex-normalize.xml makes of each. Nutch's plugin that reads such files is in none of its
 * jars on Maven Central, so this does what its documentation says: every substitution once, in turn, all matches of each.
 */
public class RegexNormalize {
  record Rule(Pattern pattern, String substitution) {}

  public static void main(String[] arguments) throws Exception {
    var root = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File(arguments[0])).getDocumentElement();
    if (!root.getTagName().equals("regex-normalize")) throw new IllegalArgumentException(root.getTagName());
    var rules = new ArrayList<Rule>();
    var regexes = root.getElementsByTagName("regex");
    for (int i = 0; i < regexes.getLength(); i++) {
      var regex = (Element) regexes.item(i);
      rules.add(new Rule(Pattern.compile(text(regex, "pattern")), text(regex, "substitution")));
    }
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var out = new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);
    for (String line; (line = in.readLine()) != null; ) {
      String url = line;
      for (var rule : rules) url = rule.pattern().matcher(url).replaceAll(rule.substitution());
      out.println(url);
    }
    out.flush();
  }

  static String text(Element element, String name) {
    return element.getElementsByTagName(name).item(0).getTextContent();
  }
}
