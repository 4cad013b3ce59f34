/**
 * Replaces `${NAME}` in the file, for values that differ between installations or are secret. Only
 * environment variables named `POSTRIDER_VAR_NAME` are read, so that a file cannot read other secrets of the
 * machine. They are replaced only in names of domains and tracking hosts, webhook URLs, and the addresses and
 * passwords of relays; elsewhere `${` is plain text.
 */
import type { Problems } from '../../runtime/problems.ts';

const VARIABLE_PREFIX = 'POSTRIDER_VAR_';

const FIELDS = { domains: 'domain', keys: 'domain', webhooks: 'url' } as const;

type Given = Readonly<Record<string, string>>;

/** `value` is the unvalidated file. Variables are replaced in place. */
export function fillInVariables(value: unknown, given: Given, problems: Problems): void {
  const organizations = listIn(value, 'organizations');
  for (const [index, one] of organizations.entries())
    fillIn(one, `organizations[${index}].`, given, problems);
  fillIn(value, '', given, problems);
  fillInTransports(value, given, problems);
}

/** Passwords must come from variables, never from the file itself. */
function fillInTransports(value: unknown, given: Given, problems: Problems): void {
  const routes = isObject(value) ? value.routes : undefined;
  for (const [index, one] of listIn(routes, 'transports').entries()) {
    if (!isObject(one)) continue;
    const at = `routes.transports[${index}]`;
    if (typeof one.password === 'string' && !/^\$\{[^}]*\}$/.test(one.password))
      problems.add(`${at}.password`, `must be a variable, such as \${RELAY_PASSWORD}`);
    for (const field of ['url', 'password']) fillInField(one, field, `${at}.${field}`, given, problems);
  }
}

function fillIn(organization: unknown, at: string, given: Given, problems: Problems): void {
  for (const [section, field] of Object.entries(FIELDS)) {
    for (const [index, entry] of listIn(organization, section).entries()) {
      if (isObject(entry)) fillInField(entry, field, `${at}${section}[${index}].${field}`, given, problems);
    }
  }
  for (const [index, domain] of listIn(organization, 'domains').entries()) {
    const tracking = isObject(domain) ? domain.tracking : undefined;
    if (isObject(tracking))
      fillInField(tracking, 'host', `${at}domains[${index}].tracking.host`, given, problems);
  }
}

function fillInField(
  entry: Record<string, unknown>,
  field: string,
  place: string,
  given: Given,
  problems: Problems,
): void {
  const text = entry[field];
  if (typeof text !== 'string') return;
  entry[field] = text.replace(/\$\{([^}]*)\}/g, (_, name: string) => {
    const found = given[VARIABLE_PREFIX + name];
    if (found === undefined) problems.add(place, missing(name));
    return found ?? '';
  });
}

function missing(name: string): string {
  return /^[A-Z0-9_]+$/.test(name)
    ? `needs the environment variable ${VARIABLE_PREFIX}${name}`
    : 'has a variable whose name is not made of A-Z 0-9 _';
}

function listIn(value: unknown, name: string): unknown[] {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
