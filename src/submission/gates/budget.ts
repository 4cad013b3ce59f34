/**
 * The daily budget of a key: the recipients that it may still send to today. It is counted in the transaction that accepts,
 * request by request in order of arrival. A request is counted in full or refused.
 */
import { type BudgetUse, budgetKey, countBudgets } from '../../accounts/api-keys/budget-store.ts';
import type { Sql } from '../../database/sql.ts';
import type { NewEmail } from '../../emails/email.ts';
import { nextUtcDayMs, utcDay } from '../../runtime/moment.ts';
import type { Refusals } from './gates.ts';
import type { LimitExceeded } from './limit.ts';

/** One request's share of a budget. */
interface RequestShare extends BudgetUse {
  readonly limit: number;
  readonly atMs: number;
}

/** Only emails that pass every other gate count. The counters stay locked until the transaction ends. */
export async function withinBudget(
  tx: Sql,
  emails: readonly NewEmail[],
  refusals: Refusals,
): Promise<Refusals> {
  const asked = requestsOf(emails.filter((_, index) => refusals[index] === null));
  if (asked.size === 0) return refusals;
  const used = new Map(await countBudgets(tx, sumsOf([...asked.values()].map(nothing))));
  const over = new Map<string, LimitExceeded>();
  const taken: RequestShare[] = [];
  for (const [request, one] of asked) {
    const before = used.get(budgetKey(one)) ?? 0;
    if (before + one.recipients > one.limit) over.set(request, exceeded(one, before));
    else {
      used.set(budgetKey(one), before + one.recipients);
      taken.push(one);
    }
  }
  if (taken.length > 0) await countBudgets(tx, sumsOf(taken));
  return refusals.map((refusal, index) => refusal ?? over.get(requestOf(emails[index] as NewEmail)) ?? null);
}

/** Subtracts emails that were counted and then refused in the same transaction. */
export async function uncountBudget(tx: Sql, emails: readonly NewEmail[]): Promise<void> {
  const asked = [...requestsOf(emails).values()];
  if (asked.length === 0) return;
  const uses = sumsOf(asked).map((one) => ({ ...one, recipients: -one.recipients }));
  await countBudgets(tx, uses);
}

function exceeded({ limit, recipients, atMs }: RequestShare, used: number): LimitExceeded {
  const resetsInMs = nextUtcDayMs(atMs) - atMs;
  return { kind: 'limit_exceeded', of: 'key', limit, used, asked: recipients, resetsInMs };
}

function requestsOf(emails: readonly NewEmail[]): Map<string, RequestShare> {
  const asked = new Map<string, RequestShare>();
  for (const email of emails) {
    const budget = email.terms?.budget ?? null;
    if (budget === null) continue;
    const { organizationId, createdAtMs: atMs } = email;
    const before = asked.get(requestOf(email))?.recipients ?? 0;
    const use = { organizationId, keyId: budget.of, day: utcDay(atMs), limit: budget.limit, atMs };
    asked.set(requestOf(email), { ...use, recipients: before + email.recipients.length });
  }
  return asked;
}

function requestOf({ batchId, id }: NewEmail): string {
  return batchId ?? id;
}

function nothing(one: RequestShare): RequestShare {
  return { ...one, recipients: 0 };
}

/** Adds up the uses of each counter. */
function sumsOf(asked: readonly RequestShare[]): BudgetUse[] {
  const sums = new Map<string, BudgetUse>();
  for (const { organizationId, keyId, day, recipients } of asked) {
    const key = budgetKey({ organizationId, keyId, day });
    const sum = recipients + (sums.get(key)?.recipients ?? 0);
    sums.set(key, { organizationId, keyId, day, recipients: sum });
  }
  return [...sums.values()];
}
