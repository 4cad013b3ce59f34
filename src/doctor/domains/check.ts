/** The records of each sending domain, and their DMARC result. */

import { SANDBOX_DOMAIN } from '../../domains/sandbox-domain.ts';
import { createSenders } from '../../domains/senders.ts';
import { countDomains, listDomainsOfAll } from '../../domains/store.ts';
import { doctorCheck } from '../doctor-check.ts';
import { type DoctorContext, ofAnswering } from '../doctor-context.ts';
import { counted, type Observation } from '../finding.ts';
import { publicHostName } from '../host/known-host.ts';
import { gatherDomain, type SendingDomainFacts } from './domain-facts.ts';
import { judgeDomain } from './judge.ts';

export interface AllDomains {
  readonly examined: readonly SendingDomainFacts[];
  readonly count: number;
}

/** Workers check all domains daily. */
const MAX_EXAMINED = 50;

export const domainsCheck = doctorCheck({
  name: 'domains',
  needsDatabase: true,
  needsDns: true,
  matters:
    'Receivers refuse mail, or take it for spam, when they cannot tell that the domain in From allowed it.',
  gather: gatherDomains,
  judge: judgeDomains,
});

async function gatherDomains({ config, clock, resolver, ...context }: DoctorContext): Promise<AllDomains> {
  const host = publicHostName(config);
  const [found, counts, senders] = await Promise.all([
    ofAnswering(context, (cell) => listDomainsOfAll(cell, SANDBOX_DOMAIN, MAX_EXAMINED)),
    ofAnswering(context, (cell) => countDomains(cell, SANDBOX_DOMAIN)),
    createSenders(resolver, config, clock)(),
  ]);
  const rows = found.flat().slice(0, MAX_EXAMINED);
  return {
    examined: await Promise.all(rows.map((row) => gatherDomain(resolver, row, host, senders))),
    count: counts.reduce((sum, one) => sum + one, 0),
  };
}

export function judgeDomains({ examined, count }: AllDomains): Observation[] {
  if (count === 0) {
    const fix = 'npx postrider domain add DOMAIN --org ID';
    return [{ level: 'unknown', seen: 'No sending domain is registered yet.', fix }];
  }
  const left = count - examined.length;
  const rest = `${counted(left, 'further domain')} not examined; workers check each of them once a day.`;
  return [
    ...examined.flatMap(judgeDomain),
    ...(left === 0 ? [] : [{ level: 'unknown', seen: rest } as const]),
  ];
}
