/**
 * Daily budgets: the recipients that may still be sent to today, such as those of a key. They are counted in the transaction that
 * accepts, request by request in order of arrival. A request is counted in full, towards each of its budgets, or refused.
 */
import { type BudgetUse, budgetKey, countBudgets } from '../../accounts/api-keys/budget-store.ts';
import type { Sql } from '../../database/sql.ts';
import type { DailyBudget, NewEmail } from '../../emails/email.ts';
import { nextUtcDayMs, utcDay } from '../../runtime/timestamp.ts';
import type { Refusals } from './gates.ts';
import type { LimitExceeded } from './limit.ts';

/** One request's share of a budget. */
interface RequestShare extends BudgetUse, Pick<DailyBudget, 'owner' | 'limit'> {
  readonly atMs: number;
  recipients: number;
}

/** Only emails that pass every other gate count. The counters stay locked until the transaction ends. */
export async function withinBudget(
  tx: Sql,
  emails: readonly NewEmail[],
  refusals: Refusals,
): Promise<Refusals> {
  const asked = requestsOf(emails.filter((_, index) => refusals[index] === null));
  if (asked.size === 0) return refusals;
  const used = new Map(await countBudgets(tx, sumsOf([...asked.values()].flat().map(nothing))));
  const usedOf = (share: RequestShare) => used.get(budgetKey(share)) ?? 0;
  const over = new Map<string, LimitExceeded>();
  const taken: RequestShare[] = [];
  for (const [request, shares] of asked) {
    const tooMuch = shares.find((share) => usedOf(share) + share.recipients > share.limit);
    if (tooMuch !== undefined) over.set(request, exceeded(tooMuch, usedOf(tooMuch)));
    else {
      for (const share of shares) used.set(budgetKey(share), usedOf(share) + share.recipients);
      taken.push(...shares);
    }
  }
  if (taken.length > 0) await countBudgets(tx, sumsOf(taken));
  return refusals.map((refusal, index) => refusal ?? over.get(requestOf(emails[index] as NewEmail)) ?? null);
}

/** Subtracts emails that were counted and then refused in the same transaction. */
export async function uncountBudget(tx: Sql, emails: readonly NewEmail[]): Promise<void> {
  const asked = [...requestsOf(emails).values()].flat();
  if (asked.length === 0) return;
  const uses = sumsOf(asked).map((one) => ({ ...one, recipients: -one.recipients }));
  await countBudgets(tx, uses);
}

function exceeded({ owner, limit, recipients, atMs }: RequestShare, used: number): LimitExceeded {
  const resetsInMs = nextUtcDayMs(atMs) - atMs;
  return { kind: 'limit_exceeded', of: owner, limit, used, asked: recipients, resetsInMs };
}

/** The emails of one request may count towards different budgets. */
function requestsOf(emails: readonly NewEmail[]): Map<string, RequestShare[]> {
  const asked = new Map<string, RequestShare[]>();
  for (const email of emails) {
    const { organizationId, createdAtMs: atMs, recipients } = email;
    const shares = asked.get(requestOf(email)) ?? [];
    for (const { owner, id, limit } of email.terms?.budgets ?? []) {
      const share = shares.find(({ keyId }) => keyId === id);
      if (share) share.recipients += recipients.length;
      else {
        const use = { organizationId, keyId: id, day: utcDay(atMs), recipients: recipients.length };
        shares.push({ ...use, owner, limit, atMs });
      }
    }
    if (shares.length > 0) asked.set(requestOf(email), shares);
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
