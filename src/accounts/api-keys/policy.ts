/** Validates the requested policy of a key. Pure. */
import { type ReadPattern, readRecipientPattern } from '../../protocols/message/recipient-pattern.ts';
import { readSenderPattern } from '../../protocols/message/sender-pattern.ts';
import type { KeyPolicy, Scope } from '../../runtime/permissions.ts';
import type { Problem } from '../../runtime/service-error.ts';

export const MAX_POLICY_RECIPIENTS = 1_000;
export const MAX_POLICY_SENDERS = 100;
export const MAX_POLICY_TEMPLATES = 100;
export const MAX_DAILY_BUDGET = 1_000_000;
/** Allows any template, in place of an id or alias. */
export const ANY_TEMPLATE = '*';

export type RequestedPolicy = { readonly [Field in keyof KeyPolicy]?: KeyPolicy[Field] | undefined };

/** Missing fields default to the most restrictive value: no attachments, its own mail only, no received mail. */
const RESTRICTIVE_DEFAULTS: KeyPolicy = {
  recipients: null,
  from: null,
  templates: null,
  attachments: false,
  daily_budget: null,
  approval: 'none',
  read: 'own',
  inbound: false,
};

/** Fills fields that were added after the policy was stored with their restrictive defaults. */
export function storedPolicy(stored: Partial<KeyPolicy>): KeyPolicy {
  return { ...RESTRICTIVE_DEFAULTS, ...stored };
}

type ParsedPolicy =
  | { readonly ok: true; readonly policy: KeyPolicy | null }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const NOT_FOR = (scope: Scope) =>
  scope === 'full'
    ? 'is for keys of scope send or agent: a key of scope full could change its own policy'
    : `is for keys of scope send or agent: a key of scope ${scope} sends nothing`;

const SENDERS_WANTED =
  'is required with templates: name the senders that the key may use, such as Acme Support <support@acme.example>, or a domain';
const READS_ITS_OWN = 'must be own for a key of scope send; make a key of scope agent to read more';
const RECEIVES_NOTHING =
  'must be false for a key of scope send; make a key of scope agent to answer received mail';

export function parseKeyPolicy(scope: Scope, asked: RequestedPolicy | null): ParsedPolicy {
  if (asked === null) return { ok: true, policy: null };
  if (scope !== 'send' && scope !== 'agent')
    return { ok: false, problems: [{ field: 'policy', message: NOT_FOR(scope) }] };
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const policy: KeyPolicy = { ...RESTRICTIVE_DEFAULTS, ...given };
  const problems: Problem[] = [];
  const recipients = readPatterns('recipients', policy.recipients, readRecipientPattern, problems);
  const from = readPatterns('from', policy.from, readSenderPattern, problems);
  if (policy.templates !== null && from === null)
    problems.push({ field: 'policy.from', message: SENDERS_WANTED });
  if (policy.read === 'organization' && scope !== 'agent')
    problems.push({ field: 'policy.read', message: READS_ITS_OWN });
  if (policy.inbound && scope !== 'agent')
    problems.push({ field: 'policy.inbound', message: RECEIVES_NOTHING });
  if (problems.length > 0) return { ok: false, problems };
  const templates = policy.templates === null ? null : [...new Set(policy.templates)];
  return { ok: true, policy: { ...policy, recipients, from, templates } };
}

function readPatterns(
  field: string,
  given: readonly string[] | null,
  read: (text: string) => ReadPattern,
  problems: Problem[],
): string[] | null {
  if (given === null) return null;
  const patterns = given.flatMap((text, index) => {
    const found = read(text);
    if (found.ok) return [found.pattern];
    problems.push({ field: `policy.${field}[${index}]`, message: found.message });
    return [];
  });
  return [...new Set(patterns)];
}
