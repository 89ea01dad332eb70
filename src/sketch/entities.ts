import { NameTable } from "./name-table.js";

/**
 * Character references of HTML: numbers, and the names of HTML 4 with the more common ones of HTML 5. The remaining
 * 1,900 names of HTML 5 are mathematical symbols that pages write as characters; such references stay as they are
 * written.
 */

/** U+00A0 to U+00FF in order: the names that are also read without their semicolon. */
const LATIN_1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro " +
  "para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil " +
  "Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave " +
  "Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml " +
  "igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute " +
  "thorn yuml";

/** Also read without their semicolon. */
const LEGACY = "AMP=26 amp=26 LT=3c lt=3c GT=3e gt=3e QUOT=22 quot=22 COPY=a9 REG=ae";

const OTHERS =
  "Tab=9 NewLine=a excl=21 num=23 dollar=24 percnt=25 apos=27 lpar=28 rpar=29 ast=2a plus=2b comma=2c period=2e sol=2f " +
  "colon=3a semi=3b equals=3d quest=3f commat=40 lsqb=5b lbrack=5b bsol=5c rsqb=5d rbrack=5d Hat=5e lowbar=5f grave=60 " +
  "lcub=7b lbrace=7b verbar=7c vert=7c rcub=7d rbrace=7d NonBreakingSpace=a0 half=bd centerdot=b7 Amacr=100 amacr=101 " +
  "Abreve=102 abreve=103 Aogon=104 aogon=105 Cacute=106 cacute=107 Ccaron=10c ccaron=10d Dcaron=10e dcaron=10f " +
  "Dstrok=110 dstrok=111 Emacr=112 emacr=113 Eogon=118 eogon=119 Ecaron=11a ecaron=11b Gbreve=11e gbreve=11f Imacr=12a " +
  "imacr=12b Idot=130 inodot=131 imath=131 Lstrok=141 lstrok=142 Nacute=143 nacute=144 Ncaron=147 ncaron=148 Omacr=14c " +
  "omacr=14d Odblac=150 odblac=151 OElig=152 oelig=153 Rcaron=158 rcaron=159 Sacute=15a sacute=15b Scedil=15e " +
  "scedil=15f Scaron=160 scaron=161 Tcaron=164 tcaron=165 Umacr=16a umacr=16b Uring=16e uring=16f Udblac=170 " +
  "udblac=171 Yuml=178 Zacute=179 zacute=17a Zdot=17b zdot=17c Zcaron=17d zcaron=17e fnof=192 circ=2c6 caron=2c7 " +
  "tilde=2dc Alpha=391 Beta=392 Gamma=393 Delta=394 Epsilon=395 Zeta=396 Eta=397 Theta=398 Iota=399 Kappa=39a " +
  "Lambda=39b Mu=39c Nu=39d Xi=39e Omicron=39f Pi=3a0 Rho=3a1 Sigma=3a3 Tau=3a4 Upsilon=3a5 Phi=3a6 Chi=3a7 Psi=3a8 " +
  "Omega=3a9 alpha=3b1 beta=3b2 gamma=3b3 delta=3b4 epsilon=3b5 zeta=3b6 eta=3b7 theta=3b8 iota=3b9 kappa=3ba " +
  "lambda=3bb mu=3bc nu=3bd xi=3be omicron=3bf pi=3c0 rho=3c1 sigmaf=3c2 sigma=3c3 tau=3c4 upsilon=3c5 phi=3c6 chi=3c7 " +
  "psi=3c8 omega=3c9 thetasym=3d1 upsih=3d2 piv=3d6 ensp=2002 emsp=2003 numsp=2007 thinsp=2009 hairsp=200a zwnj=200c " +
  "zwj=200d lrm=200e rlm=200f hyphen=2010 dash=2010 ndash=2013 mdash=2014 horbar=2015 lsquo=2018 rsquo=2019 sbquo=201a " +
  "ldquo=201c rdquo=201d bdquo=201e dagger=2020 Dagger=2021 bull=2022 bullet=2022 hellip=2026 mldr=2026 permil=2030 " +
  "prime=2032 Prime=2033 lsaquo=2039 rsaquo=203a oline=203e frasl=2044 euro=20ac image=2111 numero=2116 weierp=2118 " +
  "real=211c trade=2122 TRADE=2122 alefsym=2135 larr=2190 uarr=2191 rarr=2192 darr=2193 harr=2194 crarr=21b5 lArr=21d0 " +
  "uArr=21d1 rArr=21d2 dArr=21d3 hArr=21d4 forall=2200 part=2202 exist=2203 empty=2205 nabla=2207 isin=2208 notin=2209 " +
  "ni=220b prod=220f sum=2211 minus=2212 lowast=2217 radic=221a prop=221d infin=221e ang=2220 and=2227 or=2228 cap=2229 " +
  "cup=222a int=222b there4=2234 sim=223c cong=2245 asymp=2248 approx=2248 ne=2260 equiv=2261 le=2264 ge=2265 sub=2282 " +
  "sup=2283 nsub=2284 sube=2286 supe=2287 oplus=2295 otimes=2297 perp=22a5 sdot=22c5 lceil=2308 rceil=2309 lfloor=230a " +
  "rfloor=230b lang=27e8 rang=27e9 blank=2423 squ=25a1 square=25a1 utri=25b5 rtri=25b9 dtri=25bf ltri=25c3 loz=25ca " +
  "cir=25cb star=2606 starf=2605 phone=260e female=2640 male=2642 spades=2660 clubs=2663 hearts=2665 diams=2666 sung=266a " +
  "flat=266d natural=266e sharp=266f check=2713 cross=2717 malt=2720 sext=2736 fflig=fb00 filig=fb01 fllig=fb02";

