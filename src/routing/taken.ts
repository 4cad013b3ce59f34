/** Which way an attempt took, and why, as it is kept with the attempt. Pure. */
import type { RouteTaken } from '../events/attempts.ts';
import type { Candidate } from './choice.ts';
import { DEFAULT_TRANSPORT, type Rule } from './table.ts';

/** `index` counts from 0. */
export function ruleWords({ name }: Rule, index: number): string {
  return name === null ? `rule ${index + 1}` : `rule ${index + 1} (${name})`;
}

export const NO_RULE = 'no rule matched';

export function takenBy(candidate: Candidate, rule: number | null, why: string): RouteTaken {
  const { kind, step } = candidate;
  return {
    transport: kind === 'default' ? DEFAULT_TRANSPORT : candidate.transport.name,
    kind,
    source: kind === 'direct' ? candidate.source.address : null,
    rule: rule === null ? null : rule + 1,
    step: step + 1,
    why,
  };
}

/** One short sentence. */
export function takenWords({ kind, transport, source, step, why }: RouteTaken): string {
  const which = step > 1 ? `; step ${step}, because what comes before it was set aside or failed` : '';
  if (kind === 'relay') return `Through relay ${transport} (${why}${which}).`;
  if (kind === 'direct') return `Sent directly from ${source} (${why}${which}).`;
  return `The default route (${why}${which}).`;
}
