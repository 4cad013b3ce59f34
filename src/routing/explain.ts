/** Explains the route of a mail step by step. Pure. */

import { percentWords } from './canary/describe-canary.ts';
import { percentOf } from './canary/plan.ts';
import { isForMail, type RoutedMailFacts, whyMatched, whyNotMatched } from './match.ts';
import { NO_RULE, ruleWords } from './route-description.ts';
import type { SpentToday } from './spent-allowances.ts';
import {
  DEFAULT_TRANSPORT,
  type RouteTable,
  type Rule,
  relaySiteName,
  sourceSiteName,
  type Transport,
} from './table.ts';
import type { Health, RecipientSite, TransportHealth } from './transport-health.ts';

interface ExplainedChoice {
  readonly transport: string;
  readonly source: string | null;
  readonly share: number;
  readonly share_now: number;
  /** `spent`: the address has used up its allowance for today. */
  readonly state: Health['state'] | 'absent' | 'spent';
  readonly message: string;
}

interface ExplainedStep {
  /** Counted from 1; 0 for the transport that a canary moves mail to. */
  readonly step: number;
  readonly in_use: boolean;
  readonly choices: ExplainedChoice[];
}

interface RouteContext {
  readonly table: RouteTable;
  readonly health: TransportHealth;
  readonly destination: RecipientSite | null;
  readonly mode: 'sandbox' | 'live';
  readonly spent: SpentToday;
}

/** A choice, and whether mail settles on it: by using it, or by waiting for it. */
interface Considered {
  readonly choice: ExplainedChoice;
  readonly isChosen: boolean;
}

const BY_DEFAULT: Rule = {
  name: null,
  match: {},
  steps: [{ choices: [{ transport: DEFAULT_TRANSPORT, weight: 1 }] }],
};

export function explainRoute(mail: RoutedMailFacts, context: RouteContext) {
  const { rules } = context.table;
  const index = rules.findIndex((rule) => isForMail(rule, mail));
  const rule = rules[index];
  const asked = index < 0 ? rules : rules.slice(0, index + 1);
  const percent = percentOf(context.table.percents, rule?.canary, mail.provider);
  const steps = stepsOf(rule ?? BY_DEFAULT, context, mail.provider, percent / 100);
  const why = rule === undefined ? NO_RULE : `${ruleWords(rule, index)} matched: ${whyMatched(rule, mail)}`;
  return {
    message: `${context.mode === 'sandbox' ? SANDBOX : ''}${capital(why)}. ${canaryWords(rule?.canary, percent)}${stepsText(steps)}`,
    mode: context.mode,
    provider: context.destination === null && mail.provider === '' ? null : mail.provider,
    rule: rule === undefined ? null : index + 1,
    rules: asked.map((one, nth) => ({
      rule: nth + 1,
      name: one.name,
      matches: nth === index,
      why: nth === index ? whyMatched(one, mail) : `it is for ${whyNotMatched(one, mail)}`,
    })),
    canary: rule?.canary === undefined ? null : { name: rule.canary.name, to: rule.canary.to, percent },
    steps,
  };
}

const SANDBOX =
  'This installation is in the sandbox: all mail goes to the built-in receiver, whatever the table says. In live mode: ';

/** A canary's new path comes first, for its share; the rest starts with the rule's own steps. */
function stepsOf(
  { steps, canary }: Rule,
  context: RouteContext,
  provider: string,
  moved: number,
): ExplainedStep[] {
  const consider = (choices: Rule['steps'][number]['choices']) =>
    choicesOf(choices, context).map((one) => withAllowance(one, context, provider));
  const own = steps.map(({ choices }) => consider(choices));
  const fresh = canary === undefined ? [] : consider([{ transport: canary.to, weight: 1 }]);
  const part = fresh.some(({ isChosen }) => isChosen) ? moved : 0;
  const inUse = own.findIndex((some) => some.some(({ isChosen }) => isChosen));
  const explained = own.map((some, nth) => shared(some, nth + 1, nth === inUse ? 1 - part : 0));
  return canary === undefined ? explained : [shared(fresh, 0, part), ...explained];
}

/** The part of all this mail that each choice gets, out of the part that reaches this step. */
function shared(considered: readonly Considered[], step: number, part: number): ExplainedStep {
  const all = considered.reduce((sum, { choice, isChosen }) => sum + (isChosen ? choice.share : 0), 0);
  return {
    step,
    in_use: part > 0,
    choices: considered.map(({ choice, isChosen }) => ({
      ...choice,
      share_now: round(part > 0 && isChosen ? (part * choice.share) / all : 0),
      share: round(choice.share),
    })),
  };
}

