/** The policy that somebody asks for with a key, checked in one place. Pure. */
import { readRecipientPattern } from '../../kit/message/recipient-pattern.ts';
import type { KeyPolicy, Scope } from '../../kit/permissions.ts';
import type { Problem } from '../../kit/service-error.ts';

export const MAX_POLICY_RECIPIENTS = 1_000;
export const MAX_POLICY_TEMPLATES = 100;
export const MAX_DAILY_BUDGET = 1_000_000;
/** In place of a template's id or alias. */
export const ANY_TEMPLATE = '*';

export type AskedPolicy = { readonly [Field in keyof KeyPolicy]?: KeyPolicy[Field] | undefined };

/** A policy that leaves something out allows as little as it can: no files, and to read its own mail only. */
const LEFT_OUT: KeyPolicy = {
  recipients: null,
  templates: null,
  attachments: false,
  daily_budget: null,
  approval: 'none',
  read: 'own',
};

/** A policy that was stored before a field existed has that field as if it were left out. */
export function storedPolicy(stored: Partial<KeyPolicy>): KeyPolicy {
  return { ...LEFT_OUT, ...stored };
}

type ParsedPolicy =
  | { readonly ok: true; readonly policy: KeyPolicy | null }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const NOT_FOR = (scope: Scope) =>
  scope === 'full'
    ? 'is for keys of scope send or agent: a key of scope full could change it itself'
    : `is for keys of scope send or agent: a key of scope ${scope} sends nothing`;

const READS_ITS_OWN = 'must be own for a key of scope send; make a key of scope agent to read more';

export function parseKeyPolicy(scope: Scope, asked: AskedPolicy | null): ParsedPolicy {
  if (asked === null) return { ok: true, policy: null };
  if (scope !== 'send' && scope !== 'agent')
    return { ok: false, problems: [{ field: 'policy', message: NOT_FOR(scope) }] };
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const policy: KeyPolicy = { ...LEFT_OUT, ...given };
  const problems: Problem[] = [];
  const recipients = policy.recipients === null ? null : readRecipients(policy.recipients, problems);
  if (policy.read === 'organization' && scope !== 'agent')
    problems.push({ field: 'policy.read', message: READS_ITS_OWN });
  if (problems.length > 0) return { ok: false, problems };
  const templates = policy.templates === null ? null : [...new Set(policy.templates)];
  return { ok: true, policy: { ...policy, recipients, templates } };
}

function readRecipients(given: readonly string[], problems: Problem[]): string[] {
  const patterns = given.flatMap((text, index) => {
    const read = readRecipientPattern(text);
    if (read.ok) return [read.pattern];
    problems.push({ field: `policy.recipients[${index}]`, message: read.message });
    return [];
  });
  return [...new Set(patterns)];
}
