/** Runs all checks on one address. Pure: the parsed address, the lists and the looked-up facts in, the result out. */
import type { Address, AddressProblem } from '../protocols/message/address.ts';
import { type Finding, finding, NOT_CHECKED } from './checks/check.ts';
import { checkDisposable, type OwnLists } from './checks/disposable.ts';
import { checkDns, type DnsFinding } from './checks/dns.ts';
import { checkFreeProvider, type ProviderFinding } from './checks/free-provider.ts';
import { checkMx, type MxFinding } from './checks/mx.ts';
import { checkRandom, type RandomFinding } from './checks/random.ts';
import { checkRole } from './checks/role.ts';
import { checkSyntax, type SyntaxFinding } from './checks/syntax.ts';
import { checkTypo, type TypoFinding } from './checks/typo.ts';
import type { DomainFacts } from './domain-facts.ts';
import { placeOf, type ValidationLists } from './lists.ts';
import { riskScore, type SignalName, type ValidationVerdict, verdictOf } from './score.ts';

interface Findings {
  readonly syntax: SyntaxFinding;
  readonly mx: MxFinding;
  readonly dns: DnsFinding;
  readonly disposable: Finding;
  readonly role: Finding;
  readonly typo: TypoFinding;
  readonly free_provider: ProviderFinding;
  readonly random: RandomFinding;
}

/** What the organization's own mail revealed about the mailbox. */
export type PastFailure = 'hard_bounce' | 'suppressed';

export interface Assessment {
  readonly verdict: ValidationVerdict;
  readonly score: number;
  /** The score as if every unanswered DNS query had succeeded, for decisions that must not depend on doubt. */
  readonly scoreWithoutDnsDoubt: number;
  readonly signals: readonly SignalName[];
  readonly checks: Findings;
  /** Likely intended addresses. */
  readonly suggestions: readonly string[];
}

interface Circumstances {
  readonly lists: ValidationLists;
  readonly own: OwnLists;
  readonly facts: DomainFacts;
  readonly past: PastFailure | null;
}

export function assess(address: Address | AddressProblem, around: Circumstances): Assessment {
  const checks = address.ok ? checkAll(address, around) : onlySyntax(address, around.lists);
  const signals = signalsOf(checks, around.past);
  const score = riskScore(signals);
  return {
    verdict: verdictOf(score),
    score,
    scoreWithoutDnsDoubt: signals.includes('dns_unknown')
      ? riskScore(signals.filter((signal) => signal !== 'dns_unknown'))
      : score,
    signals,
    checks,
    suggestions: checks.typo.suggestions.map((one) => one.suggested),
  };
}

function signalsOf(checks: Findings, past: PastFailure | null): SignalName[] {
  const signals: SignalName[] = [];
  for (const check of Object.values(checks) as Finding[]) signals.push(...check.signals);
  if (past !== null) signals.push(PAST_SIGNALS[past]);
  return signals;
}

const PAST_SIGNALS = { hard_bounce: 'hard_bounced', suppressed: 'suppressed' } as const;

function checkAll(address: Address, { lists, own, facts }: Circumstances): Findings {
  const place = placeOf(address.domain);
  const disposable = checkDisposable(place, lists, own);
  return {
    syntax: checkSyntax(address, lists),
    mx: checkMx(facts),
    dns: checkDns(facts),
    disposable,
    role: checkRole(address, lists),
    typo: checkTypo(address, place, lists, facts),
    free_provider: checkFreeProvider(place, lists, disposable.status === 'fail'),
    random: checkRandom(address, lists.random),
  };
}

function onlySyntax(problem: AddressProblem, lists: ValidationLists): Findings {
  return {
    syntax: checkSyntax(problem, lists),
    mx: { ...NOT_CHECKED, records: [] },
    dns: { ...NOT_CHECKED, addresses: [] },
    disposable: NOT_CHECKED,
    role: NOT_CHECKED,
    typo: { ...NOT_CHECKED, suggestions: [] },
    free_provider: { ...finding('unknown', 'not_checked', NOT_CHECKED.message), provider_type: 'unknown' },
    random: { ...NOT_CHECKED, entropy_bits_per_char: null },
  };
}
