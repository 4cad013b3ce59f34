/** What customers may be told while an installation can take nothing: to come back, in those words. */
import type { Ledger } from './ledger.ts';

/** 409: the first try of the same key is still under way. 400: a scheduled request came too late for its time. */
const FAIR = new Set(['201', '202', '400', '409', '503']);

export function refusalProblems({ answers }: Ledger): string[] {
  const odd = Object.entries(answers).filter(([status]) => !FAIR.has(status));
  const problems = odd.map(([status, times]) => `${times} requests were answered ${status}`);
  return answers['503'] === undefined ? [...problems, 'nothing was refused with 503'] : problems;
}
