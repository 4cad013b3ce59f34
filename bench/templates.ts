/** How fast a saved template becomes a mail, next to the engine whose language it is written in. */
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { built } from './support/built.ts';
import { measureInTurns, median, type Rate } from './support/measure.ts';
import { requirePackage } from './support/peers.ts';
import { number } from './support/table.ts';

export const title = 'Rendering a 5 KB receipt with a loop over 10 rows';
export const claim =
  'renderPart is at least 1.5 times as fast as a compiled Handlebars template, with the same bytes';

const TARGET = 1.5;
const TEMPLATE_BYTES = 5 * 1024;
const SIZES = {
  full: { warmUpMs: 1_000, rounds: 9, roundMs: 500, builds: 200 },
  smoke: { warmUpMs: 50, rounds: 2, roundMs: 50, builds: 5 },
};

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const numbers = SIZES[size];
  const { compilePart } = await built<typeof import('../src/template-language/template.ts')>(
    'template-language/template',
  );
  const { renderPart } =
    await built<typeof import('../src/template-language/render.ts')>('template-language/render');
  const { default: Handlebars } = await requirePackage(() => import('handlebars'), 'handlebars', 'npm ci');
  const source = receipt();
  const compiled = compilePart('html', source);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
  const theirs = Handlebars.compile(source);
  const postrider = () => {
    const result = renderPart(compiled.template, order);
    if (!result.ok) throw new Error(result.problem.message);
    return flat(result.output);
  };
  const handlebars = () => flat(theirs(order));
  progress('checking that both give the same bytes');
  if (postrider() !== handlebars()) throw new Error('The two engines gave different mails.');
  const rates = await measureInTurns({ postrider, handlebars }, numbers, progress);
  progress('building the template');
  const buildMs = medianMs(numbers.builds, () => compilePart('html', source));
  const theirBuildMs = medianMs(numbers.builds, () => Handlebars.compile(source)(order));
  const outputBytes = Buffer.byteLength(postrider());
  return report(rates, { buildMs, theirBuildMs, outputBytes, rounds: numbers.rounds });
}

/** Both engines leave a rope of pieces; nobody can send one, so that putting it together counts. */
function flat(text: string): string {
  Number(text);
  return text;
}

function medianMs(builds: number, work: () => unknown): number {
  const times: number[] = [];
  for (let i = 0; i < builds; i += 1) {
    const started = performance.now();
    work();
    times.push(performance.now() - started);
  }
  return median(times);
}

function report(
  { postrider, handlebars }: Readonly<Record<'postrider' | 'handlebars', Rate>>,
  measured: Readonly<Record<'buildMs' | 'theirBuildMs' | 'outputBytes' | 'rounds', number>>,
): BenchResult {
  const { buildMs, theirBuildMs, outputBytes, rounds } = measured;
  const row = (name: string, rate: Rate, build: number) => [
    name,
    number(rate.medianPerSecond),
    number(1e6 / rate.medianPerSecond, 1),
    `${number(rate.minPerSecond)} - ${number(rate.maxPerSecond)}`,
    number(build, 2),
  ];
  return {
    ratio: postrider.medianPerSecond / handlebars.medianPerSecond,
    target: TARGET,
    table: {
      columns: ['engine', 'median renders/s', 'us/render', 'slowest - fastest round', 'build ms'],
      rows: [row('postrider', postrider, buildMs), row('handlebars 4.7', handlebars, theirBuildMs)],
    },
    figures: {
      postrider_per_second: Math.round(postrider.medianPerSecond),
      handlebars_per_second: Math.round(handlebars.medianPerSecond),
      build_ms: Number(buildMs.toFixed(3)),
      handlebars_build_ms: Number(theirBuildMs.toFixed(3)),
      template_bytes: TEMPLATE_BYTES,
      output_bytes: outputBytes,
      rounds,
    },
  };
}

const order = {
  shop: { name: 'Büro & Papier', url: 'https://shop.example', phone: '+49 30 1234567' },
  customer: { first_name: 'Zoë', last_name: "O'Neill", is_new: false },
  order: { number: '48-1573', placed_at: '2026-11-15', paid: true },
  currency: '€',
  items: Array.from({ length: 10 }, (_, i) => ({
    name: `Notebook <A5>, ruled, number ${i + 1}`,
    sku: `NB-${1000 + i}`,
    quantity: i + 1,
    price: `${i + 1}.50`,
    discounted: i % 3 === 0,
    options: i % 2 === 0 ? ['blue', 'soft cover'] : [],
  })),
  totals: { net: '82.50', tax: '15.68', gross: '98.18' },
  address: { street: 'Lange Straße 12', city: '10115 Berlin', country: 'Germany' },
};

function receipt(): string {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Order {{order.number}}</title></head>
<body style="margin:0;background:#f6f6f4;font-family:Helvetica,Arial,sans-serif;color:#222">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="background:#ffffff">
<tr><td style="padding:24px 32px"><a href="{{shop.url}}/">{{shop.name}}</a></td></tr>
<tr><td style="padding:0 32px">
<h1 style="font-size:22px">Thank you, {{customer.first_name}} {{customer.last_name}}</h1>
{{#if customer.is_new}}
<p>Welcome to {{shop.name}}! Your account is ready.</p>
{{else}}
<p>Good to see you again.</p>
{{/if}}
<p>We have received your order <b>{{order.number}}</b> of {{order.placed_at}}.</p>
{{#unless order.paid}}
<p><a href="{{shop.url}}/pay/{{order.number}}">Pay now</a></p>
{{/unless}}
</td></tr>
<tr><td style="padding:0 32px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">
<tr><th align="left">Item</th><th align="right">Quantity</th><th align="right">Price</th></tr>
{{#each items}}
<tr>
<td style="padding:8px 0;border-bottom:1px solid #ddd">
<a href="{{../shop.url}}/items/{{this.sku}}?ref=mail">{{this.name}}</a>
{{#if options}}
<br><small>{{#each options}}{{this}}{{#unless @last}}, {{/unless}}{{/each}}</small>
{{/if}}
</td>
<td align="right" style="padding:8px 0;border-bottom:1px solid #ddd">{{quantity}}</td>
<td align="right" style="padding:8px 0;border-bottom:1px solid #ddd">{{price}} {{../currency}}{{#if discounted}} <b>sale</b>{{/if}}</td>
</tr>
{{else}}
<tr><td colspan="3">Nothing in it.</td></tr>
{{/each}}
<tr><td colspan="2" align="right">Net</td><td align="right">{{totals.net}} {{currency}}</td></tr>
<tr><td colspan="2" align="right">Tax</td><td align="right">{{totals.tax}} {{currency}}</td></tr>
<tr><td colspan="2" align="right"><b>Total</b></td><td align="right"><b>{{totals.gross}} {{currency}}</b></td></tr>
</table>
</td></tr>
{{#with address}}
<tr><td style="padding:16px 32px">We send it to:<br>{{street}}<br>{{city}}<br>{{country}}</td></tr>
{{/with}}
<tr><td style="padding:16px 32px;font-size:12px;color:#777">Questions? Call {{shop.phone}} or answer this mail.</td></tr>
</table>
</td></tr></table>
`;
  const filler = '<p style="font-size:11px;color:#999">Terms and conditions apply to every order.</p>\n';
  const foot = '</body></html>\n';
  const missing = TEMPLATE_BYTES - Buffer.byteLength(html) - foot.length;
  const padding = filler.repeat(Math.ceil(missing / filler.length)).slice(0, missing - 9);
  return `${html}${padding}<!-- -->\n${foot}`;
}
