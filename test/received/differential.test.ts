/**
 * No verdict of ours depends on how a program reads a malformed message: wherever our reader, postal-mime, mailauth and Python's
 * `email` package disagree about who a message is from or what it says, neither DKIM nor DMARC passes.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { authenticateMail } from '../../src/inbound/received/authenticate.ts';
import type { MailAuthentication } from '../../src/received/received-email.ts';
import { malformedMessages } from './differential/messages.ts';
import {
  findPython,
  mailauthFrom,
  ourView,
  PYTHON_MISSING,
  postalView,
  pythonViews,
  type View,
} from './differential/readers.ts';
import { KEY_RECORD } from './differential/signer.ts';

const SEED = Number(process.env.SEED ?? 1);
const COUNT = 10_000;

const missing = async () => ({ kind: 'nxdomain' }) as const;
const resolver = {
  txt: async (name: string) => {
    if (name.startsWith('test._domainkey.')) return { kind: 'found', records: [KEY_RECORD] } as const;
    if (name.startsWith('_dmarc.')) return { kind: 'found', records: ['v=DMARC1; p=reject'] } as const;
    return name === 'attacker.example' ? ({ kind: 'found', records: ['v=spf1 +all'] } as const) : missing();
  },
  ...{ a: missing, aaaa: missing, mx: missing, ptr: missing },
};

interface Passed {
  readonly number: number;
  readonly raw: Buffer;
  readonly ours: View;
}

function hasPassed({ dkim, dmarc }: MailAuthentication): boolean {
  return dkim.result === 'pass' || dmarc.result === 'pass';
}

async function passedMessages(): Promise<Passed[]> {
  const passed: Passed[] = [];
  for (const { number, raw } of malformedMessages(SEED, COUNT)) {
    const envelope = { mailFrom: 'x@attacker.example', helo: 'attacker.example', remoteAddress: '192.0.2.1' };
    const found = await authenticateMail({ resolver, nowMs: Date.now }, { raw, ...envelope });
    if (hasPassed(found)) passed.push({ number, raw, ours: await ourView(raw) });
  }
  return passed;
}

/** The messages that a reader sees otherwise, as text that can be looked at. */
function disagreements<T>(
  passed: readonly Passed[],
  views: readonly T[],
  agrees: (ours: View, view: T) => boolean,
) {
  return passed.flatMap(({ number, raw, ours }, index) => {
    const view = views[index] as T;
    return agrees(ours, view) ? [] : [{ seed: SEED + number, ours, view, raw: raw.toString('latin1') }];
  });
}

const saysTheSame = (ours: View, view: View) => ours.text === view.text && ours.html === view.html;
const isFrom = (ours: readonly string[], from: readonly string[]) => ours.join() === from.join();

describe(`of ${COUNT} malformed messages those that pass`, () => {
  let passed: Passed[] = [];
  beforeAll(async () => {
    passed = await passedMessages();
  });

  it('are the few that are well formed all the same', () => {
    expect(passed.length).toBeGreaterThan(COUNT / 20);
    expect(passed.length).toBeLessThan(COUNT / 4);
  });

  it('are from the same sender and say the same to postal-mime', async () => {
    const views = await Promise.all(passed.map(({ raw }) => postalView(raw)));
    const found = disagreements(
      passed,
      views,
      (ours, view) => view !== null && isFrom(ours.from.slice(0, 1), view.from) && saysTheSame(ours, view),
    );
    expect(found).toEqual([]);
  });

  it('are from the same senders to mailauth', async () => {
    const views = await Promise.all(passed.map(({ raw }) => mailauthFrom(raw)));
    expect(disagreements(passed, views, (ours, from) => isFrom(ours.from, from))).toEqual([]);
  });

  it('are from the same senders and say the same to Python', async (context) => {
    const python = findPython();
    if (python === null) return context.skip(PYTHON_MISSING);
    const views = await pythonViews(
      python,
      passed.map(({ raw }) => raw),
    );
    const found = disagreements(
      passed,
      views,
      (ours, view) => view !== null && isFrom(ours.from, view.from) && saysTheSame(ours, view),
    );
    expect(found).toEqual([]);
  });
});
