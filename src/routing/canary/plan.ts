/** The plan of a canary, which gradually moves mail of a rule to another transport. As stored with the rule, and shown. */

/** The rates that are compared between the two paths. */
export const RATES = ['deferred', 'bounced', 'complained'] as const;
export type Rate = (typeof RATES)[number];

/** The old path is the rule's steps, the new one is `to`. */
const CANARY_PATHS = ['old', 'new'] as const;
export type CanaryPath = (typeof CANARY_PATHS)[number];

export interface Canary {
  /** Identifies the canary: another name is another canary, which starts from zero. */
  readonly name: string;
  /** The transport that mail is moved to. */
  readonly to: string;
  /** The shares of a provider's mail on the new path, step by step. */
  readonly percents: readonly number[];
  /** The minimum duration of a step, and the minimum number of emails on the new path. */
  readonly minutes: number;
  readonly mails: number;
  /** The tolerated excess of each rate over the old path's. */
  readonly worse: Readonly<Record<Rate, number>>;
}

export const DEFAULT_PLAN: Omit<Canary, 'name' | 'to'> = {
  percents: [1, 5, 10, 25, 50, 100],
  minutes: 60,
  mails: 100,
  worse: { deferred: 0.05, bounced: 0.02, complained: 0.001 },
};

/** The share of each provider's mail on the new path. Providers without an entry use the old path. */
export type CanaryPercents = ReadonlyMap<string, number>;

/** Includes the transport, because another transport makes it another canary, whatever its name. */
export function percentKey({ name, to }: Pick<Canary, 'name' | 'to'>, provider: string): string {
  return `${name} ${to} ${provider}`;
}

export function percentOf(percents: CanaryPercents, canary: Canary | undefined, provider: string): number {
  return canary === undefined ? 0 : (percents.get(percentKey(canary, provider)) ?? 0);
}

export function canariesIn(rules: readonly { readonly canary?: Canary }[]): Canary[] {
  return rules.flatMap(({ canary }) => canary ?? []);
}
