/** Batch send against the same mails sent one request each, and what a batch does to others meanwhile. */
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { expectOnly, type HttpRequest, load } from './support/load.ts';
import { number } from './support/table.ts';

export const title = 'Batch send: a 5 KB template to 1,000 recipients a request, fsync on';
export const claim =
  'at least 8,000 recipients/s, 5 times single requests, and a parallel send waits at most 5 times as long';

const SIZES = {
  full: { recipients: 1_000, connections: 64, durationMs: 8_000, warmUpMs: 2_000 },
  smoke: { recipients: 100, connections: 16, durationMs: 500, warmUpMs: 300 },
};
type Numbers = (typeof SIZES)[Size];
const TARGETS = { recipientsPerSecond: 8_000, timesSingle: 5, slowdown: 5 };

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  progress('starting PostgreSQL and the API');
  const installation = await startInstallation();
  try {
    return await measure(installation, SIZES[size], progress);
  } finally {
    await installation.stop();
  }
}

async function measure(
  installation: Installation,
  { recipients, connections, durationMs, warmUpMs }: Numbers,
  progress: Progress,
): Promise<BenchResult> {
  const { id } = (await installation.api('POST', '/templates', template())) as { id: string };
  const port = installation.apiPort;
  const single = request(installation, '/api/v1/emails/send', {
    ...common(id),
    to: [to(1)],
    template_data: data(1),
  });
  const plain = request(installation, '/api/v1/emails/send', {
    ...common(id),
    template_id: undefined,
    to: [to(1)],
    text: 'x',
  });
  const batch = request(installation, '/api/v1/emails/batch', {
    ...common(id),
    recipients: recipientsOf(recipients),
  });

  progress('warming up');
  expectOnly(201, await load(single, { port, connections: 16, durationMs: warmUpMs }));
  expectOnly(201, await load(batch, { port, connections: 2, durationMs: warmUpMs }));
  progress(`one request each, ${connections} connections`);
  const ones = await load(single, { port, connections, durationMs });
  progress(`batches of ${number(recipients)}, 2 connections`);
  const batches = await load(batch, { port, connections: 2, durationMs });
  progress('a single send while nothing else happens');
  const idle = await load(plain, { port, connections: 1, durationMs, pauseMs: 5 });
  progress('a single send while batches are accepted');
  const [busy] = await Promise.all([
    load(plain, { port, connections: 1, durationMs, pauseMs: 5 }),
    load(batch, { port, connections: 1, durationMs }),
  ]);
  for (const findings of [ones, batches, idle, busy]) expectOnly(201, findings);

  const oneRate = ones.answers / ones.seconds;
  const batchRate = (batches.answers * recipients) / batches.seconds;
  const slowdown = busy.p99Ms / idle.p99Ms;
  const parts = [
    batchRate / TARGETS.recipientsPerSecond,
    batchRate / oneRate / TARGETS.timesSingle,
    TARGETS.slowdown / slowdown,
  ];
  return {
    // The weakest of the three claims, each as a part of its own target.
    ratio: Math.min(...parts),
    target: 1,
    table: {
      columns: ['measured', 'value', 'target'],
      rows: [
        ['recipients accepted/s in batches', number(batchRate), `>= ${number(TARGETS.recipientsPerSecond)}`],
        ['emails accepted/s, one request each', number(oneRate), ''],
        [
          'batches against single requests',
          `${number(batchRate / oneRate, 1)} x`,
          `>= ${TARGETS.timesSingle} x`,
        ],
        ['p99 of a send, idle', `${number(idle.p99Ms, 1)} ms`, ''],
        ['p99 of a send, during batches', `${number(busy.p99Ms, 1)} ms`, ''],
        ['slowdown of a parallel send', `${number(slowdown, 1)} x`, `<= ${TARGETS.slowdown} x`],
      ],
    },
    figures: {
      recipients_per_second: Math.round(batchRate),
      single_per_second: Math.round(oneRate),
      times_single: Number((batchRate / oneRate).toFixed(2)),
      p99_idle_ms: Number(idle.p99Ms.toFixed(2)),
      p99_busy_ms: Number(busy.p99Ms.toFixed(2)),
      slowdown: Number(slowdown.toFixed(2)),
    },
  };
}

function request({ headers }: Installation, path: string, body: unknown): HttpRequest {
  return { method: 'POST', path, headers, body };
}

function common(templateId: string) {
  return { template_id: templateId, from: { email: 'shop@sandbox.test' }, subject: 'Order {{order}}' };
}

function to(n: number) {
  return { email: `customer${n}@example.org`, name: `Customer ${n}` };
}

function data(n: number) {
  const items = Array.from({ length: 5 }, (_, i) => ({ title: `Notebook ${i}`, price: `${i}.50` }));
  return { name: `Customer ${n}`, order: n, items };
}

function recipientsOf(count: number) {
  return Array.from({ length: count }, (_, n) => ({ to: to(n), data: data(n) }));
}

/** 5 KB of html with a loop, a condition and an escaped name. */
function template() {
  const rows = '{{#each items}}<tr><td>{{this.title}}</td><td>{{this.price}}</td></tr>{{/each}}';
  const html = `<html><body><h1>Hello {{name}}</h1><table>${rows}</table>{{#if vip}}<b>VIP</b>{{/if}}</body></html>`;
  const filler = `<!-- ${'.'.repeat(5 * 1024 - html.length)} -->`;
  return { name: 'Receipt', subject: 'Order', html: html + filler, text: 'Hello {{name}}, thank you.' };
}
