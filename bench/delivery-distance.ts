/** Servers that answer after 50 ms: what a connection carries with pipelining, and with one command at a time. */
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { startDeliveryRig } from './support/delivery-rig.ts';
import { DOMAINS, type SinkTraits } from './support/mail-sink.ts';
import { median } from './support/measure.ts';
import { number } from './support/table.ts';

export const title = 'Delivering mails of 4 KB to 10 destinations whose servers answer after 50 ms';
export const claim =
  'a connection carries at least 1.6 times as many mails per second as with one command at a time';

const TARGET = 1.6;
const DELAY_MS = 50;
/** After the warm-up every site has all the connections that it may have. */
const SIZES = {
  full: { rounds: 2, mails: 8_000, warmUp: 3_000 },
  smoke: { rounds: 1, mails: 200, warmUp: 50 },
};
/** What a site of no known provider gets. */
const CONNECTIONS = DOMAINS * 10;

interface Seen {
  readonly perSecond: number;
  readonly connections: number;
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const pipelined = await deliver({ delayMs: DELAY_MS }, size, progress);
  const stepwise = await deliver({ delayMs: DELAY_MS, pipelining: false }, size, progress);
  const each = (seen: readonly Seen[]) => median(seen.map((one) => one.perSecond)) / CONNECTIONS;
  const row = (name: string, perConnection: number) => [
    name,
    number(perConnection, 1),
    number(perConnection * CONNECTIONS),
  ];
  return {
    ratio: each(pipelined) / each(stepwise),
    target: TARGET,
    table: {
      columns: ['way', 'mails/s per connection', 'mails/s in all'],
      rows: [
        row('pipelined: two round trips', each(pipelined)),
        row('one command at a time: four', each(stepwise)),
        row('two round trips of 50 ms and nothing else', 1000 / (2 * DELAY_MS)),
      ],
    },
    figures: {
      per_connection: Number(each(pipelined).toFixed(2)),
      stepwise_per_connection: Number(each(stepwise).toFixed(2)),
      connections_at_once: Math.max(...[...pipelined, ...stepwise].map((one) => one.connections)),
      delay_ms: DELAY_MS,
    },
  };
}

/** The same worker both times: only what the server offers differs. */
async function deliver(traits: SinkTraits, size: Size, progress: Progress): Promise<Seen[]> {
  const { rounds, mails, warmUp } = SIZES[size];
  const rig = await startDeliveryRig(traits);
  try {
    const seen: Seen[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await rig.seed(mails);
      const { perSecond, mostOpen } = await rig.deliver(mails, warmUp);
      await rig.empty();
      seen.push({ perSecond, connections: mostOpen });
      const way = traits.pipelining === false ? 'one command at a time' : 'pipelined';
      progress(`${way}, round ${round} of ${rounds}: ${number(perSecond)} mails/s`);
    }
    return seen;
  } finally {
    await rig.stop();
  }
}
