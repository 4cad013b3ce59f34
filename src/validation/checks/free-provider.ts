/** Identifies the mailbox provider. Informational only: free mailboxes do not affect the score. */
import type { DomainPlace, ProviderType } from '../lists.ts';
import type { Finding } from './check.ts';
import type { DisposableLists } from './disposable.ts';

export interface ProviderFinding extends Finding {
  readonly provider_type: ProviderType;
}

export function checkFreeProvider(
  place: DomainPlace,
  lists: DisposableLists,
  isDisposable: boolean,
): ProviderFinding {
  const type = isDisposable ? 'disposable' : typeOf(place, lists);
  return { status: 'pass', reason: type, message: SENTENCES[type], signals: [], provider_type: type };
}

function typeOf({ domain, names, suffix }: DomainPlace, { providers }: DisposableLists): ProviderType {
  if (domain.startsWith('[')) return 'unknown';
  for (const name of names) {
    const type = providers.get(name);
    if (type !== undefined) return type;
  }
  if (EDUCATION.test(suffix)) return 'education';
  if (GOVERNMENT.test(suffix)) return 'government';
  return 'corporate';
}

const EDUCATION = /^(?:edu|(?:edu|ac)\.[a-z]{2})$/;
const GOVERNMENT = /^(?:gov|mil|(?:gov|mil|gob|gouv|go)\.[a-z]{2})$/;

const SENTENCES: Readonly<Record<ProviderType, string>> = {
  free: 'A public mail provider.',
  isp: 'The mailbox comes with an Internet connection.',
  relay: 'A service that forwards mail to a hidden mailbox.',
  education: 'A school or university.',
  government: 'A public authority.',
  corporate: 'Not a known mail provider: the domain of a company or a person.',
  disposable: 'A provider of disposable mailboxes.',
  unknown: 'Who runs the mailbox is not known.',
};
