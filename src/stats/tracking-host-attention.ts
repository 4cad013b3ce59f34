/**
 * Finds configured tracking hosts that cannot be used. Links silently use another host meanwhile, so this item is the
 * only hint. Pure.
 */
import type { DomainTrackingRow } from '../domains/tracking/store.ts';

export type TrackingHostCheck = Pick<DomainTrackingRow, 'domain_id' | 'host' | 'host_check'>;

interface Named {
  readonly id: string;
  readonly domain: string;
  readonly spf_verified: boolean;
  readonly dkim_verified: boolean;
}

/** Skips unverified domains, which have a more important item. */
export function unusableHosts(
  looks: readonly TrackingHostCheck[],
  domains: readonly Named[],
): { readonly id: string; readonly name: string; readonly message: string }[] {
  return looks.flatMap(({ domain_id: id, host, host_check: check }) => {
    const domain = domains.find((one) => one.id === id);
    if (host === null || check?.status !== 'fail') return [];
    if (!domain?.spf_verified || !domain.dkim_verified) return [];
    const message = `Links in mail from ${domain.domain} are not on ${host}. ${check.message}`;
    return [{ id, name: domain.domain, message }];
  });
}
