/**
 * Customers that send at a steady rate, through the storm's ingress. It owns what is under way, and the times that accepts
 * took since somebody last asked.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../fuzz/random.ts';
import { INGRESSES, type Ingress, type IngressTarget } from '../storm/ingress.ts';
import type { Submission } from '../storm/ledger.ts';
import { addressOf, type Kind } from '../storm/mail.ts';
import type { Tally } from './tally.ts';

export interface Counted {
  emails: number;
  recipients: number;
}

export interface SenderOptions {
  readonly target: IngressTarget;
  readonly random: Random;
  readonly tally: Tally;
  /** Of an email with html, when it was accepted. */
  readonly onHtml: (emailId: string) => void;
}

/** Of a hundred submissions; with those of a batch, a third of all emails come in batches. */
const MIX: readonly Kind[] = [
  ...Array<Kind>(61).fill('plain'),
  ...Array<Kind>(20).fill('rich'),
  ...Array<Kind>(10).fill('template'),
  ...Array<Kind>(5).fill('scheduled'),
  ...Array<Kind>(4).fill('batch'),
];
const AT_ONCE = 64;
const LARGEST_BATCH = 25;
const SECOND_RECIPIENT = 0.1;
const KEYED = 0.3;
const TICK_MS = 20;
/** What was not sent in time is made up for, up to so much. */
const LONGEST_DEBT_S = 2;
const RECENT = 200;

export class Sender {
  /** Emails a second. */
  rate = 0;
  /** Nothing is sent while it is true. */
  isHeld = false;
  readonly accepted: Counted = { emails: 0, recipients: 0 };
  /** No answer, or one that leaves it open: all of it may be stored, or nothing. */
  readonly unknown: Counted = { emails: 0, recipients: 0 };
  /** Numbers of submissions that were accepted lately, with the id of those of one email. */
  readonly recent: { number: number; kind: Kind; emailId: string | null }[] = [];
  readonly #options: SenderOptions;
  readonly #underWay = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  #tookMs: number[] = [];
  #next = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Until `stop`; resolves when all is answered. */
  async run(): Promise<void> {
    let due = 0;
    let lastMs = performance.now();
    while (!this.#stopped.signal.aborted) {
      await sleep(TICK_MS);
      const nowMs = performance.now();
      due = Math.min(due + (this.rate * (nowMs - lastMs)) / 1_000, this.rate * LONGEST_DEBT_S);
      lastMs = nowMs;
      while (due > 0 && !this.isHeld && this.#underWay.size < AT_ONCE) {
        const submission = this.#compose();
        due -= submission.emails.length;
        this.#start(this.#submit(submission));
      }
    }
    await Promise.all(this.#underWay);
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** How long single sends took to be answered, since the last time. */
  takeTimes(): number[] {
    const times = this.#tookMs;
    this.#tookMs = [];
    return times;
  }

  #start(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  #compose(): Submission {
    const { random } = this.#options;
    const number = this.#next;
    this.#next += 1;
    const kind = random.pick(MIX);
    const count = kind === 'batch' ? random.integer(2, LARGEST_BATCH) : 1;
    const two = kind !== 'batch' && random.chance(SECOND_RECIPIENT);
    return {
      number,
      ingress: 'http',
      kind,
      emails: Array.from({ length: count }, (_, i) =>
        two ? [addressOf(number, i), addressOf(number, i + 1)] : [addressOf(number, i)],
      ),
      idempotencyKey: random.chance(KEYED) ? `soak/${number}` : null,
      scheduledAtMs: kind === 'scheduled' ? Date.now() + random.integer(2_000, 20_000) : null,
      state: 'unknown',
      emailIds: [],
      batchId: null,
      tries: 1,
    };
  }

  async #submit(submission: Submission): Promise<void> {
    const { tally, target } = this.#options;
    const { kind } = submission;
    await tally.watch(kind === 'batch' ? 'send a batch' : `send ${kind}`, async () => {
      const beganMs = performance.now();
      const ingress = INGRESSES.find(({ name }) => name === submission.ingress) as Ingress;
      const answer = await ingress.submit(submission, target).catch((error: unknown) => String(error));
      if (typeof answer === 'string' || answer.status >= 500) count(this.unknown, submission);
      if (typeof answer === 'string') return answer;
      const { status, text } = answer;
      if (kind !== 'batch') this.#tookMs.push(performance.now() - beganMs);
      if (status !== 201 && status !== 202) return `${status} ${text}`;
      this.#accepted(submission, text);
      return null;
    });
  }

  #accepted(submission: Submission, text: string): void {
    const { number, kind } = submission;
    count(this.accepted, submission);
    const { data } = JSON.parse(text) as { data: { message_id?: string } };
    const emailId = data.message_id ?? null;
    this.recent.push({ number, kind, emailId });
    if (this.recent.length > RECENT) this.recent.shift();
    if (kind === 'rich' && emailId !== null) this.#options.onHtml(emailId);
  }
}

function count(counted: Counted, { emails }: Submission): void {
  counted.emails += emails.length;
  counted.recipients += emails.flat().length;
}
