/** How mail of a rule is moved to another transport, little by little. As it is stored with the rule, and shown. */

/** What is compared between the two ways. */
export const RATES = ['deferred', 'bounced', 'complained'] as const;
export type Rate = (typeof RATES)[number];

/** The old way is that of the rule's steps, the new one is `to`. */
export const CANARY_PATHS = ['old', 'new'] as const;
export type CanaryPath = (typeof CANARY_PATHS)[number];

export interface Canary {
  /** What it is known by: another name is another canary, which begins anew. */
  readonly name: string;
  /** The transport that mail is moved to. */
  readonly to: string;
  /** How much of a provider's mail goes there, step by step. */
  readonly percents: readonly number[];
  /** A step lasts at least so long, and so many mails on the new way. */
  readonly minutes: number;
  readonly mails: number;
  /** How much larger a rate may be than on the old way. */
  readonly worse: Readonly<Record<Rate, number>>;
}

export const DEFAULT_PLAN: Omit<Canary, 'name' | 'to'> = {
  percents: [1, 5, 10, 25, 50, 100],
  minutes: 60,
  mails: 100,
  worse: { deferred: 0.05, bounced: 0.02, complained: 0.001 },
};

/** How much of the mail to each provider goes the new way; what is not in it goes the old one. */
export type CanaryPercents = ReadonlyMap<string, number>;

/** Moving to another transport is another move, whatever it is called. */
export function percentKey({ name, to }: Pick<Canary, 'name' | 'to'>, provider: string): string {
  return `${name} ${to} ${provider}`;
}

export function percentOf(percents: CanaryPercents, canary: Canary | undefined, provider: string): number {
  return canary === undefined ? 0 : (percents.get(percentKey(canary, provider)) ?? 0);
}

export function canariesIn(rules: readonly { readonly canary?: Canary }[]): Canary[] {
  return rules.flatMap(({ canary }) => canary ?? []);
}
