/** Records calls about emails, and the deliveries of a real SMTP server, all by the clock of this process. */
import { Database } from '../../src/database/database.ts';
import type { Statement } from '../../src/database/sql.ts';
import { agree, type Gate, type SinkConnection, type SinkScript } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { isLinearizable } from './linearize.ts';
import { type MailAction, type MailAnswer, type MailCall, oneEmail } from './specifications.ts';

/** Runs a call and takes the time before and after it. */
export async function timed<T>(work: () => Promise<T>): Promise<[T, { beganMs: number; endedMs: number }]> {
  const beganMs = performance.now();
  const result = await work();
  return [result, { beganMs, endedMs: performance.now() }];
}

/** The calls about each email. An email is known by its recipient, which no other email has. */
export class MailHistory {
  readonly #calls = new Map<string, MailCall[]>();
  readonly #common: { readonly call: MailCall; readonly covers: (recipient: string) => boolean }[] = [];

  get recipients(): readonly string[] {
    return [...this.#calls.keys()];
  }

  note(recipient: string, call: MailCall): void {
    this.#calls.set(recipient, [...(this.#calls.get(recipient) ?? []), call]);
  }

  /** Records a call about all emails that `covers` accepts, such as a hold. */
  noteForAll(call: MailCall, covers: (recipient: string) => boolean = () => true): void {
    this.#common.push({ call, covers });
  }

  async call(
    recipient: string,
    request: MailAction,
    work: () => Promise<MailAnswer | null>,
  ): Promise<MailAnswer | null> {
    const [response, times] = await timed(work);
    this.note(recipient, { request, response, ...times });
    return response;
  }

  of(recipient: string): readonly MailCall[] {
    const common = this.#common.filter(({ covers }) => covers(recipient)).map(({ call }) => call);
    return [...(this.#calls.get(recipient) ?? []), ...common].toSorted((a, b) => a.beganMs - b.beganMs);
  }

  /** The recipients of the emails whose history no serial order explains. */
  wrong(approvalOf: (recipient: string) => 'none' | 'waits' = () => 'none'): readonly string[] {
    return this.recipients.filter(
      (recipient) => !isLinearizable(this.of(recipient), oneEmail('main', approvalOf(recipient))),
    );
  }
}

export const doing = <Action extends MailAction['does']>(calls: readonly MailCall[], does: Action) =>
  calls.filter(
    (call): call is MailCall & { request: { does: Action } } =>
      call.request.does === does && call.response === 'ok',
  );

/**
 * A server that records what it accepts. A delivery lasts from DATA to the final dot, because a worker looks for holds once more before
 * the final dot. The server replies to RCPT when the gate of the recipient is open.
 */
export function recordingServer(
  history: MailHistory,
  cell: string,
  gates: ReadonlyMap<string, Gate> = new Map(),
): SinkScript {
  const open = new WeakMap<SinkConnection, { readonly to: string; readonly beganMs: number }>();
  return {
    rcpt: (moment) => {
      const to = moment.line.slice(moment.line.indexOf('<') + 1, moment.line.indexOf('>'));
      open.set(moment.connection, { to, beganMs: 0 });
      const step = gates.get(to)?.step;
      return typeof step === 'function' ? step(moment) : agree();
    },
    data: ({ connection }) => {
      open.set(connection, { to: open.get(connection)?.to ?? '', beganMs: performance.now() });
      return agree();
    },
    dot: ({ connection }) => {
      const { beganMs = 0, to = '' } = open.get(connection) ?? {};
      const request = { does: 'deliver', cell } as const;
      history.note(to, { request, response: 'ok', beganMs, endedMs: performance.now() });
      return agree();
    },
  };
}

/** The database of a worker. Notes when the worker reads the holds, because a hold works from that time on. */
export class WorkerDatabase extends Database {
  #lastReadBeganMs = -1;

  override async many<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row[]> {
    if (statement.name !== 'holds.in_force') return super.many(statement, params);
    const [rows, { beganMs }] = await timed(() => super.many(statement, params));
    // Not before the worker has kept the rows.
    setImmediate(() => {
      this.#lastReadBeganMs = beganMs;
    });
    return rows;
  }

  /** Resolves when the worker knows all holds that were placed before this call. */
  async knowsHolds(): Promise<void> {
    const sinceMs = performance.now();
    await until(() => this.#lastReadBeganMs > sinceMs, Boolean, 5);
  }
}
