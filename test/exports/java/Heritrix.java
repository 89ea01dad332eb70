import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.archive.modules.canonicalize.UriCanonicalizationPolicy;
import org.springframework.context.support.FileSystemXmlApplicationContext;

/** URLs in, one a line; out what Heritrix takes each for, with the policy of the given beans. */
public class Heritrix {
  public static void main(String[] arguments) throws Exception {
    var context = new FileSystemXmlApplicationContext("file:" + arguments[0]);
    var policy = context.getBean("canonicalizationPolicy", UriCanonicalizationPolicy.class);
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var out = new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);
    for (String line; (line = in.readLine()) != null; ) out.println(policy.canonicalize(line));
    out.flush();
  }
}
