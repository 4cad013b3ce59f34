/**
 * When mail of rate-limited streams could be sent: the rest of this minute and hour, then one after the
 * other.
 */

import type { Sql } from '../database/sql.ts';
import type { NewEmail } from '../emails/email.ts';
import { readTurns, type TurnsLeft } from '../streams/pace-store.ts';
import { findStream } from '../streams/store.ts';
import { isLimited, type Stream, spacingMs, turnWords } from '../streams/stream.ts';

interface LimitedStream {
  readonly stream: Stream;
  readonly turns: TurnsLeft;
}

/** Why a mail waits, and until when. */
export interface StreamWait {
  readonly message: string;
  readonly until: Date;
}

type MailInStream = Pick<NewEmail, 'stream' | 'scheduledAtMs'>;

export class StreamTurns {
  readonly #limited: ReadonlyMap<string, LimitedStream>;
  readonly #nowMs: number;
  readonly #given = new Map<string, number>();

  constructor(limited: ReadonlyMap<string, LimitedStream>, nowMs: number) {
    this.#limited = limited;
    this.#nowMs = nowMs;
  }

  static async read(
    db: Sql,
    organizationId: string,
    mail: readonly MailInStream[],
    nowMs: number,
  ): Promise<StreamTurns> {
    const limited = new Map<string, LimitedStream>();
    for (const name of new Set(mail.flatMap(({ stream }) => stream ?? []))) {
      const stream = await findStream(db, organizationId, name);
      if (stream === undefined || !isLimited(stream)) continue;
      limited.set(name, { stream, turns: await readTurns(db, { organizationId, stream: name }, stream) });
    }
    return new StreamTurns(limited, nowMs);
  }

  /** The turn of one more recipient; null means at once. Future traffic of the stream is unknown. */
  next(mail: MailInStream): StreamWait | null {
    const known = mail.stream === null ? undefined : this.#limited.get(mail.stream);
    if (known === undefined || (mail.scheduledAtMs ?? 0) > this.#nowMs) return null;
    const { stream, turns } = known;
    const before = this.#given.get(stream.name) ?? 0;
    this.#given.set(stream.name, before + 1);
    const free = turns.lineMs > 0 ? 0 : turns.left;
    if (before < free) return null;
    const inMs = (turns.lineMs || turns.moreInMs) + (before - free + 1) * spacingMs(stream);
    return { message: turnWords(stream), until: new Date(this.#nowMs + Math.round(inMs)) };
  }
}
