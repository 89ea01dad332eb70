import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.filtering.regex.RegexURLNormalizer;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** URLs in, one a line; out what StormCrawler's normalizer makes of each, with the file of that name on the class path. */
public class StormCrawler {
  public static void main(String[] arguments) throws Exception {
    var normalizer = new RegexURLNormalizer();
    normalizer.configure(Map.of(), new ObjectMapper().createObjectNode().put("regexNormalizerFile", arguments[0]));
    var source = new URL("http://source.test/");
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var out = new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);
    for (String line; (line = in.readLine()) != null; ) out.println(normalizer.filter(source, new Metadata(), line));
    out.flush();
  }
}