const latin1 = LATIN_1.split(" ").map((name, index) => [name, 0xa0 + index] as const);
const codePoints = (list: string) =>
  list.split(" ").map((entry) => {
    const [name, hex] = entry.split("=") as [string, string];
    return [name, Number.parseInt(hex, 16)] as const;
  });
const legacy = [...latin1, ...codePoints(LEGACY)];
const all = [...legacy, ...codePoints(OTHERS)];
const legacyNames = new NameTable(legacy, false);
const names = new NameTable(all, false);
const longest = (entries: readonly (readonly [string, number])[]) => Math.max(...entries.map(([name]) => name.length));
const MAX_NAME_LENGTH = longest(all);
const MAX_LEGACY_LENGTH = longest(legacy);

/** Bytes 0x80 to 0x9f of windows-1252; references with these numbers mean the same, as pages have always meant them. */
export const WINDOWS_1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** Reads character references in UTF-8 text. */
export class ReferenceReader {
  /** The index after the reference that was read last. */
  end = 0;

  /**
   * The code point of the reference that starts at text[at], which is "&"; -1 where it is not a reference: then the "&"
   * stands for itself. `inAttribute`: there "&copy=1" is not a reference, so that query strings survive (WHATWG
   * 13.2.5.73).
   */
  read(text: Uint8Array, at: number, inAttribute: boolean): number {
    if (text[at + 1] === 0x23) return this.#readNumber(text, at + 2);
    const start = at + 1;
    let stop = start;
    while (stop - start < MAX_NAME_LENGTH && isAlphanumeric(text[stop])) stop++;
    if (stop === start) return -1;
    if (text[stop] === 0x3b) {
      const codePoint = names.find(text, start, stop);
      if (codePoint !== undefined) {
        this.end = stop + 1;
        return codePoint;
      }
    }
    // Without the semicolon, the longest name that fits is read: "&notit" is "¬it".
    for (stop = Math.min(stop, start + MAX_LEGACY_LENGTH); stop > start + 1; stop--) {
      const codePoint = legacyNames.find(text, start, stop);
      if (codePoint === undefined) continue;
      if (inAttribute && (text[stop] === 0x3d || isAlphanumeric(text[stop]))) return -1;
      this.end = stop;
      return codePoint;
    }
    return -1;
  }

  #readNumber(text: Uint8Array, at: number): number {
    const hex = text[at] === 0x78 || text[at] === 0x58;
    const start = hex ? at + 1 : at;
    let stop = start;
    let number = 0;
    for (; ; stop++) {
      const digit = digitValue(text[stop], hex);
      if (digit < 0) break;
      // Stays above the last code point however many digits follow.
      number = Math.min(number * (hex ? 16 : 10) + digit, 0x110000);
    }
    if (stop === start) return -1;
    this.end = text[stop] === 0x3b ? stop + 1 : stop;
    const surrogate = number >= 0xd800 && number <= 0xdfff;
    if (number === 0 || surrogate || number > 0x10ffff) return 0xfffd;
    return number >= 0x80 && number <= 0x9f ? WINDOWS_1252.charCodeAt(number - 0x80) : number;
  }
}

function digitValue(byte: number | undefined, hex: boolean): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return hex && lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function isAlphanumeric(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}
