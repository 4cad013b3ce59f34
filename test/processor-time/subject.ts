/** Code that text of tenants or strangers reaches, measured by processor-time.test.ts. */
export interface Subject {
  /** What is exercised, e.g. "DKIM verification of received mail". */
  readonly name: string;
  /** The largest input, in bytes, that reaches this code in production. */
  readonly limitBytes: number;
  /** The most bytes of a common shape, where longer input only means more slices of the same length. */
  readonly commonBytes?: number;
  /** Runs the code on one hostile input. Asynchronous code may yield; only the time between yields counts. */
  run(input: Buffer): unknown | Promise<unknown>;
  /** Shapes that only this subject knows, beside the common ones. */
  readonly shapes?: Readonly<Record<string, (bytes: number) => Buffer>>;
  /** Names of shapes that the quick tests run at the largest size, too: those that once were slow because of their size. */
  readonly whole?: readonly string[];
}
