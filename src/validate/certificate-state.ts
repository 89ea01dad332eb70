/** What was shown about all rules of a site together, and whether it still is about the rules in use. */

import { rulesInUse } from "../canon/cycles.js";
import type { RulesFile } from "../canon/file/rules-file.js";
import { usableRule } from "../canon/kinds.js";
import { hash40, ruleId } from "../canon/rule-id.js";
import type { CertificateTold } from "../documents.js";
import type { Certificate, Rule } from "../model.js";
import { counted } from "../numbers.js";

/** Names rules in their order, each in the direction of its use: other rules have another name. */
export function rulesName(inUse: readonly Rule[]): string {
  return hash40(inUse.map((rule) => ruleId(rule, rule.scope)).join(" "));
}

/** Is the certificate about the rules that are in use on its site now? Rules that name no site are used on all. */
export function isCurrent(certificate: Certificate, rules: readonly Rule[], use = usableRule): boolean {
  const ofSite = rules.filter(({ site = "" }) => site === "" || site === certificate.site);
  return rulesName(rulesInUse(ofSite, use).rules) === certificate.rules;
}

/** Of a list of hundreds of sites most have no rule, and nothing is said of these. A site alone is named. */
export function toldCertificates(certificates: readonly Certificate[]): readonly Certificate[] {
  const told = certificates.filter(({ changed }) => changed > 0);
  return told.length === 0 ? certificates.slice(0, 1) : told;
}

const count = (value: number) => value.toLocaleString("en-US");
/** Upper bounds are rounded up, to tenths of a percent. */
const upTo = (share: number) => `${Math.ceil(Math.round(share * 1e6) / 1e3) / 10}%`;
/** Smaller shares would be rounded to 0% and are not named. */
const LEAST_NAMED = 0.005;
const about = (share: number) => `${Math.round(100 * share)}%`;

/** The certificate in a sentence. */
export function certificateSentence(certificate: Certificate, { isBlind = false } = {}): string {
  const { changed, tried, wrong, gone, notComparable, atMost } = certificate;
  if (changed === 0) return "no URL of the list is changed";
  const outcome = wrong === 0 ? "none was wrong" : `${count(wrong)} ${wrong === 1 ? "was" : "were"} wrong`;
  const said = `of ${count(changed)} URLs changed, ${count(tried)} were tried, ${outcome}`;
  const rest = [
    ...(gone >= LEAST_NAMED ? [`${about(gone)} are gone`] : []),
    ...(!isBlind && notComparable >= LEAST_NAMED ? [`${about(notComparable)} cannot be compared`] : []),
  ].join(", ");
  const others = tried === changed ? "" : "; the others are not in the archive";
  const bound =
    atMost === undefined ? others : `: at most ${upTo(atMost)} of those that can be compared are, with 95% confidence`;
  return `${said}${bound}${rest === "" ? "" : `; ${rest}`}`;
}

/** Of a list that has more URLs by now. */
const listChanged = {
  certified: false,
  text: "not certified: the list of URLs has changed since the rules were tried together",
};

/** The sentence, with whether it is enough and still true of these rules. */
export function certificateState(
  certificate: Certificate,
  rules: readonly Rule[],
  use = usableRule,
): { readonly certified: boolean; readonly text: string } {
  if (certificate.list === "") return listChanged;
  if (!isCurrent(certificate, rules, use)) {
    return { certified: false, text: "not certified: the rules in use are others than those that were tried together" };
  }
  if (certificate.certified) return { certified: true, text: certificateSentence(certificate) };
  // With nothing wrong and a bound that is low enough, it is for what cannot be compared.
  const { wrong, atMost, assurance, notComparable } = certificate;
  const isBlind = wrong === 0 && atMost !== undefined && atMost <= assurance;
  const why = isBlind ? `, since ${about(notComparable)} of the URLs changed cannot be compared` : "";
  return { certified: false, text: `not certified${why}: ${certificateSentence(certificate, { isBlind })}` };
}

/** Sites whose rules in use no certificate speaks for, with the reason; "" is all URLs. `used`: what `rulesInUse` says, where that is known. */
export function uncertifiedSites(
  { rules, certificates = [] }: Pick<RulesFile, "rules" | "certificates">,
  use = usableRule,
  used: readonly Rule[] = rulesInUse(rules, use).rules,
): { readonly site: string; readonly text: string }[] {
  const sites = new Set(used.map(({ site = "" }) => site));
  // Rules that name no site are used on all, and a part of what every certificate speaks of.
  const concerned = certificates.filter(({ site, changed }) => changed > 0 || sites.has(site) || sites.has(""));
  const doubted = concerned.flatMap((certificate) => {
    const { certified, text } = certificateState(certificate, rules, use);
    return certified ? [] : [{ site: certificate.site, text }];
  });
  const known = new Set(certificates.map(({ site }) => site));
  const unknown = [...sites].filter((site) => !known.has(site) && (site !== "" || known.size === 0));
  const text = "not certified: the rules in use were never tried together";
  return [...doubted, ...unknown.map((site) => ({ site, text }))];
}

/** What there is to say of each site: its certificate, or that it has none. `changed`: sites whose lists are others by now. */
export function certificateStates(
  { rules, certificates = [] }: Pick<RulesFile, "rules" | "certificates">,
  changed: ReadonlySet<string> = new Set(),
): CertificateTold[] {
  const states = toldCertificates(certificates).map((certificate): CertificateTold => {
    const { site } = certificate;
    return { site, ...(changed.has(site) ? listChanged : certificateState(certificate, rules)) };
  });
  const others = uncertifiedSites({ rules, certificates }).filter(({ site }) => !states.some((s) => s.site === site));
  const [other] = others;
  if (other === undefined) return states;
  const site = others.length === 1 ? other.site : counted(others.length, "site");
  return [...states, { site, certified: false, text: other.text }];
}
