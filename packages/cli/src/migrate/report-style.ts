/** Light, dark and print; system fonts, so that nothing is fetched. */
export const reportStyle = `
:root{--bg:#f7f8fa;--card:#fff;--text:#1c2330;--soft:#5b6575;--line:#dde2ea;--code:#eef1f6;--accent:#1f5fbf;
--breaks:#b3261e;--breaks-bg:#fdecea;--review:#8a5a00;--review-bg:#fff4dc;--mentions:#3b6b4a;--mentions-bg:#e8f4ec;--minus:#fdf0ef;--plus:#edf7f0}
@media (prefers-color-scheme:dark){:root{--bg:#12161d;--card:#1a202a;--text:#e6eaf1;--soft:#a0abbc;--line:#303947;--code:#252d39;--accent:#8db8ff;
--breaks:#ff9a92;--breaks-bg:#3d1f1f;--review:#f2c469;--review-bg:#3a2f17;--mentions:#8fd0a5;--mentions-bg:#1d3326;--minus:#2c2024;--plus:#1c2a24}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main,footer,.tools{max-width:68rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2rem}
.eyebrow{margin:0;color:var(--soft);font-size:.85rem}
h1{margin:.1rem 0 .3rem;font-size:1.8rem;line-height:1.2}
h2{font-size:1.25rem;margin:2rem 0 .5rem}
h3{display:inline;font-size:1rem;margin:0}
.meta,footer,.how{color:var(--soft)}
.note{border-left:3px solid var(--accent);padding:.2rem .8rem;margin:1rem 0}
.count{color:var(--soft);font-weight:400;font-size:.9em}
.figures{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.25rem 0}
.figure{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.6rem 1rem;min-width:8.5rem}
.figure dt{color:var(--soft);font-size:.85rem}
.figure dd{margin:0;font-size:1.6rem;font-weight:600;font-variant-numeric:tabular-nums}
.figure.breaks dd{color:var(--breaks)}.figure.review dd{color:var(--review)}.figure.mentions dd{color:var(--mentions)}
.tools{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;position:sticky;top:0;background:var(--bg);padding-top:.6rem;padding-bottom:.6rem;border-bottom:1px solid var(--line);z-index:1}
.tools fieldset{border:0;padding:0;margin:0;display:flex;flex-wrap:wrap;gap:.25rem .9rem}
.tools legend{float:left;margin-right:.6rem;color:var(--soft);padding:0}
#progress{margin:0 0 0 auto;color:var(--soft);font-size:.9rem}
input[type=search]{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.3rem .6rem;min-width:14rem}
input[type=checkbox]{accent-color:var(--accent);width:1rem;height:1rem;vertical-align:-.15rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.area{background:var(--card);border:1px solid var(--line);border-radius:.6rem;margin:.75rem 0}
.area>summary{padding:.7rem 1rem;cursor:pointer}
.items{list-style:none;margin:0;padding:0}
.item{border-top:1px solid var(--line);padding:.8rem 1rem}
.item.done .head,.item.done .why,.item.done .diff,.item.done .how,.item.done .sample{opacity:.65}
.head{display:flex;flex-wrap:wrap;gap:.25rem .6rem;align-items:baseline}
.tick{align-self:center}
.badge{font-size:.75rem;font-weight:600;border-radius:.3rem;padding:.05rem .45rem;background:var(--code)}
.breaks .badge,.blocker .badge{color:var(--breaks);background:var(--breaks-bg)}.review .badge,.warning .badge{color:var(--review);background:var(--review-bg)}.mentions .badge{color:var(--mentions);background:var(--mentions-bg)}
.what{font-weight:600}
.pointer{margin-left:auto;color:var(--soft);font-size:.8rem}
.why{margin:.35rem 0}.how,.sample{margin:.35rem 0 0;font-size:.9rem}
code,pre{font:.86em/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
code{background:var(--code);border-radius:.25rem;padding:.05rem .3rem}
.pointer,td code{background:none;padding:0}
.diff{display:grid;grid-template-columns:1fr 1fr;gap:.5rem}
.diff.single{grid-template-columns:1fr}
pre{margin:0;white-space:pre-wrap;background:var(--code);border-radius:.4rem;padding:.5rem .7rem;border-left:3px solid var(--line);max-height:24rem;overflow:auto}
pre.before{background:var(--minus);border-left-color:var(--breaks)}pre.after{background:var(--plus);border-left-color:var(--mentions)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.5rem 1rem;border-top:1px solid var(--line)}
th{color:var(--soft);font-weight:500}
.problems{list-style:none;padding:0}.problems li{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.5rem .8rem;margin:.4rem 0}
.empty{color:var(--soft)}
footer{padding-top:1rem;padding-bottom:3rem}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem;z-index:2}
[hidden]{display:none!important}
@media (max-width:44rem){.diff{grid-template-columns:1fr}.pointer{margin-left:0}#progress{margin-left:0}}
@media print{:root{--bg:#fff;--card:#fff;--text:#000;--soft:#444;--line:#bbb;--code:#f3f3f3;--minus:#fff;--plus:#fff;--breaks:#8c1d18;--review:#6b4600;--mentions:#245236;--breaks-bg:#fff;--review-bg:#fff;--mentions-bg:#fff}
body{font-size:10pt}.tools,.skip,footer{display:none}header,main{max-width:none;padding:0}.item,.figure,tr{break-inside:avoid}.badge{border:1px solid currentColor}pre{max-height:none}.area{border-radius:0}details:not([open])>*{display:block}}
`;
