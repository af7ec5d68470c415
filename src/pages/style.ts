/**
 * The look of every page, in light, dark and print. The colours of text have a contrast of at least 4.5 : 1 with what is
 * behind them, in both schemes.
 */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f6f7f9; --line: #d9dde3; --text: #1b1f26; --quiet: #59616e;
  --bad: #b3141f; --bad-ground: #fdecec; --warn: #7d4e00; --warn-ground: #fdf3dc; --good: #17693a; --good-ground: #e6f4eb;
  --accent: #1d5fbf; --bar: #7f9cc4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c; --raised: #1d2229; --line: #363d48; --text: #e7eaee; --quiet: #a4adba;
    --bad: #ff9d9d; --bad-ground: #3d1f22; --warn: #f0c365; --warn-ground: #382c12; --good: #7fd6a0; --good-ground: #17321f;
    --accent: #8fbcff; --bar: #57779f;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 80rem; padding: 2rem 1.25rem 4rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2.5rem 0 .5rem; }
p { margin: 0 0 .75rem; max-width: 65ch; }
a { color: var(--accent); }
a:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.lead, .quiet { color: var(--quiet); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; margin: 1.5rem 0; padding: 0; }
.figures > div { background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem;
  display: flex; flex-direction: column; }
.figures dt { order: 1; color: var(--quiet); font-size: .875rem; }
.figures dd { margin: 0; font-size: 1.6rem; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; }
.figures .beside { order: 2; font-size: .875rem; font-weight: 400; line-height: 1.5; }
.contents { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0 0 1rem; padding: 0; }
.scroll { overflow-x: auto; }
.scroll + p { margin-top: .75rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
caption { text-align: left; color: var(--quiet); font-size: .95rem; padding-bottom: .4rem; }
caption > span { display: block; position: sticky; left: 0; max-width: min(100%, calc(100vw - 2.5rem)); }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: break-word; }
tbody th, td:last-child:not(.number), .sized td { overflow-wrap: anywhere; }
thead th { color: var(--quiet); font-weight: 600; border-bottom: 2px solid var(--line); white-space: nowrap; }
tbody th { font-weight: 600; min-width: 13rem; }
.sized { table-layout: fixed; }
.many { min-width: 46rem; }
th.small { width: 12%; }
th.medium { width: 24%; }
th.large { width: 28%; }
td ul, th ul { list-style: none; margin: 0; padding: 0; }
td li + li { margin-top: .25rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.file { display: block; color: var(--quiet); font-size: .85em; font-weight: 400; }
.badge { border-radius: .25rem; font-size: .85em; font-weight: 600; padding: .05rem .4rem; white-space: nowrap; }
.bad { color: var(--bad); background: var(--bad-ground); }
.warn { color: var(--warn); background: var(--warn-ground); }
.good { color: var(--good); background: var(--good-ground); }
.plain { color: var(--quiet); background: var(--raised); }
.share { display: flex; align-items: center; gap: .75rem; }
.share > span { flex: none; min-width: 3.5rem; text-align: right; font-variant-numeric: tabular-nums; }
.bar { flex: auto; width: 5rem; height: .7rem; }
.bar rect { fill: var(--bar); }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
@media screen and (max-width: 45rem) {
  .sized, .sized tbody, .sized tr, .sized tbody th, .sized td { display: block; width: auto; min-width: 0; }
  .sized caption { display: block; }
  .sized thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .sized tbody th, .sized td { border: 0; padding: .15rem 0; }
  .sized td:empty { display: none; }
  .sized tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
}
@media print {
  :root { color-scheme: light; --ground: #fff; --raised: #fff; --line: #bbb; --text: #000; --quiet: #444;
    --bad: #8f0f18; --bad-ground: #fff; --warn: #5f3b00; --warn-ground: #fff; --good: #0f4f2a; --good-ground: #fff;
    --accent: #000; --bar: #7f9cc4; }
  @page { margin: 15mm; }
  html { font-size: 11px; }
  body { max-width: none; padding: 0; font-size: 11px; }
  thead th { white-space: normal; }
  .contents { display: none; }
  .scroll { overflow: visible; }
  .badge { border: 1px solid currentColor; }
  .bar rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  thead { display: table-header-group; }
  .many { min-width: 0; }
  tr, .figures > div { break-inside: avoid; }
  h2, caption { break-after: avoid; }
}
`
