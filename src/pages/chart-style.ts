/** The look of charts, whose colours are those of the page. */
export const chartStyle = `
:root { --mark: #2f6fbf; --mark-text: #ffffff; --level-0: #e9ecf1; --level-1: #b9d2ef; --level-2: #7fabdd; --level-3: #437fc4; --level-4: #174f93; }
@media (prefers-color-scheme: dark) {
  :root { --mark: #6fa3e3; --mark-text: #10141a; --level-0: #262c35; --level-1: #26456b; --level-2: #386aa6; --level-3: #5e97da; --level-4: #b3d3fb; }
}
body { max-width: 66rem; }
thead th.number { white-space: normal; }
figure { margin: 1rem 0 1.5rem; }
figcaption { font-weight: 600; margin-bottom: .5rem; }
figure p { margin: .5rem 0 0; font-size: .9rem; }
.chart { display: block; width: 100%; height: auto; overflow: visible; font-size: 12.5px; }
.narrow .chart { max-width: 34rem; }
.narrow { display: none; }
.spark { display: block; width: 120px; height: 32px; }
.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2.5rem; }
.chart text { fill: var(--quiet); font-variant-numeric: tabular-nums; text-anchor: middle; }
.chart .end { text-anchor: end; }
.chart .start { text-anchor: start; }
.chart .value { fill: var(--text); }
.chart .year { font-size: 11.5px; }
.grid { stroke: var(--line); stroke-width: 1; stroke-opacity: .7; }
.base { stroke: var(--quiet); stroke-width: 1; }
.mark { fill: var(--mark); }
.running { fill-opacity: .35; stroke: var(--mark); stroke-dasharray: 4 3; }
.gap { fill: none; stroke: var(--quiet); stroke-opacity: .7; stroke-dasharray: 2 3; }
.trend { fill: none; stroke: var(--mark); stroke-width: 1.75; stroke-linejoin: round; }
.shade { fill: var(--mark); fill-opacity: .15; }
.dot { fill: var(--mark); stroke: var(--mark); stroke-width: 1.5; }
.dot.hollow { fill: var(--ground); }
.point { stroke: var(--ground); stroke-width: 1.5; fill-opacity: .9; }
.chart .number-in { fill: var(--mark-text); font-size: 11px; font-weight: 600; }
.level-0 { fill: var(--level-0); } .level-1 { fill: var(--level-1); } .level-2 { fill: var(--level-2); }
.level-3 { fill: var(--level-3); } .level-4 { fill: var(--level-4); }
details { margin-top: .5rem; }
summary { color: var(--accent); cursor: pointer; font-size: .9rem; width: max-content; }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.up, .down, .same { font-weight: 600; }
.up, .down, .same, .from { white-space: nowrap; }
.up { color: var(--good); }
.down { color: var(--bad); }
.same { color: var(--quiet); }
.rank { color: var(--quiet); font-weight: 400; }
@media print, (max-width: 62rem) {
  th, td { padding-right: .5rem; }
  tbody th { min-width: 8rem; }
  .spark { width: 90px; height: 24px; }
  .bar { width: 3rem; }
}
@media screen and (max-width: 45rem) {
  .wide { display: none; }
  .narrow { display: block; }
  .columns { grid-template-columns: 1fr; }
}
@media print {
  :root { --mark: #2f6fbf; --mark-text: #fff; --level-0: #eceef2; --level-1: #b9d2ef; --level-2: #7fabdd; --level-3: #437fc4; --level-4: #174f93; }
  svg * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  figure { break-inside: avoid; }
  details { display: none; }
  body { max-width: none; }
}
`
