/** Moving from a relay to direct delivery step by step, with real receivers, one of which starts to defer our mail. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { attemptsWhere } from '../../src/events/attempts.ts';
import { type CanaryStepRow, lastSteps } from '../../src/routing/canary/steps.ts';
import { newId } from '../../src/runtime/ids.ts';
import { inTurn, relayTo, setRoutes } from '../support/routes.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

const ORG = newId('org');
const OWN = '127.0.0.7';
const POOL = { kind: 'direct' as const, name: 'pool', sources: [{ address: OWN }] };
const PROVIDERS = ['alpha', 'beta'] as const;
type Provider = (typeof PROVIDERS)[number];

/** The documented limit: after a minute a receiver that defers gets no more mail on the new path. */
const PROMISED_MS = 60_000;

let live: Live;
let relay: SmtpSink;
let folder: string;
/** The reply of alpha to every recipient, instead of acceptance. */
let refusal: string | null;

beforeEach(async () => {
  refusal = null;
  folder = mkdtempSync(join(tmpdir(), 'postrider-canary-'));
  const file = join(folder, 'providers.json');
  writeFileSync(file, JSON.stringify(PROVIDERS.map((name) => ({ name, hosts: [`mx.${name}.test`] }))));
  live = await Live.start({
    sites: { alpha: { rcpt: () => refusal ?? { act: 'agree' } }, beta: {} },
    speed: 120,
    env: { POSTRIDER_PROVIDERS_FILE: file },
  });
  relay = await startSmtpSink({ address: '127.0.2.1' });
});
afterEach(async () => {
  await live.stop();
  await relay.close();
  rmSync(folder, { recursive: true, force: true });
});

const move = (canary: object) =>
  setRoutes(live.db, {
    transports: [POOL, relayTo('acme', relay)],
    rules: [{ steps: inTurn('acme'), canary: { name: 'off-acme', to: 'pool', ...canary } }],
  });

async function percents(): Promise<Record<string, number>> {
  const rows = await live.db.many(
    adHoc<{ provider: string; percent: number }>('SELECT provider, percent FROM canary_shares'),
  );
  return Object.fromEntries(rows.map(({ provider, percent }) => [provider, percent]));
}

/** Several reviews are needed, seconds apart, each with new mail. */
const TIMEOUT_MS = 240_000;

let seeded = 0;
async function seed(provider: Provider, count: number): Promise<void> {
  await live.seed(provider, ORG, count);
  seeded += count;
}

/** Sends mail until the condition holds. */
async function whileMailComes(holds: (all: Record<string, number>) => boolean): Promise<void> {
  const come = async () => {
    for (const provider of PROVIDERS) await seed(provider, 10);
    return percents();
  };
  await until(come, holds, 250);
}

interface AttemptRow {
  email_id: string;
  attempt: number;
  outcome: string;
  route: { transport: string; canary: { way: string; percent: number; instead?: true } };
}
const attempts = () =>
  live.db.many(
    adHoc<AttemptRow>(
      `SELECT email_id, attempt, outcome, route FROM (${attemptsWhere('true')}) AS attempts ORDER BY email_id, id`,
    ),
  );

const messageIds = (sinks: readonly SmtpSink[]) =>
  sinks.flatMap(({ messages }) =>
    messages.map(({ content }) => /^Message-ID: (.*)$/im.exec(content.toString())?.[1] ?? ''),
  );

describe('a canary', () => {
  it(
    'rises automatically, and returns to the relay within a minute for a receiver that begins to defer',
    async () => {
      seeded = 0;
      await move({ percents: [30, 60], minutes: 0.01, mails: 10 });
      await Promise.all([live.startWorker(), live.startWorker()]);
      await whileMailComes(({ alpha, beta }) => alpha === 60 && beta === 60);
      await live.whenSent();
      expect(live.sink('alpha').messages.length).toBeGreaterThan(10);
      expect(live.sink('alpha').messages.every(({ connection }) => connection.from === OWN)).toBe(true);

      refusal = '451 4.7.1 Message deferred due to policy, try again later';
      const beganMs = Date.now();
      await whileMailComes(({ alpha }) => alpha === 0);
      expect(Date.now() - beganMs).toBeLessThan(PROMISED_MS);

      // Deferred mail is retried over the relay. The other receiver is not affected.
      await live.whenSent();
      const taken = live.sink('alpha').messages.length;
      await seed('alpha', 20);
      await live.whenSent();
      expect(live.sink('alpha').messages).toHaveLength(taken);
      expect((await percents()).beta).toBe(60);

      await nothingIsLostOrDoubled();
      await everyStepIsTold();
    },
    TIMEOUT_MS,
  );

  async function nothingIsLostOrDoubled(): Promise<void> {
    const sinks = [live.sink('alpha'), live.sink('beta'), relay];
    const ids = messageIds(sinks);
    expect(new Set(ids).size).toBe(seeded);
    expect(ids).toHaveLength(seeded);
    // One path at each attempt, and no attempt after the successful one.
    const all = await attempts();
    const last = new Map(all.map((one) => [one.email_id, one]));
    expect(last.size).toBe(seeded);
    expect([...last.values()].every(({ outcome }) => outcome === 'delivered')).toBe(true);
    const delivered = all.filter(({ outcome }) => outcome === 'delivered');
    expect(delivered).toHaveLength(seeded);
    const through = (transport: string) =>
      delivered.filter(({ route }) => route.transport === transport).length;
    expect(through('acme')).toBe(relay.messages.length);
    expect(through('pool')).toBe(live.sink('alpha').messages.length + live.sink('beta').messages.length);
    const deferred = all.filter(({ outcome }) => outcome === 'deferred');
    expect(deferred.length).toBeGreaterThan(0);
    expect(deferred.every(({ route }) => route.canary.way === 'new')).toBe(true);
  }

  async function everyStepIsTold(): Promise<void> {
    const steps = (await lastSteps(live.db, 100)).toReversed();
    const of = (provider: Provider) =>
      steps.filter((one) => one.provider === provider).map(({ kind, to_percent }) => [kind, to_percent]);
    const rises = [
      ['rise', 30],
      ['rise', 60],
    ];
    expect(of('alpha')).toEqual([...rises, ['fall', 0]]);
    expect(of('beta')).toEqual(rises);
    const fall = steps.find(({ kind }) => kind === 'fall') as CanaryStepRow;
    expect(fall).toMatchObject({ from_percent: 60, numbers: { rate: 'deferred', worse: 0.05 } });
    expect(fall.numbers?.new.deferred).toBeGreaterThan(5);
    expect(fall.numbers?.old.deferred).toBe(0);
    expect(fall.message).toMatch(
      /^No mail to alpha goes through pool any more: \d+ of \d+ were deferred there/,
    );
  }

  it(
    'falls, too, where the new way is set aside or fails and all of its mail takes the relay instead',
    async () => {
      await move({ percents: [50], minutes: 0.01, mails: 10 });
      await live.startWorker();
      await whileMailComes(({ alpha, beta }) => alpha === 50 && beta === 50);
      await live.whenSent();
      await live.sink('beta').close();
      await whileMailComes(({ beta }) => beta === 0);
      await live.whenSent();
      const all = await attempts();
      expect(all.filter(({ outcome }) => outcome !== 'delivered')).toEqual([]);
      expect(all.some(({ route }) => route.transport === 'acme' && route.canary.instead)).toBe(true);
      expect((await percents()).alpha).toBe(50);
    },
    TIMEOUT_MS,
  );
});
