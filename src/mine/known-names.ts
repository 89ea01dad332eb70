/**
 * Dust that has a name: what people who run sites know before they look. Candidates to be proven like any other rule, never
 * assumptions.
 */

/**
 * Query parameters that advertising and mailing systems add to links, and that the pages behind them mostly ignore. From what
 * their makers publish: Google (Campaign URL Builder; auto-tagging: gclid, gclsrc, dclid, gbraid, wbraid; cross-domain
 * linker: _ga, _gl), Meta (fbclid, igshid), Microsoft Advertising (msclkid), Yandex Metrica (yclid, ymclid, _openstat), X
 * (twclid), TikTok (ttclid), LinkedIn (li_fat_id), Pinterest (epik), Mailchimp (mc_cid, mc_eid), HubSpot (_hsenc, _hsmi,
 * hsCtaTracking), Marketo (mkt_tok), Omeda (oly_anon_id, oly_enc_id), Vero (vero_id, vero_conv), Matomo (pk_*, mtm_*), Adobe
 * Analytics (s_cid), Piano (at_*), Klaviyo (_kx), Branch (_branch_match_id).
 */
export const trackingParameters: readonly string[] = [
  ...["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "utm_id", "utm_source_platform"],
  ...["gclid", "gclsrc", "dclid", "gbraid", "wbraid", "_ga", "_gl"],
  ...["fbclid", "igshid", "msclkid", "yclid", "ymclid", "_openstat", "twclid", "ttclid", "li_fat_id", "epik"],
  ...["mc_cid", "mc_eid", "_hsenc", "_hsmi", "hsCtaTracking", "mkt_tok", "oly_anon_id", "oly_enc_id"],
  ...["vero_id", "vero_conv", "s_cid", "_kx", "_branch_match_id"],
  ...["pk_source", "pk_medium", "pk_campaign", "pk_kwd", "pk_keyword", "pk_content", "pk_cid"],
  ...[
    "mtm_source",
    "mtm_medium",
    "mtm_campaign",
    "mtm_keyword",
    "mtm_content",
    "mtm_cid",
    "mtm_group",
    "mtm_placement",
  ],
  ...["at_medium", "at_campaign", "at_custom1", "at_custom2", "at_custom3", "at_custom4"],
];

/**
 * Session ids in URLs: PHP (session.name), ColdFusion, ASP.NET, phpBB, osCommerce and vBulletin; Java servlets write theirs
 * into the path (Servlet specification, 7.1.3).
 */
export const sessionParameters = {
  query: ["PHPSESSID", "phpsessid", "CFID", "CFTOKEN", "ASPSESSIONID", "sid", "osCsid", "zenid", "s", "sessionid"],
  path: ["jsessionid", "JSESSIONID"],
} as const;

/** Files that servers show for a folder: DirectoryIndex of Apache, index of nginx, the default documents of IIS. */
export const indexPages: readonly string[] = [
  ...["index.html", "index.htm", "index.shtml", "index.xhtml", "index.php", "index.cgi", "index.pl", "index.jsp"],
  ...["default.htm", "default.html", "default.asp", "default.aspx", "Default.aspx", "Default.htm", "Default.asp"],
];
