/** Whether recipients can use links to this installation. Pure. */
import type { Config } from './config.ts';
import { isAddress, isLoopback } from './host-name.ts';

/** What is wrong with the URL and what to set; null when nothing is. */
function publicUrlProblem(publicUrl: string): string | null {
  const fault = publicUrlFault(publicUrl);
  return fault === null ? null : `${fault} ${WITHOUT_PUBLIC_URL}`;
}

/** The problem without the advice. */
export function publicUrlFault(publicUrl: string): string | null {
  const { protocol, hostname } = new URL(publicUrl);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isOnlyHere =
    isLoopback(host) || host.endsWith('.localhost') || (!isAddress(host) && !host.includes('.'));
  if (isOnlyHere) return `POSTRIDER_PUBLIC_URL is ${publicUrl}, which nobody else can reach.`;
  if (protocol !== 'https:') return `POSTRIDER_PUBLIC_URL is ${publicUrl}, not https.`;
  return null;
}

export const WITHOUT_PUBLIC_URL =
  'Opens are not tracked and mail carries no unsubscribe links until it is an https address that is reachable from the internet.';

/**
 * Why mail is sent without open pixels and tracked links; null when it has them. Applies only to live mode
 * outside of private networks.
 */
export function trackingProblem(
  config: Pick<Config, 'mode' | 'publicUrl' | 'allowPrivateDestinations'>,
): string | null {
  if (config.mode === 'sandbox' || config.allowPrivateDestinations) return null;
  return publicUrlProblem(config.publicUrl);
}
