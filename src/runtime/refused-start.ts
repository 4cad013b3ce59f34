/**
 * A start that cannot succeed until an operator changes something. Its exit code stops service managers from
 * retrying (`RestartPreventExitStatus=` of the units in ops/).
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

export function startExitCode(error: unknown): number {
  return error instanceof RefusedStart ? EXIT_CONFIG : EXIT_FAILED;
}
