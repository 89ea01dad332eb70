import { InvariantError } from "../errors.js";
import type { RuleAction } from "../model.js";
import { compareByTokens } from "../url/tokenize.js";
import type { Dialect } from "./dialect.js";
import type { Step } from "./engine.js";
import { isPlainQuery, qualifies, replaced, withoutPathParameter, withoutQueryParameter } from "./rewrite.js";

/** A rule with the site that it is about, and the number that tables name it by. */
export interface NumberedRule {
  readonly number: number;
  readonly site: string;
  readonly action: RuleAction;
}

/** Statements have a length; this many rules are applied at a time. */
export const MOST_RULES = 500;

/**
 * Applies each rule by itself: reads `urls (site, id, url)`, makes `applied (rule, id, image, image_id)`, image_id being NULL where
 * the list does not have the image, and `merge_count (rule, changed, merges)`. A substring rule is applied at the first place
 * that qualifies, as canonization does.
 */
export function applySteps(dialect: Dialect, rules: readonly NumberedRule[]): Step[] {
  if (rules.length === 0 || rules.length > MOST_RULES) {
    throw new InvariantError(`${rules.length} rules to apply: expected 1 to ${MOST_RULES} at a time`);
  }
  return [
    {
      name: "applied_rule",
      why: "The rules.",
      select: rules.map((rule) => ruleRow(dialect, rule)).join(" UNION ALL "),
    },
    {
      name: "rule_image",
      why: "What each rule makes of each URL that it changes.",
      select: `${substringImages(dialect)} UNION ALL ${parameterImages(dialect)}`,
    },
    {
      name: "applied",
      why: "With the URL of the list that this is, where there is one.",
      select: `SELECT i.rule AS rule, i.id AS id, i.image AS image, u.id AS image_id
       FROM rule_image AS i LEFT JOIN urls AS u ON u.site = i.site AND u.url = i.image`,
    },
    {
      name: "merge_count",
      why: "URLs that a rule changes, and of those the ones that it maps onto another URL of the list.",
      select: "SELECT rule, count(*) AS changed, count(image_id) AS merges FROM applied GROUP BY rule",
    },
  ];
}

/**
 * Validates rules against known content: reads `contents (id, content)` and what `applySteps` made, and makes `rule_verdict
 * (rule, alike, different, unknown, documents, alike_id, alike_image_id, different_id, different_image_id)`: of the URLs that a rule
 * maps onto another URL of the list, those with equal content, with different content, and those where it is not known of both; in
 * how many contents the equal ones are, and the first URL of either sort with its image.
 */
export function validateSteps(dialect: Dialect): Step[] {
  const couple = dialect.record({ id: "id", image_id: "image_id" });
  return [
    {
      name: "rule_verdict",
      why: "A join on content.",
      select: `SELECT rule, alike, different, unknown, documents, first_alike.id AS alike_id, first_alike.image_id AS alike_image_id,
         first_different.id AS different_id, first_different.image_id AS different_image_id
       FROM (SELECT rule, count(CASE WHEN content = other THEN 1 END) AS alike, count(CASE WHEN content <> other THEN 1 END) AS different,
           count(CASE WHEN content IS NULL OR other IS NULL THEN 1 END) AS unknown,
           count(DISTINCT CASE WHEN content = other THEN content END) AS documents,
           min(CASE WHEN content = other THEN ${couple} END) AS first_alike,
           min(CASE WHEN content <> other THEN ${couple} END) AS first_different
         FROM (SELECT a.rule AS rule, a.id AS id, a.image_id AS image_id, x.content AS content, y.content AS other
           FROM applied AS a LEFT JOIN contents AS x ON x.id = a.id LEFT JOIN contents AS y ON y.id = a.image_id
           WHERE a.image_id IS NOT NULL) AS compared GROUP BY rule) AS counted`,
    },
  ];
}

function ruleRow(dialect: Dialect, { number, site, action }: NumberedRule): string {
  const { quote } = dialect;
  const row = (kind: string, alpha: string, beta: string, start: boolean, end: boolean) =>
    `SELECT ${number} AS rule, ${quote(site)} AS site, '${kind}' AS kind, ${quote(alpha)} AS alpha, ${quote(beta)} AS beta,
     ${start} AS at_start, ${end} AS at_end`;
  if (action.kind === "substring") return row("substring", action.from, action.to, action.start, action.end);
  if (action.kind === "parameter" && action.action === "remove")
    return row(action.place, action.name, "", false, false);
  throw new InvariantError(`rules of kind ${action.kind} cannot be applied by an engine`);
}

/** Can these steps apply it? Others are left to canonization in memory. */
export function isApplicable(action: RuleAction): boolean {
  if (action.kind === "substring") return compareByTokens(action.from, action.to) > 0;
  return action.kind === "parameter" && action.action === "remove";
}

function substringImages(dialect: Dialect): string {
  const candidates = `SELECT r.rule AS rule, u.site AS site, u.id AS id, u.url AS url, r.alpha AS alpha, r.beta AS beta,
      CASE WHEN r.at_start THEN 0 WHEN r.at_end THEN length(u.url) - length(r.alpha) ELSE 0 END AS first_place,
      CASE WHEN r.at_start THEN 0 ELSE length(u.url) - length(r.alpha) END AS last_place, r.at_end AS at_end
    FROM urls AS u JOIN applied_rule AS r ON r.site = u.site AND r.kind = 'substring' AND length(u.url) >= length(r.alpha)
      AND ${dialect.position("u.url", { sql: "r.alpha" })} > 0
    WHERE NOT (r.at_start AND r.at_end AND r.alpha <> u.url) AND (length(r.alpha) > 0 OR r.at_start OR r.at_end)`;
  const places = `SELECT rule, site, id, url, alpha, beta, ${dialect.eachInteger("first_place", "last_place")} AS place
    FROM (${candidates}) AS candidate`;
  const first = `SELECT rule, site, id, url, alpha, beta, min(place) AS place FROM (${places}) AS placed
    WHERE substr(url, place + 1, length(alpha)) = alpha AND ${qualifies(dialect, "url", "place", "alpha", "beta")}
    GROUP BY rule, site, id, url, alpha, beta`;
  return `SELECT rule, site, id, ${replaced("url", "place", "alpha", "beta")} AS image FROM (${first}) AS chosen`;
}

function parameterImages(dialect: Dialect): string {
  const image = `CASE WHEN r.kind = 'query' THEN ${withoutQueryParameter(dialect, "u.url", "r.alpha")}
    ELSE ${withoutPathParameter(dialect, "u.url", "r.alpha")} END`;
  return `SELECT rule, site, id, image FROM (SELECT r.rule AS rule, u.site AS site, u.id AS id, u.url AS url, ${image} AS image
    FROM urls AS u JOIN applied_rule AS r ON r.site = u.site AND r.kind <> 'substring' AND ${dialect.position("u.url", { sql: "r.alpha" })} > 0
    WHERE ${isPlainQuery(dialect, "u.url")}) AS removed WHERE image <> url`;
}
