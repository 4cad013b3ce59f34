import { type DnsRecord, dkimName, dkimValue } from './dns-records.ts';
import type { RotationRow } from './rotation.ts';
import type { DomainWithKey } from './signing-keys.ts';

/** A rotation as the API shows it: its progress, the relevant record and the next step. */
export function presentRotation(domain: DomainWithKey, rotation: RotationRow) {
  const isWaiting = rotation.status === 'waiting_for_dns';
  const other = recordOf(domain.domain, rotation);
  const own = recordOf(domain.domain, domain);
  const check = rotation.last_check;
  return {
    status: rotation.status,
    selector: isWaiting ? rotation.selector : domain.selector,
    previous_selector: isWaiting ? domain.selector : rotation.selector,
    dns_record: isWaiting ? other : own,
    previous_dns_record: isWaiting ? own : other,
    check: isWaiting && check !== null ? { ...check, found: [...check.found] } : null,
    message: wordsOf(rotation, other.name),
    started_at: rotation.started_at,
    seen_at: rotation.seen_at,
    switched_at: rotation.switched_at,
    retires_at: rotation.retires_at,
  };
}

function recordOf(
  domain: string,
  key: { readonly selector: string; readonly public_key: Buffer },
): DnsRecord {
  const name = dkimName({ domain, selector: key.selector });
  return { type: 'TXT', name, value: dkimValue(key.public_key) };
}

function wordsOf({ status, seen_at, switched_at, retires_at }: RotationRow, name: string): string {
  if (status === 'finished') return `The old key is destroyed. Its record at ${name} can be removed.`;
  if (status === 'switched') {
    return `Mail that is due from ${switched_at?.toISOString()} on is signed with the new key. Leave the old record at ${name} in place until ${retires_at?.toISOString()}: mail on its way is checked against it.`;
  }
  return seen_at === null
    ? `Publish the new TXT record at ${name}, beside the old one. Signing switches automatically once it is found.`
    : `The new record at ${name} was found. It is checked once more, then signing switches.`;
}
