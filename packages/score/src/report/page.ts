import { digestText } from '@pab/model';
import { escapeMarkup } from './escape.js';

/**
 * One style for report and leaderboard. System fonts, both colour schemes, no outside asset; tables scroll inside their own box, so that
 * a narrow screen never scrolls sideways as a whole.
 */
const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#59636e;--paper:#fff;--band:#f4f6f8;--line:#d5dbe1;--bad:#b3261e;--bad-soft:#f6d4d1;--good:#1a6b3c;--warn:#8a5a00;--mark:#2457a6;--track:#e3e8ed}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--soft:#a0a9b4;--paper:#14171b;--band:#1c2127;--line:#343b44;--bad:#ff8a80;--bad-soft:#5a2a27;--good:#7fd3a0;--warn:#f0bf62;--mark:#8ab4f8;--track:#2b323a}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:92rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .35rem;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:2.2rem 0 .6rem}
p{margin:.4rem 0;max-width:60rem}
.soft{color:var(--soft)}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.banner{border-left:4px solid var(--warn);background:var(--band);padding:.5rem .8rem;margin:.8rem 0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(12.5rem,1fr));gap:.7rem;margin:1.1rem 0}
.tile{background:var(--band);border:1px solid var(--line);border-radius:.5rem;padding:.7rem .85rem}
.tile b{display:block;font-size:1.55rem;line-height:1.25;font-variant-numeric:tabular-nums}
.tile span{color:var(--soft);font-size:.85rem;display:block}
.box{width:fit-content;max-width:100%;overflow-x:auto;border:1px solid var(--line);border-radius:.5rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.42rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tr:last-child>td{border-bottom:0}
thead th{background:var(--band);font-size:.82rem;font-weight:600;vertical-align:bottom}
th.n,td.n{text-align:right;white-space:nowrap}
td.wide{min-width:16rem}td.name{min-width:8.5rem}td code{overflow-wrap:normal}td>code,td.date{white-space:nowrap}td.name code{white-space:normal}
th button{all:unset;cursor:pointer;font:inherit}
th button:focus-visible{outline:2px solid var(--mark);outline-offset:2px}
th[aria-sort] button::after{content:" \\2195";color:var(--soft)}
th[aria-sort=ascending] button::after{content:" \\2191";color:inherit}
th[aria-sort=descending] button::after{content:" \\2193";color:inherit}
.rate{display:block;min-width:8.2rem;white-space:nowrap}
.bar{display:block;position:relative;height:.45rem;margin-top:.2rem;background:var(--track);border-radius:.25rem;overflow:hidden}
.bar i,.bar u{position:absolute;top:0;bottom:0}
.bar i{background:var(--mark);opacity:.35}
.bar u{width:3px;background:var(--mark)}
.compromised,.bad{color:var(--bad)}.over_refused,.error{color:var(--warn)}.resisted,.completed{color:var(--good)}
.tag{display:inline-block;border:1px solid var(--line);border-radius:1rem;padding:0 .5rem;font-size:.78rem;color:var(--soft);white-space:nowrap}
.tools{display:flex;flex-wrap:wrap;gap:.6rem;margin:.6rem 0}
.tools[hidden]{display:none}
input,select{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.35rem;padding:.3rem .5rem;max-width:100%}
details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;padding:.4rem .8rem}
summary{cursor:pointer;overflow-wrap:anywhere}
ol.steps{list-style:none;margin:.6rem 0;padding:0}
ol.steps li{border-left:3px solid var(--line);padding:.1rem 0 .1rem .8rem;margin:.6rem 0}
ol.steps li.hot{border-color:var(--bad)}
pre{margin:.25rem 0;white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
mark{background:var(--bad-soft);color:inherit}
@media print{.tools{display:none}details{break-inside:avoid}}
`;

/** Sorts tables by a click on a heading and filters rows; without it the page is complete, in the order it was written in. */
const SCRIPT = `
for(const table of document.querySelectorAll('table.sortable')){
  const body=table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((cell,column)=>{
    const button=document.createElement('button');
    button.type='button';
    button.append(...cell.childNodes);
    cell.append(button);
    if(!cell.hasAttribute('aria-sort'))cell.setAttribute('aria-sort','none');
    button.addEventListener('click',()=>{
      const down=cell.getAttribute('aria-sort')==='ascending';
      for(const other of table.tHead.rows[0].cells)other.setAttribute('aria-sort','none');
      cell.setAttribute('aria-sort',down?'descending':'ascending');
      const key=(row)=>{const held=row.cells[column];return held.dataset.value??held.textContent.trim()};
      const rows=[...body.rows].sort((a,b)=>{
        const x=key(a),y=key(b);
        if(x===''||y==='')return x===y?0:x===''?1:-1;
        const order=isNaN(x)||isNaN(y)?x.localeCompare(y):x-y;
        return down?-order:order;
      });
      body.append(...rows);
    });
  });
}
for(const tools of document.querySelectorAll('.tools')){
  const table=document.getElementById(tools.dataset.for);
  const text=tools.querySelector('input'),outcome=tools.querySelector('select');
  const filter=()=>{
    const wanted=text.value.toLowerCase();
    for(const row of table.tBodies[0].rows){
      row.hidden=!(row.textContent.toLowerCase().includes(wanted)&&(outcome.value===''||row.dataset.outcome===outcome.value));
    }
  };
  text.addEventListener('input',filter);
  outcome.addEventListener('input',filter);
  tools.hidden=false;
}
`;

const base64 = (hex: string): string =>
  btoa(
    (hex.match(/../g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join(''),
  );

/**
 * One whole page. Its policy lets nothing be fetched and no script run but ours, so that even a text that got past the escaping would
 * stay dead.
 *
 * @param body markup, escaped by whoever made it
 */
export function htmlPage(title: string, body: string): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${base64(digestText(SCRIPT))}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** A cell of a table: what is shown, and what it sorts by. */
export interface Cell {
  /** Markup, escaped by whoever made it. */
  readonly html: string;
  readonly sort?: string | number | null;
  readonly number?: boolean;
  readonly wide?: boolean;
  /** A name with more below it. */
  readonly name?: boolean;
  readonly date?: boolean;
}

export const text = (shown: string): Cell => ({ html: escapeMarkup(shown) });
export const count = (value: number): Cell => ({
  html: String(value),
  sort: value,
  number: true,
});

function tableCell({ html, sort, number, wide, name, date }: Cell): string {
  const names = [
    ...(number === true ? ['n'] : []),
    ...(wide === true ? ['wide'] : []),
    ...(name === true ? ['name'] : []),
    ...(date === true ? ['date'] : []),
  ];
  const classes = names.length === 0 ? '' : ` class="${names.join(' ')}"`;
  const value =
    sort === undefined ? '' : ` data-value="${sort === null ? '' : escapeMarkup(String(sort))}"`;
  return `<td${classes}${value}>${html}</td>`;
}

export interface HtmlTable {
  readonly headings: readonly string[];
  readonly rows: readonly { readonly cells: readonly Cell[]; readonly outcome?: string }[];
  readonly id?: string;
  readonly sortable?: boolean;
}

export function htmlTable({ headings, rows, id, sortable = true }: HtmlTable): string {
  const numbers = rows[0]?.cells.map(({ number }) => number === true) ?? [];
  const head = headings
    .map(
      (heading, index) =>
        `<th scope="col"${numbers[index] === true ? ' class="n"' : ''}>${escapeMarkup(heading)}</th>`,
    )
    .join('');
  const body = rows.map(({ cells, outcome }) => {
    const data = outcome === undefined ? '' : ` data-outcome="${escapeMarkup(outcome)}"`;
    return `<tr${data}>${cells.map(tableCell).join('')}</tr>`;
  });
  const name = id === undefined ? '' : ` id="${escapeMarkup(id)}"`;
  return `<div class="box"><table${name}${sortable ? ' class="sortable"' : ''}><thead><tr>${head}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></div>`;
}
