/**
 * A start that cannot succeed until a person changes something. Service managers are told by an exit code of its own
 * (`RestartPreventExitStatus=` of the units in ops/), so that they do not try again every other second.
 */

/** EX_CONFIG of sysexits.h. */
export const EXIT_CONFIG = 78;
const EXIT_FAILED = 1;

export class RefusedStart extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RefusedStart';
  }
}

/** What a process that could not start ends with. */
export function startExitCode(error: unknown): number {
  return error instanceof RefusedStart ? EXIT_CONFIG : EXIT_FAILED;
}
