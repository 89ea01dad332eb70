/** Heritrix 3: a canonicalization policy, by which it recognises URLs that it has already seen. */
import {
  JAVA_EXPRESSES,
  JAVA_NO_TABLE,
  JAVA_STEPS,
  javaReplacement,
  javaSequence,
  refuseInJava,
  xmlComment,
  xmlText,
} from "../java-regex.js";
import type { Step } from "../rewrite-steps.js";
import { oneLine, type Target } from "../target.js";

export const heritrix: Target = {
  name: "heritrix",
  title: "Heritrix 3: a canonicalization policy (beans)",
  expresses: JAVA_EXPRESSES,
  uses: ["key"],
  noTable: JAVA_NO_TABLE,
  file: "dustpan.cxml",
  // Spring would read a variable or an expression there.
  refuse: (rule) => refuseInJava(rule) ?? (/[$#]\{/.test(JSON.stringify(rule)) ? 'it has "${" or "#{"' : undefined),
  write: (rules, notes) => {
    const { begin, step, end } = javaSequence(rules);
    const steps = [begin, ...step, end];
    const once = step.map((_, i) => i + 1);
    const order = [0, ...Array.from({ length: JAVA_STEPS }, () => once).flat(), steps.length - 1];
    return `<?xml version="1.0" encoding="UTF-8"?>
${xmlComment([
  ...notes.map(oneLine),
  "Put these beans into the job's crawler-beans.cxml, instead of its canonicalizationPolicy.",
])}
<beans xmlns="http://www.springframework.org/schema/beans" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
       xsi:schemaLocation="http://www.springframework.org/schema/beans http://www.springframework.org/schema/beans/spring-beans.xsd">
${steps.map(beanOf).join("\n")}
<bean id="canonicalizationPolicy" class="org.archive.modules.canonicalize.RulesCanonicalizationPolicy">
  <property name="rules">
    <list>
${order.map((number) => `      <ref bean="dustpan-${number}"/>\n`).join("")}    </list>
  </property>
</bean>
</beans>
`;
  },
};

function beanOf({ pattern, replacement }: Step, number: number): string {
  return `<bean id="dustpan-${number}" class="org.archive.modules.canonicalize.RegexRule">
  <property name="regex" value="${xmlText(pattern)}"/>
  <property name="format" value="${xmlText(javaReplacement(replacement))}"/>
</bean>`;
}
