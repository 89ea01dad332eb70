/** The report's style sheet: system fonts, two themes, phone to paper. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1d2329;--faint:#5c6670;--line:#d9dee3;--wash:#f4f6f7;--accent:#0b6e8a;
--del:#9f2d12;--del-wash:#fdeee9;--ins:#17603a;--ins-wash:#e8f5ec;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media screen and (prefers-color-scheme:dark){:root{--paper:#14181c;--ink:#e4e8ec;--faint:#9aa5b0;--line:#333b43;--wash:#1c2228;--accent:#57bfdb;
--del:#ff9f86;--del-wash:#3a201a;--ins:#83d6a3;--ins-wash:#16301f}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%}
body>*{max-width:68rem;margin-inline:auto;padding-inline:1.25rem}
a{color:var(--accent);text-underline-offset:.15em}
a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.3rem .6rem}
header{padding-top:2.2rem}
.kicker{margin:0;color:var(--faint);font-size:.85rem}
h1{font-size:clamp(1.7rem,1.2rem + 2.4vw,2.7rem);line-height:1.15;letter-spacing:-.02em;font-weight:650;margin:.35rem 0 .5rem;text-wrap:balance}
.lead{font-size:1.06rem;max-width:46rem;margin:.2rem 0 1.2rem;text-wrap:pretty}
h2{font-size:1.25rem;letter-spacing:-.01em;margin:2.6rem 0 .3rem;padding-top:.9rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:0 0 .2rem}h3.below,:is(.wide,ul,p)+h3{margin-top:1.6rem}
p{margin:.35rem 0 .8rem;max-width:46rem}
.faint,small{color:var(--faint)}small{font-size:.85rem}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;margin:1.1rem 0 0;padding:0;font-size:.9rem}
.share{display:flex;height:1.5rem;border-radius:3px;overflow:hidden;border:1px solid var(--accent);margin:0}
.share span:first-child{background:var(--accent)}
.share .dust{background:repeating-linear-gradient(135deg,transparent 0 4px,var(--line) 4px 5px)}
.share-key{display:flex;justify-content:space-between;gap:1rem;font-size:.9rem;margin:.3rem 0 0;max-width:none}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:0;margin:1.3rem 0 0;border-block:1px solid var(--line)}
.tiles div{padding:.75rem 1.2rem .8rem 0}
.tiles div+div{border-left:1px solid var(--line);padding-left:1.2rem}
.tiles dt{font-size:.85rem;color:var(--faint)}
.tiles dd{margin:0}
.tiles b{display:block;font-size:1.75rem;line-height:1.2;font-weight:600;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.url,.rule-what,code,pre{font-family:var(--mono);font-size:.86em;overflow-wrap:anywhere}
del,ins{text-decoration-thickness:1.5px;border-radius:2px;padding:0 .1em}
del{color:var(--del);background:var(--del-wash)}
ins{color:var(--ins);background:var(--ins-wash);text-underline-offset:.2em}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.3rem .9rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:500;color:var(--faint);font-size:.85rem}
td.n,th.n{text-align:right;padding-right:0;padding-left:.9rem;white-space:nowrap}td.n+td:not(.n),th.n+th:not(.n){padding-left:1.4rem}
.wide{overflow-x:auto}.wide td:has(span.url){min-width:13rem}.wide td.url{min-width:8rem}
.rules{list-style:none;margin:.6rem 0 0;padding:0}
.rules>li{border-bottom:1px solid var(--line)}
.columns,.rules summary{display:grid;grid-template-columns:minmax(0,1fr) 5.5rem 5.5rem 5rem 8.5rem;gap:0 1rem;align-items:baseline}
.columns{color:var(--faint);font-size:.85rem;margin:.9rem 0 0;padding:0 0 .25rem 1.2rem;border-bottom:1px solid var(--line);max-width:none}
.columns span+span,.rules .n{text-align:right;font-variant-numeric:tabular-nums}
.rules summary{padding:.5rem 0 .5rem 1.2rem;cursor:pointer;list-style:none;position:relative}
.rules summary::-webkit-details-marker{display:none}
.rules summary::before,.fold>summary::before{content:"";position:absolute;left:.15rem;top:1em;width:.38em;height:.38em;border-right:1.6px solid var(--faint);border-bottom:1.6px solid var(--faint);transform:rotate(-45deg)}
details[open]>summary::before{transform:rotate(45deg)!important}
.rules summary:hover{background:var(--wash)}
.rules summary .url{grid-column:1/-1;color:var(--faint);font-size:.8rem;margin-top:.1rem}
.rules .unit{display:none}
.where{color:var(--faint);font-family:system-ui,sans-serif;font-size:.95em}
.evidence{padding:.1rem 0 1rem 1.2rem}
.evidence dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.1rem 1rem;margin:.2rem 0 .8rem;font-size:.9rem}
.evidence dt{color:var(--faint)}.evidence dd{margin:0}
.pairs{font-size:.86rem}.pairs td{padding-block:.35rem}.pairs{table-layout:fixed}.pairs th:first-child{width:6.5rem}.pairs td{overflow-wrap:anywhere}
.pairs .url{display:block}
.tag{font-size:.8rem;color:var(--faint);border:1px solid var(--line);border-radius:3px;padding:0 .35em;white-space:nowrap;font-family:system-ui,sans-serif}
.fold{margin:.8rem 0}
.fold>summary{position:relative;cursor:pointer;padding:.2rem 0 .2rem 1.2rem;list-style:none;color:var(--accent)}
.fold>summary::-webkit-details-marker{display:none}
.fold>summary::before{top:.85em}
.against{padding:.45rem 0 .5rem}
.against .rule-what{font-size:.86em}
.against p{margin:.15rem 0 0 1.2rem;font-size:.86rem;max-width:none}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:2rem 2.5rem;margin-top:1rem}
figure{margin:0;min-width:0}
.settings{grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr))}
figcaption p{margin:0 0 .5rem;font-size:.92rem}
figure svg{display:block;width:100%}
figure .fold{font-size:.9rem;margin:.4rem 0 0}
footer{padding-block:1.2rem 3rem;color:var(--faint);font-size:.85rem}
.commands{overflow-x:auto;padding:.8rem 1rem;border:1px solid var(--line);border-radius:6px;font-size:.85rem}
@media (max-width:46rem){
.columns{display:none}
.rules summary{display:flex;flex-wrap:wrap;gap:.1rem .9rem}
.rules summary>:first-child,.rules summary .url{flex-basis:100%}
.rules .n{font-size:.85rem;color:var(--faint)}
.rules .unit{display:inline}
.tiles{grid-template-columns:1fr}.tiles div+div{border-left:0;padding-left:0;border-top:1px solid var(--line)}
.evidence dl{grid-template-columns:1fr}.evidence dd{margin-bottom:.3rem}
td,th{padding-right:.6rem}.wide td,.wide th{padding-right:.4rem}.wide td.n,.wide th.n{padding-left:.4rem}.wide th{font-size:.75rem}.wide td.url{min-width:6rem}.wide td:has(span.url){min-width:8rem}.commands{white-space:pre-wrap}.pairs th:first-child{width:5rem}
}
@media print{
@page{margin:16mm 14mm}
html{font-size:11.5px}body{font-size:9.5pt}body>*{max-width:none;padding-inline:0}
nav,.skip,.screen{display:none}
header{padding-top:0}
a{color:inherit}
h2{break-after:avoid;margin-top:1.4rem}
figure,summary,.against,.evidence dl,tr,.tiles{break-inside:avoid}
summary,.columns,thead{break-after:avoid}
.columns,.rules summary{grid-template-columns:minmax(0,1fr) 4.5rem 4.5rem 4rem 7rem}
.figures{grid-template-columns:1fr 1fr;gap:1rem 1.5rem}
del,ins,.share span{print-color-adjust:exact;-webkit-print-color-adjust:exact}
summary::before{display:none}
.rules summary,.columns,.fold>summary,.evidence{padding-left:0}
}
`;

/** Paper has no folds: what is folded is opened for printing, and closed again. */
export const SCRIPT =
  'let f=[];addEventListener("beforeprint",()=>{f=[...document.querySelectorAll("details:not([open]):not(.screen)")];f.forEach(d=>d.open=true)});addEventListener("afterprint",()=>f.forEach(d=>d.open=false))';
