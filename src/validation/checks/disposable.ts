/** Checks whether the domain provides disposable mailboxes. Subdomains count as their registrable domain. */
import type { DomainPlace, ValidationLists } from '../lists.ts';
import { type Finding, finding } from './check.ts';

/** The organization's own lists, which override ours. */
export interface OwnLists {
  readonly allow: ReadonlySet<string>;
  readonly deny: ReadonlySet<string>;
}

export type DisposableLists = Pick<ValidationLists, 'disposable' | 'suspected' | 'providers'>;

const NOT_LISTED = finding('pass', 'not_listed', 'The domain is not known for disposable mailboxes.');

const KNOWN_PROVIDER = finding('pass', 'known_provider', 'The domain is a known mail provider.');

export function checkDisposable({ names }: DomainPlace, lists: DisposableLists, own: OwnLists): Finding {
  if (names.some((name) => own.deny.has(name))) {
    const message = 'The domain is on the deny list of your organization.';
    return finding('fail', 'denied_by_organization', message, 'disposable_domain');
  }
  if (names.some((name) => own.allow.has(name))) {
    return finding(
      'pass',
      'allowed_by_organization',
      'The domain is on the allow list of your organization.',
    );
  }
  for (const name of names) {
    const found = judge(name, lists);
    if (found !== null) return found;
  }
  return NOT_LISTED;
}

/** Null when the lists do not contain this name and its parent decides. */
function judge(name: string, lists: DisposableLists): Finding | null {
  const provider = lists.providers.get(name);
  if (provider === 'relay') {
    const message = 'The domain forwards to mailboxes that it hides; real people use it.';
    return finding('warn', 'relay', message, 'relay_domain');
  }
  if (provider !== undefined) return KNOWN_PROVIDER;
  if (lists.disposable.has(name)) {
    return finding('fail', 'disposable', 'The domain offers disposable mailboxes.', 'disposable_domain');
  }
  if (lists.suspected.has(name)) {
    const message = 'The domain is on few lists of disposable domains, perhaps by mistake.';
    return finding('warn', 'suspected', message, 'suspected_disposable');
  }
  return null;
}
