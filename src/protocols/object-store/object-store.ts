/** A place for objects by name, somewhere on the network. */
export interface ObjectStore {
  /** Resolves when it is there, all of it. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Null where there is none of that name. */
  get(name: string): Promise<Buffer | null>;
  /** One that is not there is removed already. */
  remove(name: string): Promise<void>;
  /** Some of those whose names begin so; none when there are none left. */
  list(beginning: string): Promise<readonly string[]>;
}

/** It does not answer, or not with what was asked for. The message says why, and is for operators. */
export class StoreProblem extends Error {
  /** What the store calls it. */
  readonly code: string | null;

  constructor(message: string, { code = null, cause }: { code?: string | null; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StoreProblem';
    this.code = code;
  }
}
