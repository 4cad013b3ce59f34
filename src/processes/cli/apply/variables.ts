/**
 * `${NAME}` in the file: what differs between installations, or is nobody's business. Only variables of the environment that
 * are called `POSTRIDER_VAR_NAME` are read, so that no file can get at other secrets of the machine that applies it, and
 * only in names of domains and addresses of webhooks: elsewhere `${` is text.
 */
import type { Problems } from '../../../kit/problems.ts';

const VARIABLE_PREFIX = 'POSTRIDER_VAR_';

const FIELDS = { domains: 'domain', keys: 'domain', webhooks: 'url' } as const;

type Given = Readonly<Record<string, string>>;

/** `value`: the file, not checked yet. Fields that hold variables are replaced in it. */
export function fillInVariables(value: unknown, given: Given, problems: Problems): void {
  const organizations = listIn(value, 'organizations');
  for (const [index, one] of organizations.entries())
    fillIn(one, `organizations[${index}].`, given, problems);
  fillIn(value, '', given, problems);
}

function fillIn(organization: unknown, at: string, given: Given, problems: Problems): void {
  for (const [section, field] of Object.entries(FIELDS)) {
    for (const [index, entry] of listIn(organization, section).entries()) {
      if (!isObject(entry) || typeof entry[field] !== 'string') continue;
      const place = `${at}${section}[${index}].${field}`;
      entry[field] = entry[field].replace(/\$\{([^}]*)\}/g, (_, name: string) => {
        const found = given[VARIABLE_PREFIX + name];
        if (found === undefined) problems.add(place, missing(name));
        return found ?? '';
      });
    }
  }
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
