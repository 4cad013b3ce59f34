import type { Report } from './report.ts';

export type { Report } from './report.ts';

/** Reads mail that came back. Pure, linear in the message's size, and it never throws. */
export function readReport(raw: Buffer): Report {
  return {
    kind: 'unreadable',
    why: raw.length === 0 ? 'The message is empty.' : 'The message is no report.',
  };
}
