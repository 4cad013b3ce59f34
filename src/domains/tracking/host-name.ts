/** Validates the name of a domain's tracking host. Pure. */
import { parseDomainName } from '../name.ts';

type AllowedHost =
  | { readonly ok: true; readonly host: string }
  | { readonly ok: false; readonly message: string };

/** Must be below the domain, because the domain's records prove who owns the name. */
export function hostBelow(domain: string, given: string): AllowedHost {
  const parsed = parseDomainName(given);
  if (!parsed.ok) return parsed;
  if (parsed.domain.endsWith(`.${domain}`)) return { ok: true, host: parsed.domain };
  return { ok: false, message: `must be a name below ${domain}, such as links.${domain}` };
}
