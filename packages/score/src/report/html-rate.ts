import type { SummaryRate } from '../summarise/summary.js';
import type { Cell } from './page.js';
import { percent, widestInterval } from './report-run.js';

const number = (share: number): string => (share * 100).toFixed(1).replace(/\.0$/, '');

/** A rate with its widest interval as numbers and as a bar; sorts by value. */
export function rateCell(rate: SummaryRate): Cell {
  const interval = widestInterval(rate);
  if (rate.value === null || interval === undefined)
    return { html: percent(rate.value), sort: rate.value };
  const { low, high, method, note } = interval;
  const title = `${rate.k} of ${rate.n}; ${method}${note === undefined ? '' : `; ${note}`}`;
  return {
    html: `<span class="rate" title="${title}">${percent(rate.value)} <span class="soft">${number(low)}–${number(high)}</span>${bar(rate.value, low, high)}</span>`,
    sort: rate.value,
  };
}

const at = (share: number): string => (share * 100).toFixed(2);

function bar(value: number, low: number, high: number): string {
  return `<span class="bar" aria-hidden="true"><i style="left:${at(low)}%;width:${at(Math.max(0, high - low))}%"></i><u style="left:clamp(0%,${at(value)}%,100% - 3px)"></u></span>`;
}
