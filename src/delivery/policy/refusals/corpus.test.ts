/** Replies as servers write them, from bytes to what is made of them. The format: test/delivery/replies/README.md. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SmtpPhase } from '../../../kit/smtp/facts.ts';
import { ReplyParser } from '../../../kit/smtp/reply-parser.ts';
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
const COLLECTED = ['replies.json', 'replies-more.json', 'replies-later.json', 'replies-2026-11.json'];
const BLIND = new URL('blind.json', FOLDER);
/** Only texts that the collection did not have, so mostly rare ones. Other readings do not count as right. */
const BLIND_RARE = new URL('blind-2026-11.json', FOLDER);
/** Written from memory by somebody who had read the definitions, and not the rules. */
const BLIND_REMEMBERED = new URL('blind-remembered.json', FOLDER);
/** What people who did not know the rules wrote need not be understood to the last reply. */
const ENOUGH = 0.95;
/** The share that was reached when the set was first scored. */
const ENOUGH_OF_RARE = 0.77;
const ENOUGH_OF_REMEMBERED = 0.935;

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

  it('are judged right, each of them', () => {
    const wrong = collected
      .map((sample) => ({ id: sample.id, judged: judged(sample), expected: sample.expect }))
      .filter((one) => !isSame(one.judged, one.expected));
    expect(wrong).toEqual([]);
  });

  it('are many, each with a name, a source and advice', () => {
    expect(collected.length).toBeGreaterThanOrEqual(4_000);
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

  it('have the right reason in three of four texts that the collection did not have', () => {
    const blind = samples(BLIND_RARE);
    const right = blind.filter((sample) => judged(sample).reason === sample.expect.reason).length;
    expect(right).toBeGreaterThanOrEqual(Math.floor(blind.length * ENOUGH_OF_RARE));
  });

  it('are all retried or ended as they say, and 15 of 16 have the right reason, where they were written from memory', () => {
    const blind = samples(BLIND_REMEMBERED).map((sample) => ({
      made: judged(sample),
      wanted: sample.expect,
    }));
    const right = blind.filter(({ made, wanted }) => made.reason === wanted.reason).length;
    expect(right).toBeGreaterThanOrEqual(Math.ceil(blind.length * ENOUGH_OF_REMEMBERED));
    expect(blind.filter(({ made, wanted }) => made.outcome !== wanted.outcome)).toEqual([]);
  });
});
