/** Describes the route of an attempt, as stored with the attempt. Pure. */
import type { CanaryTaken, RouteTaken } from '../events/attempts.ts';
import { percentWords } from './canary/describe-canary.ts';
import type { Candidate } from './choice.ts';
import { DEFAULT_TRANSPORT, type Rule } from './table.ts';

/** `index` counts from 0. */
export function ruleWords({ name }: Rule, index: number): string {
  return name === null ? `rule ${index + 1}` : `rule ${index + 1} (${name})`;
}

export const NO_RULE = 'no rule matched';

export function takenBy(
  candidate: Candidate,
  rule: number | null,
  why: string,
  canary?: CanaryTaken,
): RouteTaken {
  const { kind, step } = candidate;
  return {
    transport: kind === 'default' ? DEFAULT_TRANSPORT : candidate.transport.name,
    kind,
    source: kind === 'direct' ? candidate.source.address : null,
    rule: rule === null ? null : rule + 1,
    step: step + 1,
    why,
    ...(canary === undefined ? {} : { canary }),
  };
}

/** One short sentence. */
export function describeRoute({ kind, transport, source, step, why, canary }: RouteTaken): string {
  const which = step > 1 ? `; step ${step}, because what comes before it was set aside or failed` : '';
  const reason = `${why}${which}${canary === undefined ? '' : `; ${canaryWords(canary)}`}`;
  if (kind === 'relay') return `Through relay ${transport} (${reason}).`;
  if (kind === 'direct') return `Sent directly from ${source} (${reason}).`;
  return `The default route (${reason}).`;
}

function canaryWords({ name, way, percent, instead }: CanaryTaken): string {
  if (instead) return `canary ${name}: the old path, because the new path was set aside or failed`;
  return `canary ${name}: the ${way} way, at ${percentWords(percent)}`;
}
