/**
 * Reads environment variables and collects their problems by variable name, with what to write instead.
 * Values of secrets never appear in a problem's text.
 */
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { databaseUrlProblem } from './database-url.ts';
import { hostNameOf } from './host-name.ts';

/** Leaves room for the prefixes of record names. */
const DOMAIN = /^(?=.{1,200}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

export type Env = Readonly<Record<string, string | undefined>>;

export class Reader {
  readonly problems: string[];
  readonly warnings: string[];
  readonly #env: Env;

  /** `problems` and `warnings` were found before. */
  constructor(env: Env, problems: readonly string[] = [], warnings: readonly string[] = []) {
    this.#env = env;
    this.problems = [...problems];
    this.warnings = [...warnings];
  }

  /** Returns the name under which a renamed variable is set. The old name is accepted for one release. */
  renamed(name: string, oldName: string): string {
    const [value, oldValue] = [this.text(name), this.text(oldName)];
    if (oldValue === undefined) return name;
    if (value !== undefined && value !== oldValue)
      this.problems.push(
        `${name} and ${oldName} are set to different values. ${oldName} is the old name of ${name}: remove ${oldName}.`,
      );
    this.warnings.push(
      `${oldName} is now called ${name}. Rename it: the old name is accepted for one release.`,
    );
    return value === undefined ? oldName : name;
  }

  /** An empty value counts as unset, because `VAR= npm start` is a common way to unset a variable. */
  text(name: string): string | undefined {
    const value = this.#env[name]?.trim();
    return value === '' ? undefined : value;
  }

  matching(name: string, pattern: RegExp, expected: string): string | undefined {
    const value = this.text(name);
    if (value !== undefined && !pattern.test(value)) this.#problem(name, `must be ${expected}`);
    return value;
  }

  /** Values never appear in a problem's text. */
  keys(name: string): readonly string[] | undefined {
    const expected = 'keys of at least 32 characters each, with spaces between them';
    return this.matching(name, /^\S{32,}(\s+\S{32,})*$/, expected)?.split(/\s+/);
  }

  /** `name=value` pairs, separated by commas. Values never appear in a problem's text. */
  headers(name: string): Readonly<Record<string, string>> {
    const one = `[\\w-]+=[^,\\r\\n]*`;
    const expected = 'headers such as authorization=Bearer token, with commas between them';
    const text = this.matching(name, new RegExp(`^${one}(,\\s*${one})*$`), expected) ?? '';
    const pairs = text.split(',').filter((pair) => pair.includes('='));
    return Object.fromEntries(
      pairs.map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
      }),
    );
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    return this.optionalInteger(name, min, max) ?? fallback;
  }

  optionalInteger(name: string, min: number, max: number): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    this.#problem(name, `must be a whole number from ${min} to ${max}, not "${value}"`);
    return undefined;
  }

  boolean(name: string, fallback: boolean): boolean {
    return this.optionalBoolean(name) ?? fallback;
  }

  optionalBoolean(name: string): boolean | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return undefined;
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    this.#problem(name, `must be true or false, not "${value}"`);
    return undefined;
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const found = allowed.find((one) => one === value);
    if (found === undefined) this.#problem(name, `must be ${allowed.join(' or ')}, not "${value}"`);
    return found ?? fallback;
  }

  /** A domain under which records can be published: A-labels, in lower case. */
  domain(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const domain = value.includes(':') ? null : hostNameOf(value);
    if (domain !== null && DOMAIN.test(domain)) return domain;
    this.#problem(name, `must be a domain such as example.org, not "${value}"`);
    return undefined;
  }

  domains(name: string): readonly string[] | undefined {
    const list = this.text(name)
      ?.toLowerCase()
      .split(/[\s,]+/)
      .filter((one) => one !== '');
    const wrong = list?.find((one) => !/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(one));
    if (wrong === undefined) return list;
    this.#problem(name, `must be domains such as example.com,*.example.org; "${wrong}" is none`);
    return undefined;
  }

  /** True, false, or networks such as 10.0.0.0/8. */
  networks(name: string): boolean | readonly string[] {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined || /^(true|false|1|0)$/.test(value)) return this.boolean(name, false);
    const list = value.split(/[\s,]+/).filter((one) => one !== '');
    const wrong = list.find((one) => !isNetwork(one));
    if (wrong === undefined) return list;
    this.#problem(name, `must be true, false, or networks such as 10.0.0.0/8,fd00::/8; "${wrong}" is none`);
    return false;
  }

  hosts(name: string): readonly string[] {
    const list = (this.text(name) ?? '').split(/[\s,]+/).filter((one) => one !== '');
    const names = list.map((one) => (one.startsWith('*.') ? belowOf(one.slice(2)) : hostNameOf(one)));
    const wrong = list.find((_, i) => names[i] === null);
    if (wrong !== undefined)
      this.#problem(name, `must be host names such as mail.example.org,*.example.org; "${wrong}" is none`);
    return names.filter((one) => one !== null);
  }

  url(name: string, protocols: readonly string[]): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    this.#problem(name, `must be a URL that starts with ${protocols.map((one) => `${one}//`).join(' or ')}`);
    return undefined;
  }

  /** `sessions` lists the `target_session_attrs` that the address may request. */
  databaseUrl(name: string, sessions: readonly string[]): string | undefined {
    const value = this.text(name);
    const problem = value === undefined ? null : databaseUrlProblem(value, sessions);
    if (problem === null) return value;
    this.#problem(name, problem);
    return undefined;
  }

  addresses(name: string): readonly string[] | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const list = value.split(',').map((one) => one.trim());
    const good = list.every((one) =>
      /^(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|\[[0-9a-f:]+\](:\d{1,5})?|[0-9a-f:]+)$/i.test(one),
    );
    if (!good) this.#problem(name, 'must be addresses such as 127.0.0.1:53,[::1]:53');
    return good ? list : undefined;
  }

  ipAddresses(name: string): readonly string[] | undefined {
    const list = this.text(name)
      ?.toLowerCase()
      .split(/[\s,]+/)
      .filter((one) => one !== '');
    const wrong = list?.find((one) => isIP(one) === 0 || one.includes('%'));
    if (wrong === undefined) return list;
    this.#problem(name, `must be IP addresses such as 192.0.2.10,2001:db8::10; "${wrong}" is none`);
    return undefined;
  }

  #problem(name: string, text: string): void {
    this.problems.push(`${name} ${text}.`);
  }
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
  if (isIPv4(address)) return Number(bits ?? 32) <= 32;
  return isIPv6(address) && !address.includes('%') && Number(bits ?? 128) <= 128;
}

function belowOf(text: string): string | null {
  const name = hostNameOf(text);
  return name === null ? null : `*.${name}`;
}
