/** An example value for a field whose schema gives none: chosen by name, and only if the schema allows it. */
import type { Schema } from './docs-document.ts';
import { CHARACTERS, EMAIL_ID, FIELD_VALUES } from './example-fields.ts';

/**
 * The owner of a field: the named schema with the fields in between (`Me.user`), and the resource of the
 * whole response.
 */
export interface ExampleOwner {
  readonly owner: string;
  readonly noun: string;
}

export function exampleValue(schema: Schema, name: string, { owner, noun }: ExampleOwner): unknown {
  const prefix = /[Ss]tarts with `([a-z]+_)`/.exec(schema.description ?? '')?.[1];
  if (prefix !== undefined && fits('', schema)) return prefix + CHARACTERS;
  const around = owner.split('.').at(-1) ?? '';
  const candidates =
    name === 'id'
      ? [idFor(owner) ?? idFor(noun) ?? EMAIL_ID]
      : [FIELD_VALUES[`${owner}.${name}`], FIELD_VALUES[`${around}.${name}`], FIELD_VALUES[name]];
  return candidates.find((value) => value !== undefined && fits(value, schema));
}

export function examplePathValue(path: string, name: string): string {
  if (name !== 'id' && name !== 'name') return String(FIELD_VALUES[name] ?? '1');
  const noun = nounOf(path);
  return noun === 'canaries' ? 'new-relay' : (idFor(noun) ?? EMAIL_ID);
}

/** The resource of a path: the segment before its first id, or its first segment. */
export function nounOf(path: string): string {
  const [before = '', after] = path.split('/{');
  return before.split('/').at(after === undefined ? 1 : -1) ?? '';
}

function idFor(owner: string): string | undefined {
  const prefix = PREFIXES.find(([pattern]) => pattern.test(owner))?.[1];
  if (prefix === 'org_') return `org_99289pn4fcap7`;
  return prefix === undefined ? undefined : prefix + CHARACTERS;
}

/** Id prefixes by the name of a schema or path segment. Everything else has a UUID. */
const PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/^(api-keys|\w*ApiKey|RequestLogEntry\.caller)$/, 'key_'],
  [/^(organizations?|Organization|Membership|ThrowAwayOrganization|Me\.organizations?)$/, 'org_'],
  [/^(domains|NewDomain|Domain|Attention)$/, 'dom_'],
  [/^(templates|Template\w*)$/, 'tmpl_'],
  [/^(webhooks|Webhook|WebhookWithSecret)$/, 'whk_'],
  [/^(members|Member|RemovedMember|Me\.user|AuditEntry\.actor)$/, 'usr_'],
  [/^(invites|Invite|NewInvite)$/, 'inv_'],
  [/^(suppressions|Suppression)$/, 'sup_'],
  [/^(imports|SuppressionImport)$/, 'imp_'],
  [/^(Event|StreamEvent|WebhookDelivery\w*)$/, 'evt_'],
  [/^(holds|Hold\w*)$/, 'hold_'],
  [/^(undos|Undo)$/, 'undo_'],
  [/^(sites|Site)$/, 'site_'],
];

function fits(value: unknown, schema: Schema): boolean {
  if (value === null && schema.enum?.includes(null)) return true;
  if (schema.$ref !== undefined || schema.enum !== undefined || schema.const !== undefined) return false;
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.some((branch) => fits(value, branch));
  const types = [schema.type].flat();
  if (value === null) return types.includes('null');
  if (Array.isArray(value))
    return types.includes('array') && value.every((one) => fits(one, schema.items ?? {}));
  if (typeof value === 'number')
    return (
      types.includes('number') ||
      (types.includes('integer') && Number.isInteger(value) && value <= (schema.maximum ?? value))
    );
  if (typeof value === 'string')
    return (
      types.includes('string') &&
      value.length <= (schema.maxLength ?? value.length) &&
      (schema.format !== 'date-time' || value.includes('T'))
    );
  return types.includes(typeof value);
}
