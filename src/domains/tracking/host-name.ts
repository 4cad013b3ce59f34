/** Which names may be the tracking host of a domain. Pure. */
import { parseDomainName } from '../name.ts';

export type AllowedHost =
  | { readonly ok: true; readonly host: string }
  | { readonly ok: false; readonly message: string };

/** Only below the domain: whose it is, is what the domain's own records prove. */
export function hostBelow(domain: string, given: string): AllowedHost {
  const parsed = parseDomainName(given);
  if (!parsed.ok) return parsed;
  if (parsed.domain.endsWith(`.${domain}`)) return { ok: true, host: parsed.domain };
  return { ok: false, message: `must be a name below ${domain}, such as links.${domain}` };
}
