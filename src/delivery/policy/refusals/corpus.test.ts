/** Parses and judges replies of real servers. Their format is in test/delivery/replies/README.md. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SmtpPhase } from '../../../protocols/smtp/facts.ts';
import { ReplyParser } from '../../../protocols/smtp/reply-parser.ts';
import { adviceOn } from '../advice.ts';
import { judgeRefusal } from '../judge.ts';

interface Sample {
  readonly id: string;
  readonly server: string;
  readonly host: string;
  readonly phase: SmtpPhase;
  readonly lines: readonly string[];
  readonly source: string;
  readonly expect: Expected;
  /** Other judgements that the definitions allow; only in replies whose authors did not know the rules. */
  readonly also?: readonly Expected[];
}

interface Expected {
  readonly reason: string;
  readonly outcome: 'bounce' | 'defer';
  readonly scope: string;
  readonly suppress: boolean;
}

const FOLDER = new URL('../../../../test/delivery/replies/', import.meta.url);
const COLLECTED = [
  'replies.json',
  'replies-more.json',
  'replies-later.json',
  'replies-2026-11.json',
  'replies-formerly-blind.json',
  'replies-paraphrased.json',
];
/**
 * Replies labelled by people who did not know the rules, which need not be understood to the last one: the share of
 * entries judged as `expect` says, and the share judged as `expect` or `also` says.
 */
const BLIND = [
  { name: 'blind.json', strictly: 0.93, allowed: 0.95 },
  { name: 'blind-public.json', strictly: 0.86, allowed: 0.94 },
] as const;

function samples(file: URL): readonly Sample[] {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function judged({ phase, host, lines }: Sample): Expected {
  const parser = new ReplyParser();
  parser.push(Buffer.from(lines.map((line) => `${line}\r\n`).join('')));
  const reply = parser.take();
  if (reply === null) throw new Error(`no reply in ${lines.join()}`);
  const { kind, reason, scope, suppress } = judgeRefusal({ phase, host, reply });
  return { reason, outcome: kind === 'bounced' ? 'bounce' : 'defer', scope, suppress: suppress !== null };
}

function isSame(a: Expected, b: Expected): boolean {
  return a.reason === b.reason && a.outcome === b.outcome && a.scope === b.scope && a.suppress === b.suppress;
}

describe('the collected replies', () => {
  const collected = COLLECTED.flatMap((name) => samples(new URL(name, FOLDER)));

  it.each(COLLECTED)('are all judged correctly in %s', (name) => {
    const wrong = samples(new URL(name, FOLDER))
      .map((sample) => ({ id: sample.id, judged: judged(sample), expected: sample.expect }))
      .filter((one) => !isSame(one.judged, one.expected));
    expect(wrong).toEqual([]);
  });

  it('are many, each with a name, a source and advice', () => {
    expect(collected.length).toBeGreaterThanOrEqual(7_000);
    expect(new Set(collected.map(({ id }) => id)).size).toBe(collected.length);
    for (const { source, expect: expected } of collected) {
      expect(source).not.toBe('');
      expect(adviceOn(expected.reason)).not.toBeNull();
    }
  });
});

describe('replies from people who did not know the rules', () => {
  it.each(BLIND)('are judged right as often as when $name was scored', ({ name, strictly, allowed }) => {
    const scored = samples(new URL(name, FOLDER)).map((sample) => {
      const made = judged(sample);
      const isExpected = isSame(made, sample.expect);
      return {
        isExpected,
        isAllowed: isExpected || (sample.also ?? []).some((wanted) => isSame(made, wanted)),
      };
    });
    const share = (right: number) => right / scored.length;
    expect(share(scored.filter(({ isExpected }) => isExpected).length)).toBeGreaterThanOrEqual(strictly);
    expect(share(scored.filter(({ isAllowed }) => isAllowed).length)).toBeGreaterThanOrEqual(allowed);
  });
});
