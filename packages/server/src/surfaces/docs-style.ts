export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#0b5566"/><path fill="#fff" d="M16 3l3 10 10 3-10 3-3 10-3-10-10-3 10-3z"/></svg>
`;

/** Every colour is a variable, so that the dark scheme is one block. Text has a contrast of at least 4.5 in both. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f4f6f7; --line: #d5dcdf; --text: #1b2428; --quiet: #55636a; --link: #0b5c70;
  --get: #0b5c70; --post: #1d6b34; --change: #8a4b00; --delete: #a3261d; --notice: #fff5dc; --notice-line: #b07a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12181b; --raised: #1b2327; --line: #344046; --text: #e3e9eb; --quiet: #9fadb3; --link: #6cc6da;
    --get: #6cc6da; --post: #7fcf95; --change: #e6b062; --delete: #f39088; --notice: #2d2612; --notice-line: #cf9d2f;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
[hidden] { display: none !important; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -99rem; padding: .5rem 1rem; background: var(--ground); z-index: 1; }
.skip:focus { left: 0; top: 0; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
.home { font-weight: 700; font-size: 1.1rem; color: inherit; text-decoration: none; margin-inline-end: auto; }
main { padding: 1.25rem; max-width: 56rem; min-width: 0; }
.landing main { margin-inline: auto; max-width: 44rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .5rem 0 1rem; text-wrap: balance; }
h1 small { font-size: 1rem; font-weight: 400; color: var(--quiet); white-space: nowrap; }
h2 { font-size: 1.45rem; line-height: 1.25; margin: 2.75rem 0 .75rem; padding-bottom: .3rem; border-bottom: 2px solid var(--line); }
.landing h2 { border: 0; padding: 0; margin-top: 2rem; }
h3 { font-size: 1.15rem; line-height: 1.35; margin: 0 0 .5rem; }
h4 { font-size: .95rem; margin: 1.25rem 0 .35rem; }
p { margin: .5rem 0; }
code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Code", Menlo, "DejaVu Sans Mono", monospace; font-size: .88em; }
code { overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .8rem 1rem; overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; line-height: 1.5; }
pre code { font-size: inherit; overflow-wrap: normal; }
ul { margin: .25rem 0; padding-inline-start: 1.2rem; }
.notice { padding: .6rem .9rem; background: var(--notice); border-inline-start: 4px solid var(--notice-line); border-radius: .2rem; }
.ways { list-style: none; padding: 0; display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); margin: 1.25rem 0; }
.ways li { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--raised); color: var(--quiet); font-size: .92rem; }
.ways a { display: block; font-weight: 600; font-size: 1rem; }
nav { padding: 1rem 1.25rem; border-bottom: 1px solid var(--line); font-size: .92rem; }
nav ul { list-style: none; padding: 0; margin: 0; }
nav > ul { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; }
nav ul ul { display: none; }
nav a { display: inline-block; padding: .15rem 0; }
.filter label { display: block; font-weight: 600; }
.filter input { width: 100%; font: inherit; padding: .4rem .6rem; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: .3rem; }
.filter p { min-height: 1.5em; margin: .15rem 0 .35rem; color: var(--quiet); }
article { margin: 1.25rem 0; padding: 1rem 1.1rem 1.1rem; border: 1px solid var(--line); border-radius: .5rem; }
article:target, tr:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
.anchor { color: var(--quiet); text-decoration: none; padding: 0 .3rem; font-weight: 400; }
.address { display: flex; gap: .6rem; align-items: baseline; }
.address code { font-size: .95rem; font-weight: 600; }
.method { font: 700 .8rem/1.6 ui-monospace, Menlo, "DejaVu Sans Mono", monospace; color: var(--get); }
.address .method { padding: 0 .45rem; border: 1px solid currentcolor; border-radius: .25rem; }
.method.post { color: var(--post); }
.method.put, .method.patch { color: var(--change); }
.method.delete { color: var(--delete); }
.access, .type, .answers details { color: var(--quiet); }
.access { font-size: .92rem; }
.fields, .answers { list-style: none; padding: 0; margin: 0; }
.fields > li, .answers > li { padding: .35rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.fields > li:first-child, .answers > li:first-child { border-top: 0; }
.fields .fields { padding-inline-start: .9rem; border-inline-start: 2px solid var(--line); margin: .3rem 0; }
.fields p { margin: .1rem 0; font-size: .92rem; }
.fields .name, .status { font-weight: 700; color: var(--text); }
.type, .required, summary { font-size: .9rem; }
.required { color: var(--delete); }
.variant { padding-inline-start: .9rem; border-inline-start: 2px solid var(--line); margin: .5rem 0; }
summary { cursor: pointer; color: var(--link); width: fit-content; padding: .1rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: start; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th code { overflow-wrap: normal; }
@media (min-width: 64rem) {
  .reference { display: grid; grid-template: auto 1fr / 19rem minmax(0, 1fr); }
  .reference > header { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; border-bottom: 0; align-self: start; }
  nav > ul, nav ul ul { display: block; }
  nav > ul > li { margin-bottom: .75rem; }
  nav > ul > li > a { font-weight: 600; }
  nav ul ul a { display: flex; gap: .5rem; justify-content: space-between; text-decoration: none; }
  nav ul ul a:hover { text-decoration: underline; }
  nav .method { color: var(--quiet); font-weight: 400; font-size: .72rem; }
  .reference main { padding: 1.25rem 2.25rem 6rem; border-inline-start: 1px solid var(--line); max-width: 60rem; }
}
@media (max-width: 30rem) {
  h1 { font-size: 1.55rem; }
  article { padding: .8rem; }
  th, td { padding-inline-end: .55rem; }
}
@media print { nav, .skip { display: none; } article { break-inside: avoid; } }
`;
