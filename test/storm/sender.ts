/**
 * The customers: they send at a rate, whatever is going on, repeat what has a key until it is answered, and repeat some
 * of what was answered. Everything that they were told is in the ledger.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Random } from '../fuzz/random.ts';
import { type Answer, INGRESSES, type Ingress, type IngressTarget } from './ingress.ts';
import type { Ledger, Submission } from './ledger.ts';
import { type Kind, addressOf as usualAddressOf } from './mail.ts';

export interface SenderOptions {
  readonly target: IngressTarget;
  readonly ledger: Ledger;
  readonly seed: number;
  /** Emails a second at most. */
  readonly rate: number;
  /** Deliveries that the installation has not made yet, though it could; and how many of them are enough. */
  readonly due?: (() => number) | undefined;
  readonly mostDue?: number | undefined;
  /** What part of the submissions has a key. */
  readonly keyed: number | undefined;
  /** What part of the submissions with a key is sent twice at once, and again after the answer. */
  readonly repeated?: number | undefined;
  /** Who gets the email of this index; the usual ones unless given. */
  readonly addressOf?: ((submission: number, index: number) => string) | undefined;
}

/** Of a hundred submissions. */
const MIX: readonly Kind[] = [
  ...Array<Kind>(64).fill('plain'),
  ...Array<Kind>(8).fill('rich'),
  ...Array<Kind>(10).fill('template'),
  ...Array<Kind>(6).fill('scheduled'),
  ...Array<Kind>(8).fill('batch'),
  ...Array<Kind>(4).fill('mixed'),
];
/** So many that an API which stands still for half a minute does not stop the sending at once. */
const AT_ONCE = 400;
/** Emails of one request; of other kinds there is one. */
const MOST: Partial<Record<Kind, number>> = { batch: 250, mixed: 100 };
const SECOND_RECIPIENT = 0.15;
const REPEATED = 0.15;
/** Between two looks at whether there is room for more. */
const ROOM_EVERY_MS = 50;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export class Sender {
  readonly #options: SenderOptions;
  readonly #random: Random;
  readonly #underWay = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  #keepTrying = true;
  #unanswered = 0;
  #next = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  /** Until `stop`. Where the installation cannot keep up, less is sent than the rate. */
  async run(): Promise<void> {
    const beganMs = performance.now();
    let emails = 0;
    let paused = 0;
    while (!this.#stopped.signal.aborted) {
      const aheadMs = (emails / this.#options.rate) * 1_000 - (performance.now() - beganMs - paused);
      if (aheadMs > 0) await sleep(aheadMs);
      const fullAt = performance.now();
      while (this.#underWay.size >= AT_ONCE) await Promise.race(this.#underWay);
      while (!this.#hasDiskSpace() && !this.#stopped.signal.aborted) await sleep(ROOM_EVERY_MS);
      paused += performance.now() - fullAt;
      if (this.#stopped.signal.aborted) return;
      const submission = this.#compose();
      emails += submission.emails.length;
      this.#start(submission);
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** What is unanswered is repeated for so long; resolves when nothing is under way any more. */
  async settled(withinMs: number): Promise<void> {
    const giveUp = setTimeout(() => {
      this.#keepTrying = false;
    }, withinMs);
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    clearTimeout(giveUp);
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  #start(submission: Submission): void {
    const tracked = this.#deliver(submission).finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  /** Emails of requests without an answer count: where the API does not answer, no more are made than could be queued. */
  #hasDiskSpace(): boolean {
    const { due, mostDue = Number.POSITIVE_INFINITY } = this.#options;
    return (due?.() ?? 0) + this.#unanswered < mostDue;
  }

  #compose(): Submission {
    const random = this.#random;
    const { ledger, target, keyed = 0.6, addressOf = usualAddressOf } = this.#options;
    const number = this.#next;
    this.#next += 1;
    const first = everyWay(target)[number];
    const { ingress, kind } = first ?? wayByChance(target, random);
    const most = MOST[kind];
    const count = most === undefined ? 1 : random.integer(2, most);
    const two = most === undefined && random.chance(SECOND_RECIPIENT);
    const emails = Array.from({ length: count }, (_, i) =>
      two ? [addressOf(number, i), addressOf(number, i + 1)] : [addressOf(number, i)],
    );
    return ledger.open({
      number,
      ingress: ingress.name,
      kind,
      emails,
      idempotencyKey: ingress.keyed && random.chance(first ? 1 : keyed) ? `storm/${number}` : null,
      scheduledAtMs: kind === 'scheduled' ? Date.now() + random.integer(2_000, 12_000) : null,
    });
  }

  async #deliver(submission: Submission): Promise<void> {
    const ingress = INGRESSES.find(({ name }) => name === submission.ingress) as Ingress;
    const { repeated = REPEATED } = this.#options;
    const isRepeated = submission.idempotencyKey !== null && this.#random.chance(repeated);
    this.#unanswered += submission.emails.length;
    const [first] = await Promise.all([
      this.#untilAnswered(ingress, submission),
      // A client that lost patience: the same request, side by side.
      ...(isRepeated ? [this.#try(ingress, submission)] : []),
    ]);
    this.#unanswered -= submission.emails.length;
    if (first === null) return;
    note(submission, first);
    if (!isRepeated) return;
    await sleep(this.#random.integer(0, 5_000));
    await this.#repeat(ingress, submission, first);
  }

  /** Without a key there is one try. */
  async #untilAnswered(ingress: Ingress, submission: Submission): Promise<Answer | null> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const answer = await this.#try(ingress, submission);
      if (answer !== null && isAnswer(answer)) return answer;
      if (submission.idempotencyKey === null || !this.#keepTrying) return null;
      await sleep(pauseMs);
    }
  }

  async #try(ingress: Ingress, submission: Submission): Promise<Answer | null> {
    submission.tries += 1;
    const { ledger, target } = this.#options;
    const answer = await ingress.submit(submission, target).catch(() => null);
    ledger.count(answer?.status ?? null);
    return answer;
  }

  async #repeat(ingress: Ingress, submission: Submission, first: Answer): Promise<void> {
    const { ledger } = this.#options;
    const again = await this.#untilAnswered(ingress, submission);
    if (again === null) return;
    ledger.repeats += 1;
    if (isRefusedSince(submission, again)) return;
    if (again.status !== first.status || !isDeepStrictEqual(JSON.parse(again.text), JSON.parse(first.text)))
      ledger.changedAnswers.push(
        `${submission.number}: ${first.status} ${first.text}, then ${again.status} ${again.text}`,
      );
  }
}

interface Way {
  readonly ingress: Ingress;
  readonly kind: Kind;
}

/** What is sent first, with a key, and so until it is answered: chance leaves none of them out. */
function everyWay(target: IngressTarget): Way[] {
  return openIngresses(target).flatMap((ingress) => ingress.kinds.map((kind) => ({ ingress, kind })));
}

function wayByChance(target: IngressTarget, random: Random): Way {
  const ingress = random.pick(openIngresses(target).flatMap((one) => Array<Ingress>(one.share).fill(one)));
  return { ingress, kind: random.pick(MIX.filter((one) => ingress.kinds.includes(one))) };
}

function openIngresses(target: IngressTarget): Ingress[] {
  return INGRESSES.filter((ingress) => ingress.isOpen(target));
}

/** 409 says that the first one is still running, 429 and 5xx that nothing is said. */
function isAnswer({ status }: Answer): boolean {
  return status < 500 && status !== 409 && status !== 429;
}

/** Recipients are refused before anybody can know that the message comes for the second time. */
function isRefusedSince({ ingress }: Submission, { status, text }: Answer): boolean {
  return ingress === 'smtp' && status === 400 && text.includes('is on the suppression list');
}

interface Named {
  readonly message_id?: string;
}

function note(submission: Submission, { status, text }: Answer): void {
  if (status !== 201 && status !== 202) {
    // A scheduled request whose earlier try may have been taken is refused once its time is over.
    submission.state = submission.tries > 1 ? 'unknown' : 'refused';
    return;
  }
  const { data } = JSON.parse(text) as { data: Named & { batch_id?: string; results?: readonly Named[] } };
  const named = data.message_id === undefined ? (data.results ?? []) : [data];
  submission.emailIds = named.map(({ message_id }) => message_id);
  submission.batchId = data.batch_id ?? null;
  submission.state = 'accepted';
}
