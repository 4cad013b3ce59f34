/** Replies as servers write them, from bytes to what is made of them. The format: test/delivery/replies/README.md. */
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
  /** Other readings that the definitions allow; only in what people wrote who did not know the rules. */
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
const BLIND = new URL('blind.json', FOLDER);
/** What people who did not know the rules wrote need not be understood to the last reply. */
const ENOUGH = 0.95;

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

describe('the replies that were collected', () => {
  const collected = COLLECTED.flatMap((name) => samples(new URL(name, FOLDER)));

  it.each(COLLECTED)('are judged right, each of them in %s', (name) => {
    const wrong = samples(new URL(name, FOLDER))
      .map((sample) => ({ id: sample.id, judged: judged(sample), expected: sample.expect }))
      .filter((one) => !isSame(one.judged, one.expected));
    expect(wrong).toEqual([]);
  });

  it('are many, each with a name, a source and advice', () => {
    expect(collected.length).toBeGreaterThanOrEqual(6_000);
    expect(new Set(collected.map(({ id }) => id)).size).toBe(collected.length);
    for (const { source, expect: expected } of collected) {
      expect(source).not.toBe('');
      expect(adviceOn(expected.reason)).not.toBeNull();
    }
  });
});

describe('replies from people who did not know the rules', () => {
  it('are judged right but for one in twenty', () => {
    const blind = samples(BLIND);
    const right = blind.filter((sample) => {
      const made = judged(sample);
      return [sample.expect, ...(sample.also ?? [])].some((wanted) => isSame(made, wanted));
    }).length;
    expect(right).toBeGreaterThanOrEqual(Math.ceil(blind.length * ENOUGH));
  });
});
