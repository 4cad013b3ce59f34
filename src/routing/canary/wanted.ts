/** Validates the requested canary of a rule and fills in its defaults. Pure. */
import type { Problems } from '../../runtime/problems.ts';
import { type Canary, DEFAULT_PLAN, type Rate } from './plan.ts';

export interface WantedCanary {
  readonly name: string;
  readonly to: string;
  readonly percents?: readonly number[] | undefined;
  readonly minutes?: number | undefined;
  readonly mails?: number | undefined;
  readonly worse?: { readonly [rate in Rate]?: number | undefined } | undefined;
}

interface RuleWithCanary {
  readonly steps: readonly {
    readonly choices: readonly { readonly transport: string; readonly weight?: number | undefined }[];
  }[];
  readonly canary?: WantedCanary | null | undefined;
}

/** Each canary is reviewed every few seconds and has counts of its own. */
const MAX_CANARIES = 20;

export function canaryProblems(
  rules: readonly RuleWithCanary[],
  transports: ReadonlySet<string>,
  problems: Problems,
): void {
  const names = new Set<string>();
  for (const [index, { canary, steps }] of rules.entries()) {
    if (!canary) continue;
    const field = `rules[${index}].canary`;
    const { name, to, percents = DEFAULT_PLAN.percents } = canary;
    if (names.has(name)) problems.add(`${field}.name`, 'is used twice.');
    names.add(name);
    if (names.size > MAX_CANARIES)
      problems.add(field, `is one too many: a table has at most ${MAX_CANARIES} canaries.`);
    if (!transports.has(to)) problems.add(`${field}.to`, `There is no transport ${to}.`);
    const isThere = steps[0]?.choices.some(({ transport, weight = 1 }) => transport === to && weight > 0);
    if (isThere)
      problems.add(
        `${field}.to`,
        `is in the rule’s first step: its mail goes there already. The steps are the old way, \`to\` is the new one.`,
      );
    if (percents.some((one, nth) => nth > 0 && one <= (percents[nth - 1] ?? 0)))
      problems.add(`${field}.percents`, 'must rise from each to the next.');
  }
}

/** Defaults are stored, so that a later version with other defaults does not change a canary in progress. */
export function parseWantedCanary({ name, to, percents, minutes, mails, worse = {} }: WantedCanary): Canary {
  const { deferred, bounced, complained } = worse;
  return {
    name,
    to,
    percents: percents ?? DEFAULT_PLAN.percents,
    minutes: minutes ?? DEFAULT_PLAN.minutes,
    mails: mails ?? DEFAULT_PLAN.mails,
    worse: {
      deferred: deferred ?? DEFAULT_PLAN.worse.deferred,
      bounced: bounced ?? DEFAULT_PLAN.worse.bounced,
      complained: complained ?? DEFAULT_PLAN.worse.complained,
    },
  };
}
