/** What a domain's MTA-STS policy leaves of its mail hosts. Pure. */
import { allowsHost, type StsPolicy } from '../../kit/dns/mta-sts-policy.ts';
import type { MailHost } from '../../kit/dns/mx.ts';
import { type RouteProblem, unroutable } from './route-problem.ts';

export interface AllowedHosts {
  readonly kind: 'allowed';
  readonly hosts: readonly MailHost[];
  /** They must show a valid certificate. */
  readonly enforced: boolean;
  /** What would be refused if the policy were not in testing. */
  readonly tolerated: readonly string[];
}

export function underPolicy(
  domain: string,
  hosts: readonly MailHost[],
  policy: StsPolicy | null,
): AllowedHosts | RouteProblem {
  if (policy === null || policy.mode === 'none') return allowed(hosts, false, []);
  const named = hosts.filter(({ host }) => allowsHost(policy, host));
  const others = hosts.filter((one) => !named.includes(one)).map(({ host }) => host);
  if (policy.mode === 'testing') return allowed(hosts, false, others);
  if (named.length > 0) return allowed(named, true, []);
  return unroutable(
    'mta_sts_failed',
    `The MTA-STS policy of ${domain} names ${policy.mx.join(', ')}, and its mail hosts are ${others.join(', ')}.`,
  );
}

function allowed(hosts: readonly MailHost[], enforced: boolean, tolerated: readonly string[]): AllowedHosts {
  return { kind: 'allowed', hosts, enforced, tolerated };
}
