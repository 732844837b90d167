import { darkVariables, lightVariables, pageStyle } from '@tutti/lab/theme';

/**
 * Style of the report: the colours and type of the visualizer, one column of figures, and the table of contents at the
 * side of a wide window.
 */
export const reportStyle = `
:root{color-scheme:light dark;${lightVariables};
--serif:"Iowan Old Style","Palatino Nova","Palatino Linotype",Palatino,Charter,Georgia,"Times New Roman",serif;
--sans:-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{${darkVariables}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 var(--sans);font-variant-numeric:tabular-nums}
h1{font:600 28px/1.2 var(--serif);margin:0 0 8px}
h2{font:600 21px/1.25 var(--serif);margin:0}
h3{font:600 15px/1.4 var(--sans);margin:24px 0 8px}
p{margin:8px 0;max-width:68ch}
a{color:var(--s0)}
code{font:13px var(--mono);overflow-wrap:anywhere}
.page{max-width:1160px;margin:0 auto;padding:32px 24px 96px;display:grid;grid-template-columns:280px minmax(0,1fr);column-gap:56px}
header,main{grid-column:2;min-width:0}
.contents{grid-column:1;grid-row:1/span 2;position:sticky;top:32px;align-self:start;max-height:calc(100vh - 64px);overflow-y:auto;font-size:14px}
.contents ol{list-style:none;margin:12px 0 24px;padding:0}
.contents li{display:grid;grid-template-columns:20px 1fr;padding:3px 0}
.contents a{color:inherit;text-decoration:none}
.contents a:hover{text-decoration:underline}
/* Next to the figures there is space for the contents, which are then always open. */
@media (min-width:961px){.contents details::details-content{content-visibility:visible;display:block;block-size:auto}
.contents summary{list-style:none;pointer-events:none}.contents summary::-webkit-details-marker{display:none}}
.contents summary{color:var(--ink);font-weight:600;font-size:15px}
.facts{margin:16px 0 28px;font-size:14px}
.facts div{display:grid;grid-template-columns:84px minmax(0,1fr);gap:12px;padding:2px 0}
.facts dt{color:var(--muted)}
.facts dd{margin:0;overflow-wrap:anywhere}
.notable{margin:8px 0;padding-left:20px}
.sub{color:var(--muted);font-size:14px}
section+h1{margin-top:72px}
section{border-top:1px solid var(--line);padding:28px 0 20px;scroll-margin-top:8px}
.verdict{border-left:3px solid var(--s3);padding:2px 0 2px 14px;margin:14px 0}
.verdict.not{border-color:var(--s2)}
.held{color:var(--s3)}
.not-held{color:var(--s2)}
figure{margin:20px 0 28px}
figcaption{max-width:68ch;margin-top:8px;font-size:14px;color:var(--muted)}
figcaption strong{color:var(--ink)}
.chart{display:block;width:100%;height:auto;max-width:720px;font-family:var(--sans)}
.chart.narrow{display:none}
pre{max-width:100%;overflow-x:auto;font:13px/1.45 var(--mono)}
details{margin:14px 0}
summary{cursor:pointer;color:var(--muted);font-size:14px}
.table{overflow-x:auto}
table{border-collapse:collapse;font-size:13px;margin:10px 0}
th,td{text-align:right;padding:4px 10px;border-bottom:1px solid var(--line);white-space:nowrap}
th{font-weight:600;color:var(--muted)}
th:first-child,td:first-child,th:nth-child(2),td:nth-child(2){text-align:left}
:focus-visible{outline:2px solid var(--s0);outline-offset:2px}
@media (max-width:960px){.page{display:block;padding:20px 18px 64px}.contents{position:static;max-height:none;margin-bottom:28px}}
@media (max-width:620px){.chart.wide{display:none}.chart.narrow{display:block;max-width:400px}h1{font-size:24px}}
@media print{
.page{display:block;max-width:none;padding:0}.contents{display:none}
body{background:none;font-size:10.5pt}
.chart.wide{display:block}.chart.narrow{display:none}
figure,.verdict,tr{break-inside:avoid}
h1,h2,h3{break-after:avoid}
details:not([open]){display:none}}
${pageStyle}
`;
