/** Stores objects by name on a network service. */
export interface ObjectStore {
  /** Resolves when the whole object is stored. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Null when the object does not exist. */
  get(name: string): Promise<Buffer | null>;
  /** Succeeds if the object does not exist. */
  remove(name: string): Promise<void>;
  /** Some of the names with this prefix; empty when none are left. */
  list(beginning: string): Promise<readonly string[]>;
}

/** The store failed or gave an unexpected response. The message is for operators. */
export class StoreProblem extends Error {
  readonly code: string | null;

  constructor(message: string, { code = null, cause }: { code?: string | null; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StoreProblem';
    this.code = code;
  }
}
