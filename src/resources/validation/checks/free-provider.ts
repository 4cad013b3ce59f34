/** Who runs the mailbox? For information: a free mailbox is no worse than another. */
import { hostAndParents } from '../domain-parents.ts';
import type { ProviderType } from '../lists.ts';
import type { Finding } from './check.ts';
import { finding } from './check.ts';
import type { DisposableLists } from './disposable.ts';

export interface ProviderFinding extends Finding {
  readonly provider_type: ProviderType;
}

export function checkFreeProvider(
  domain: string,
  lists: DisposableLists,
  isDisposable: boolean,
): ProviderFinding {
  const type = isDisposable ? 'disposable' : typeOf(domain, lists);
  return { ...finding('pass', type, SENTENCES[type]), provider_type: type };
}

function typeOf(domain: string, { providers }: DisposableLists): ProviderType {
  if (domain.startsWith('[')) return 'unknown';
  for (const name of hostAndParents(domain)) {
    const type = providers.get(name);
    if (type !== undefined) return type;
  }
  if (/\.edu(?:\.[a-z]{2})?$|\.ac\.[a-z]{2}$/.test(domain)) return 'education';
  if (/\.(?:gov|mil|gouv|gob|gov\.[a-z]{2}|gob\.[a-z]{2}|gouv\.fr|go\.[a-z]{2})$/.test(domain))
    return 'government';
  return 'corporate';
}

const SENTENCES: Readonly<Record<ProviderType, string>> = {
  free: 'A mail provider for everybody.',
  isp: 'The mailbox comes with an Internet connection.',
  relay: 'A service that forwards mail to a hidden mailbox.',
  education: 'A school or university.',
  government: 'A public authority.',
  corporate: 'A domain of its own: no known mail provider.',
  disposable: 'A provider of disposable mailboxes.',
  unknown: 'Who runs the mailbox is not known.',
};
