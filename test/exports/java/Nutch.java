import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.net.urlnormalizer.regex.RegexURLNormalizer;

/** URLs in, one a line; out what Nutch's own normalizer makes of each with a regex-normalize.xml. */
public class Nutch {
  public static void main(String[] arguments) throws Exception {
    var configuration = new Configuration(false);
    configuration.set("urlnormalizer.regex.rules", Files.readString(Path.of(arguments[0])));
    var normalizer = new RegexURLNormalizer();
    normalizer.setConf(configuration);
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var out = new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);
    for (String url; (url = in.readLine()) != null; ) out.println(normalizer.normalize(url, "default"));
    out.flush();
  }
}
