/**
 * The transports that a mail may take, in order. The choice depends only on the mail, so that it can be explained afterwards,
 * and so that a retry uses the source address of the first attempt, as greylisting servers require. Pure.
 */
import { createHash } from 'node:crypto';
import type { CanaryPath } from './canary/plan.ts';
import { type Choice, DEFAULT_TRANSPORT, type Rule, type SourceAddress, type Transport } from './table.ts';

/** Identifies one delivery. */
interface ChosenFor {
  readonly emailId: string;
  readonly position: number;
}

export type Candidate = {
  /** Counted from 0; CANARY_STEP for a candidate outside the rule's own steps. */
  readonly step: number;
} & (
  | { readonly kind: 'default' }
  | { readonly kind: 'relay'; readonly transport: Transport & { readonly kind: 'relay' } }
  | {
      readonly kind: 'direct';
      readonly transport: Transport & { readonly kind: 'direct' };
      readonly source: SourceAddress;
    }
);

/** Before the first step: the transport that a canary moves mail to. */
export const CANARY_STEP = -1;

/**
 * All weighted choices of each step, in an order that depends on the mail: the first available one is used. A canary puts its
 * share of the mail on the new transport first.
 */
export function candidatesOf(
  rule: Rule,
  transports: ReadonlyMap<string, Transport>,
  mail: ChosenFor,
  percent: number,
): Candidate[] {
  const own = rule.steps.flatMap(({ choices }, step) => candidatesIn(choices, step, transports, mail));
  if (rule.canary === undefined || pathOfCanary(rule.canary, mail, percent) === 'old') return own;
  const to = [{ transport: rule.canary.to, weight: 1 }];
  return [...candidatesIn(to, CANARY_STEP, transports, mail), ...own];
}

/** A mail on the new path at some percentage is also on it at every larger one, so it moves only once. */
function pathOfCanary({ name }: { readonly name: string }, mail: ChosenFor, percent: number): CanaryPath {
  if (percent <= 0) return 'old';
  return fraction(`${mail.emailId} ${mail.position} canary ${name}`) * 100 < percent ? 'new' : 'old';
}

function candidatesIn(
  choices: readonly Choice[],
  step: number,
  transports: ReadonlyMap<string, Transport>,
  mail: ChosenFor,
): Candidate[] {
  return inOrder(choices, (one) => `${step} ${one.transport}`, mail).flatMap((choice): Candidate[] => {
    if (choice.transport === DEFAULT_TRANSPORT) return [{ step, kind: 'default' }];
    const transport = transports.get(choice.transport);
    if (transport === undefined) return [];
    if (transport.kind === 'relay') return [{ step, kind: 'relay', transport }];
    return inOrder(transport.sources, (one) => `${step} ${one.address}`, mail).map((source) => ({
      ...{ step, kind: 'direct', transport, source },
    }));
  });
}

/**
 * Each choice gets a number between 0 and 1, raised to the power of 1 / weight; the largest is first. This is equivalent to
 * weighted sampling without replacement, and removing one choice keeps the order of the others.
 */
function inOrder<T extends { readonly weight: number }>(
  choices: readonly T[],
  nameOf: (choice: T) => string,
  mail: ChosenFor,
): T[] {
  const usable = choices.filter(({ weight }) => weight > 0);
  if (usable.length < 2) return usable;
  const drawn = usable.map((choice) => ({
    choice,
    rank: Math.log(fraction(`${mail.emailId} ${mail.position} ${nameOf(choice)}`)) / choice.weight,
  }));
  return drawn.sort((one, other) => other.rank - one.rank).map(({ choice }) => choice);
}

const FRACTION_BYTES = 6;

/** Strictly between 0 and 1. */
function fraction(text: string): number {
  const digest = createHash('sha256').update(text).digest();
  return (digest.readUIntBE(0, FRACTION_BYTES) + 0.5) / 2 ** (8 * FRACTION_BYTES);
}
