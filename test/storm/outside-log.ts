/** What the outside world writes down: one JSON value a line, read back by the accounting. */

/** A message that the sink took, written before the sink replies to it. */
export interface Taken {
  readonly type: 'taken';
  readonly number: number;
  readonly atMs: number;
  readonly connection: number;
  readonly token: string;
  readonly to: string;
  /** What is wrong with its bytes. */
  readonly harm: string | null;
}

/** What became of the reply to a message that was taken, written when it is known. */
export interface Fate {
  readonly type: 'fate';
  readonly number: number;
  /** How much of the reply went out: all, a part, or nothing. `late`: the client had hung up before. */
  readonly reply: 'whole' | 'half' | 'none' | 'late';
  readonly replyAtMs: number;
  /** When the client next said something that came after the reply: it has read it. */
  readonly heardAtMs: number | null;
}

export interface Opened {
  readonly type: 'opened';
  readonly connection: number;
  /** The client's. */
  readonly port: number;
  readonly atMs: number;
}

export interface Hooked {
  readonly type: 'hooked';
  readonly event: string;
  readonly email: string;
  readonly atMs: number;
  readonly status: number;
}

export type OutsideLine = Taken | Fate | Opened | Hooked;
