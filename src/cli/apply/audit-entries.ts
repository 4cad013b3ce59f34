/** Records an operator's changes in the audit log under the same action names as the API. */
import type { OperatorAction } from '../audit.ts';
import type { MadeEntry } from './organization-api.ts';
import type { NamedChange } from './words.ts';

const NOUNS: Readonly<Record<NamedChange['kind'], string>> = {
  organization: 'organization',
  setting: 'settings',
  domain: 'domain',
  key: 'api_key',
  stream: 'stream',
  webhook: 'webhook',
  template: 'template',
  routes: 'routes',
};

/** `organizationId` is null for actions on the installation. */
export function auditEntryOf(
  organizationId: string | null,
  change: NamedChange,
  made: MadeEntry | null,
): OperatorAction {
  const { kind, name, fields } = change;
  const id = kind === 'organization' ? organizationId : (made?.id ?? change.id);
  return {
    organizationId,
    action: `${NOUNS[kind]}.${verbOf(change)}`,
    ...(id === null || kind === 'setting' ? {} : { targetId: id }),
    ...(kind === 'setting' || name === '' ? {} : { targetName: name }),
    // A template's texts are in its versions.
    details: kind === 'template' ? {} : fields,
  };
}

function verbOf({ action, kind, name, fields }: NamedChange): string {
  if (kind === 'setting') return `${name.replaceAll('-', '_')}_changed`;
  if (kind === 'routes') return 'changed';
  if (action === 'create') return 'created';
  if (action === 'remove') return kind === 'key' ? 'revoked' : 'deleted';
  if (kind === 'domain') return 'tracking_changed';
  return kind === 'organization' && fields.name === undefined ? 'limit_changed' : 'updated';
}
