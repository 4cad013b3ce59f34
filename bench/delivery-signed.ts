/** Delivery with DKIM, against what the machine can sign on all of its cores when it does nothing else. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { type Delivered, type DeliveryRig, startDeliveryRig } from './support/delivery-rig.ts';
import { addDomain } from './support/installation.ts';
import { median } from './support/measure.ts';
import { number } from './support/table.ts';

export const title = 'Delivering mails of 4 KB to 10 destinations, signed with RSA-2048';
export const claim = 'signed delivery reaches at least 0.5 of the bare RSA rate on all cores';

const TARGET = 0.5;
const SIZES = {
  full: { rounds: 3, mails: 8_000, warmUp: 2_000, rsaMs: 4_000 },
  smoke: { rounds: 1, mails: 200, warmUp: 50, rsaMs: 300 },
};
type Numbers = (typeof SIZES)[Size];
const AT_ONCE = 200;
const SIGNED_DOMAIN = 'signed.test';

interface Round extends Delivered {
  readonly rsa: number;
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const numbers = SIZES[size];
  const rig = await startDeliveryRig();
  try {
    await addDomain(rig.installation, SIGNED_DOMAIN);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const rounds: Round[] = [];
    for (let round = 1; round <= numbers.rounds; round += 1) {
      const rsa = await bareRsa(privateKey, numbers.rsaMs);
      rounds.push({ ...(await deliverSigned(rig, numbers)), rsa });
      const { perSecond } = rounds.at(-1) as Round;
      progress(
        `round ${round} of ${numbers.rounds}: ${number(perSecond)} mails/s, RSA alone ${number(rsa)}/s`,
      );
    }
    return report(rounds);
  } finally {
    await rig.stop();
  }
}

async function deliverSigned(rig: DeliveryRig, { mails, warmUp }: Numbers): Promise<Delivered> {
  await rig.seed(mails, `orders@${SIGNED_DOMAIN}`);
  const delivered = await rig.deliver(mails, warmUp);
  await rig.empty();
  return delivered;
}

/** Nothing but the RSA operation, on the thread pool of this process, which has a role's size. */
async function bareRsa(key: KeyObject, forMs: number): Promise<number> {
  const signOne = () =>
    new Promise<void>((resolve, reject) => {
      sign('sha256', randomBytes(32), key, (error) => (error ? reject(error) : resolve()));
    });
  const startedMs = performance.now();
  let count = 0;
  while (performance.now() - startedMs < forMs) {
    await Promise.all(Array.from({ length: AT_ONCE }, signOne));
    count += AT_ONCE;
  }
  return (count * 1000) / (performance.now() - startedMs);
}

function report(rounds: readonly Round[]): BenchResult {
  const row = (name: string, value: (round: Round) => number) => [
    name,
    number(median(rounds.map(value))),
    rounds.map((round) => number(value(round))).join(' '),
  ];
  return {
    ratio: median(rounds.map((round) => round.perSecond / round.rsa)),
    target: TARGET,
    table: {
      columns: ['path', 'median/s', 'rounds'],
      rows: [
        row('postrider, signed', (round) => round.perSecond),
        row('RSA-2048 alone, all cores', (round) => round.rsa),
      ],
    },
    figures: {
      signed_per_second: Math.round(median(rounds.map((round) => round.perSecond))),
      rsa_per_second: Math.round(median(rounds.map((round) => round.rsa))),
      worker_peak_mb: Math.max(...rounds.map((round) => round.rssMb)),
      rounds: rounds.length,
    },
  };
}
