/** Checks whether mail for a name arrives here: the required MX records, and the actual ones. */
import type { Sql } from '../database/sql.ts';
import type { Resolver } from '../protocols/dns/resolver.ts';
import { type MxCheck, type ReceivingName, recordMxCheck } from './receiving-names.ts';

export type CheckMx = (name: string) => Promise<MxCheck>;

export function mxValue(host: string): string {
  return `10 ${host}`;
}

/** The sandbox uses no DNS, so every check succeeds. */
export function sandboxMx(host: string): CheckMx {
  return async () => ({
    status: 'pass',
    expected: mxValue(host),
    found: [mxValue(host)],
    message: 'In the sandbox, mail is received without DNS: send mail to the inbound port.',
  });
}

export function mxChecker(resolver: Pick<Resolver, 'mx'>, host: string): CheckMx {
  return async (name) => {
    const expected = mxValue(host);
    const answer = await resolver.mx(name, { fresh: true });
    if (answer.kind === 'unavailable')
      return {
        status: 'pending',
        expected,
        found: [],
        message: 'DNS did not answer. Postrider asks again automatically.',
      };
    const records = answer.kind === 'found' ? answer.records : [];
    const found = records.map(({ priority, exchange }) => `${priority} ${exchange}`);
    if (records.length === 0)
      return { status: 'fail', expected, found, message: `Publish an MX record for ${name}: ${expected}` };
    if (!records.some(({ exchange }) => exchange === host)) {
      const message = `Mail for ${name} goes elsewhere. To receive it here, its MX record must be ${expected}.`;
      return { status: 'fail', expected, found, message };
    }
    const others = records.filter(({ exchange }) => exchange !== host);
    const message =
      others.length === 0
        ? 'Mail arrives at this server.'
        : `Mail arrives at this server, and at ${others.map(({ exchange }) => exchange).join(', ')}: mail to those hosts is not received.`;
    return { status: 'pass', expected, found, message };
  };
}

/** Runs outside of any transaction. */
export async function checkNames(
  db: Sql,
  names: readonly Pick<ReceivingName, 'organization_id' | 'name'>[],
  checkMx: CheckMx,
  nowMs: number,
): Promise<void> {
  for (const one of names) await recordMxCheck(db, one, await checkMx(one.name), new Date(nowMs));
}
