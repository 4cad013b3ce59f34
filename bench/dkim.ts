/** How much of the machine's own RSA rate is left once messages are canonicalised, hashed and signed. */

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { ComposedMessage } from '../src/protocols/message/compose.ts';
import type { DomainName } from '../src/protocols/message/domain-name.ts';
import { atOnce } from '../src/runtime/sliced-work.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { built } from './support/built.ts';
import { measureInTurns, type Rate } from './support/measure.ts';
import { requirePackage } from './support/peers.ts';
import { CONTENT_BYTES, receipt } from './support/receipt.ts';
import { number } from './support/table.ts';

export const title = 'Signing 4 KB mails with RSA-2048, many at a time';
export const claim = 'the signing path reaches at least 0.9 of the bare RSA rate on all cores';

const TARGET = 0.9;
/** As a worker has them: loaded some dozens at once, and several such loads in hand. */
const PER_LOAD = 50;
const LOADS = 4;
const AT_ONCE = LOADS * PER_LOAD;
/** `turns`: loads one after the other in each place, timed together. */
const SIZES = {
  full: { turns: 8, warmUpMs: 1_000, rounds: 15, roundMs: 250 },
  smoke: { turns: 1, warmUpMs: 10, rounds: 2, roundMs: 10 },
};
type Numbers = (typeof SIZES)[Size];
const DOMAIN = 'shop.example' as DomainName;

type Path = 'signing' | 'rsa';

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const numbers = SIZES[size];
  const { composing, writingWire } =
    await built<typeof import('../src/protocols/message/compose.ts')>('protocols/message/compose');
  const { createSigner } =
    await built<typeof import('../src/delivery/attempt/signing.ts')>('delivery/attempt/signing');
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signer = createSigner({ find: async () => ({ selector: 'pr1', key: privateKey }) });
  const mail = receipt();
  const messages = Array.from({ length: AT_ONCE }, (_, i) =>
    atOnce(composing({ ...mail, subject: `Your order ${i}`, text: `${mail.text}Order ${i}\n` })),
  );
  const signOne = (message: ComposedMessage) =>
    signer(DOMAIN, { organizationId: 'org_1', priority: 1 }, message, mail.dateMs);
  progress('checking that a signature verifies');
  await expectValid(atOnce(writingWire(await signOne(messages[0] as ComposedMessage))), publicKey);
  const inputs = messages.map(() => randomBytes(32));
  const cpu = new CpuTimes();
  const rates = await measureInTurns(
    {
      signing: () =>
        cpu.of('signing', () => inHand(numbers.turns, (i) => signOne(messages[i] as ComposedMessage))),
      rsa: () => cpu.of('rsa', () => inHand(numbers.turns, (i) => rsa(inputs[i] as Buffer, privateKey))),
    },
    numbers,
    progress,
  );
  return report(rates, cpu, numbers);
}

/** A worker takes the next deliveries when some are done; it does not begin them all at the same moment. */
async function inHand(turns: number, work: (message: number) => Promise<unknown>): Promise<void> {
  const place = async (_: unknown, load: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) {
      await Promise.all(Array.from({ length: PER_LOAD }, (_, i) => work(load * PER_LOAD + i)));
    }
  };
  await Promise.all(Array.from({ length: LOADS }, place));
}

/** The reference: nothing but the RSA operation, on the same thread pool, as many at a time. */
function rsa(input: Buffer, key: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign('sha256', input, key, (error, signature) => (error ? reject(error) : resolve(signature)));
  });
}

async function expectValid(wire: Buffer, publicKey: KeyObject): Promise<void> {
  const { dkimVerify } = await requirePackage(
    () => import('mailauth/lib/dkim/verify.js'),
    'mailauth',
    'npm ci',
  );
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const record = `v=DKIM1; k=rsa; p=${der.toString('base64')}`;
  const { results } = await dkimVerify(wire, { resolver: async () => [[record]] });
  if (results[0]?.status.result !== 'pass') throw new Error('The signature to be measured does not verify.');
}

function report(rates: Readonly<Record<Path, Rate>>, cpu: CpuTimes, numbers: Numbers): BenchResult {
  const perRun = AT_ONCE * numbers.turns;
  const row = (name: string, path: Path, rate: Rate) => [
    name,
    number(rate.medianPerSecond * perRun),
    `${number(rate.minPerSecond * perRun)} - ${number(rate.maxPerSecond * perRun)}`,
    number(cpu.perRunUs(path) / perRun),
    number(rate.operations * perRun),
  ];
  const { signing, rsa: bare } = rates;
  return {
    ratio: signing.medianPerSecond / bare.medianPerSecond,
    target: TARGET,
    table: {
      columns: ['path', 'median signatures/s', 'slowest - fastest round', 'CPU us each', 'signatures'],
      rows: [row('canonicalise, hash, sign', 'signing', signing), row('RSA alone', 'rsa', bare)],
    },
    figures: {
      signing_per_second: Math.round(signing.medianPerSecond * perRun),
      rsa_per_second: Math.round(bare.medianPerSecond * perRun),
      signing_cpu_us: Math.round(cpu.perRunUs('signing') / perRun),
      rsa_cpu_us: Math.round(cpu.perRunUs('rsa') / perRun),
      content_bytes: CONTENT_BYTES,
      at_once: AT_ONCE,
      cores: availableParallelism(),
      threads: Number(process.env.UV_THREADPOOL_SIZE ?? 4),
      rounds: numbers.rounds,
    },
  };
}

/** What each path costs on all threads together: unlike the rate, this hardly depends on who else is busy. */
class CpuTimes {
  readonly #us = { signing: 0, rsa: 0 };
  readonly #runs = { signing: 0, rsa: 0 };

  async of(path: Path, work: () => Promise<void>): Promise<void> {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    this.#us[path] += user + system;
    this.#runs[path] += 1;
  }

  perRunUs(path: Path): number {
    return this.#us[path] / this.#runs[path];
  }
}
