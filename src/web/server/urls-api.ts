import { asTheyAre, type Canonizer, compile } from "../../canon/compile.js";
import { rulesInUse } from "../../canon/cycles.js";
import { describeRule } from "../../canon/describe.js";
import { UserError } from "../../errors.js";
import { findUrl, listUrls } from "../../store/browse/browse.js";
import { describeUrl, urlById } from "../../store/browse/url-details.js";
import { findAliases } from "../../store/urls/aliases.js";
import { normalizationSteps, normalize } from "../../url/normalize.js";
import { parseUrl } from "../../url/parse.js";
import type { App } from "./app.js";
import { choiceOf, given, idOf, integerOf, limitOf } from "./query.js";
import { type Answer, type ApiRequest, documentOf, onceOrdered, type Route } from "./routes.js";

export const urlsRoutes: readonly Route[] = [
  { method: "GET", path: "/api/urls", handle: onceOrdered(list) },
  { method: "GET", path: "/api/url", handle: onceOrdered(byText) },
  { method: "GET", path: "/api/urls/:id", handle: byId },
  { method: "GET", path: "/api/urls/:id/aliases", handle: onceOrdered(aliasesOf) },
];

async function list({ app, query }: ApiRequest): Promise<Answer> {
  const sort = choiceOf(query, "sort", ["url", "hits"]) ?? "hits";
  const page = await listUrls(app.workspace, {
    sort,
    descending: (choiceOf(query, "order", ["asc", "desc"]) ?? (sort === "hits" ? "desc" : "asc")) === "desc",
    limit: limitOf(query),
    ...given(query, "host"),
    ...given(query, "prefix"),
    ...given(query, "contains"),
    ...given(query, "after"),
  });
  const { rows, ...rest } = page;
  return documentOf("dustpan-urls", { urls: rows, ...rest });
}

/** A URL as somebody pasted it, known or not. */
async function byText({ app, query }: ApiRequest): Promise<Answer> {
  const text = (query.get("url") ?? "").trim();
  if (text === "") throw new UserError("url: expected a URL");
  if (parseUrl(text) === undefined && !text.startsWith("/")) {
    throw new UserError(`"${text}" is not an absolute URL such as https://www.example.com/page`);
  }
  const normal = normalize(text);
  const id = await findUrl(app.workspace, normal.url);
  return documentOf("dustpan-url", {
    ...explain(canonizer(app), text),
    ...(id !== undefined && (await describeUrl(app.workspace, id))),
  });
}

async function byId({ app, params }: ApiRequest): Promise<Answer> {
  const details = await describeUrl(app.workspace, idOf(params.id!, "URL"));
  return documentOf("dustpan-url", { ...explain(canonizer(app), details.url), ...details });
}

/** The proven and accepted rules, without those that would go round in circles. */
function canonizer(app: App): Canonizer {
  return compile(rulesInUse(app.readRules().rules).rules, { use: asTheyAre });
}

function explain(canon: Canonizer, given: string) {
  const normal = normalize(given);
  const { url, steps, isSettled } = canon.explain(normal.url);
  return {
    given,
    normalized: { url: normal.url, steps: normalizationSteps(normal.changed) },
    canonical: url,
    isSettled,
    steps: steps.map(({ rule, before, after }) => ({ rule: rule.id, text: describeRule(rule), before, after })),
  };
}

/** URLs that one answer looks at; the browser continues from `next`. */
const BATCH_URLS = 200_000;

async function aliasesOf({ app, params, query }: ApiRequest): Promise<Answer> {
  const url = await urlById(app.workspace, idOf(params.id!, "URL"));
  const canon = canonizer(app);
  const after = integerOf(query, "after", 0, 0xffffffff) ?? -1;
  return documentOf("dustpan-aliases", await findAliases(app.workspace, canon(url), canon, after, BATCH_URLS));
}
