/**
 * Which transports a mail may take, in order. The choice among several depends on the mail and on nothing else, so that it
 * can be told afterwards, and so that a retry comes from the address that the first attempt came from, which servers
 * that greylist insist on. Pure.
 */
import { createHash } from 'node:crypto';
import type { CanaryPath } from './canary/plan.ts';
import { type Choice, DEFAULT_TRANSPORT, type Rule, type SourceAddress, type Transport } from './table.ts';

/** Names one delivery. */
export interface ChosenFor {
  readonly emailId: string;
  readonly position: number;
}

export type Candidate = {
  /** Counts from 0; CANARY_STEP for what is not among the rule's own. */
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

/** Before the first: the way that a canary moves mail to. */
export const CANARY_STEP = -1;

/**
 * Of each step all that have weight, in an order that is the mail's own: the first is taken unless it cannot be. Of a rule with a
 * canary that share of the mail goes the new way first.
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

/** A mail that goes the new way at some percent goes there at every larger one: it is moved once. */
export function pathOfCanary(
  { name }: { readonly name: string },
  mail: ChosenFor,
  percent: number,
): CanaryPath {
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
 * Each gets a number between 0 and 1, and its root by its weight; the largest is first. That is the same as drawing one
 * after the other by weight, and when one is taken out, the order of the others stays.
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

/** Between 0 and 1, never either. */
function fraction(text: string): number {
  const digest = createHash('sha256').update(text).digest();
  return (digest.readUIntBE(0, FRACTION_BYTES) + 0.5) / 2 ** (8 * FRACTION_BYTES);
}