function canaryWords(canary: Rule['canary'], percent: number): string {
  if (canary === undefined) return '';
  return `The canary ${canary.name} moves ${percentWords(percent)} of such mail to ${canary.to} at the moment. `;
}

/** Allowances apply when mail has its turn, so unhealthy choices are skipped before. */
function withAllowance(choice: ExplainedChoice, { spent, mode }: RouteContext, provider: string): Considered {
  const isUsable = choice.state === 'open' || choice.state === 'slow';
  const none = isUsable && choice.source !== null && mode === 'live' ? spent(choice.source, provider) : null;
  if (none === null) return { choice, isChosen: isUsable };
  const isWaitedFor = none.over === 'wait';
  const message = `All of today’s ${none.allowed} emails from ${choice.source} to ${provider} are sent; further mail ${
    isWaitedFor ? 'waits for tomorrow' : 'takes the next choice'
  }.`;
  return { choice: { ...choice, state: 'spent', message }, isChosen: isWaitedFor };
}

function choicesOf(choices: Rule['steps'][number]['choices'], context: RouteContext): ExplainedChoice[] {
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  return choices.flatMap(({ transport: name, weight }) => {
    const share = weight / total;
    if (name === DEFAULT_TRANSPORT)
      return [{ source: null, ...choiceWithHealth(name, share, context, context.destination?.home) }];
    const transport = context.table.transports.find((one) => one.name === name);
    if (transport === undefined) return [];
    if (transport.kind === 'relay')
      return [{ source: null, ...choiceWithHealth(name, share, context, relaySiteName(transport)) }];
    return sourcesOf(transport, share, context);
  });
}

function sourcesOf(
  { name, sources }: Transport & { readonly kind: 'direct' },
  share: number,
  context: RouteContext,
): ExplainedChoice[] {
  const total = sources.reduce((sum, { weight }) => sum + weight, 0);
  return sources.map(({ address, weight }) => {
    const site = context.destination && sourceSiteName(context.destination.site, address);
    const one = { source: address, ...choiceWithHealth(name, (share * weight) / total, context, site) };
    if (context.health.workersWith(address) > 0 || context.mode === 'sandbox') return one;
    return {
      ...one,
      state: 'absent' as const,
      message: 'No running worker has this address on its machine.',
    };
  });
}

function choiceWithHealth(
  transport: string,
  share: number,
  { health }: RouteContext,
  site: string | null | undefined,
) {
  const { state, message } = health.of(site ?? '');
  return { transport, share, share_now: 0, state, message };
}

function stepsText(steps: readonly ExplainedStep[]): string {
  const inUse = steps.filter((step) => step.in_use);
  const last = inUse.at(-1);
  if (last === undefined) return 'None of its routes can be used at the moment: mail waits.';
  const ways = inUse.flatMap(({ choices }) => choices).filter(({ share_now }) => share_now > 0);
  const [waiting, going] = [true, false].map((isSpent) =>
    ways
      .filter(({ state }) => (state === 'spent') === isSpent)
      .map((way) => `${choiceText(way)}${ways.length > 1 ? ` (${percent(way.share_now)})` : ''}`)
      .join(', '),
  );
  const words = [going && `goes ${going}`, waiting && `waits until tomorrow to go ${waiting}`];
  return `It ${words.filter(Boolean).join(' or ')}${whyFallenBack(steps, last)}.`;
}

function whyFallenBack(steps: readonly ExplainedStep[], { step }: ExplainedStep): string {
  if (step <= 1) return '';
  const before = steps.filter((one) => one.step > 0 && one.step < step).flatMap(({ choices }) => choices);
  const spent = before.filter(({ state }) => state === 'spent').map(({ source }) => source);
  if (spent.length === 0) return ', because every choice of the steps before is set aside';
  const all =
    spent.length === before.length ? '' : ', and every other choice of the steps before is set aside';
  return `, because ${spent.join(' and ')} ${spent.length === 1 ? 'has' : 'have'} sent all of today’s emails${all}`;
}

function choiceText({ transport, source, state }: ExplainedChoice): string {
  if (state === 'spent') return `from ${source}`;
  if (source !== null) return `directly from ${source}`;
  return transport === DEFAULT_TRANSPORT ? 'the default way' : `through relay ${transport}`;
}

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
