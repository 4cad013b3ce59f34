/** Validates requests for a new key, from HTTP and from the command line. */

import { canonicalDomain, type DomainName } from '../../protocols/message/domain-name.ts';
import { findUnwritable } from '../../protocols/message/unsafe-text.ts';
import type { KeyPolicy, Scope } from '../../runtime/permissions.ts';
import type { Problem } from '../../runtime/service-error.ts';
import { parseDay, parseMoment } from '../../runtime/timestamp.ts';
import { parseKeyPolicy, type RequestedPolicy } from './policy.ts';

export const KEY_NAME_MAX = 200;
/** The least privilege; a wider scope must be requested. */
export const DEFAULT_SCOPE: Scope = 'send';

export interface KeyRequest {
  readonly name: string;
  readonly scope: Scope;
  readonly domain?: string | null;
  readonly expires_at?: string | null;
  readonly policy?: RequestedPolicy | null;
}

export interface NewKey {
  readonly name: string;
  readonly scope: Scope;
  readonly domain: DomainName | null;
  readonly expiresAt: Date | null;
  readonly policy?: KeyPolicy | null;
  /** For a replacement key: the key whose budget it continues. */
  readonly budgetOf?: string;
}

type ParsedKeyRequest =
  | { readonly ok: true; readonly key: NewKey }
  | { readonly ok: false; readonly problems: readonly Problem[] };

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

export function parseKeyRequest(asked: KeyRequest, nowMs: number): ParsedKeyRequest {
  const name = parseName(asked.name);
  const domain = parseDomain(asked.domain ?? null);
  const expiry = parseExpiry(asked.expires_at ?? null, nowMs);
  const policy = parseKeyPolicy(asked.scope, asked.policy ?? null);
  if (name.ok && domain.ok && expiry.ok && policy.ok) {
    const given = { name: name.value, scope: asked.scope, domain: domain.value, expiresAt: expiry.value };
    return { ok: true, key: { ...given, policy: policy.policy } };
  }
  const problems: Problem[] = [];
  if (!name.ok) problems.push({ field: 'name', message: name.message });
  if (!domain.ok) problems.push({ field: 'domain', message: domain.message });
  if (!expiry.ok) problems.push({ field: 'expires_at', message: expiry.message });
  if (!policy.ok) problems.push(...policy.problems);
  return { ok: false, problems };
}

export function parseName(text: string): Parsed<string> {
  const value = text.trim();
  if (value === '') return { ok: false, message: 'must not be empty' };
  // The cheap length check comes first, because a request may contain megabytes.
  if (value.length > 2 * KEY_NAME_MAX || [...value].length > KEY_NAME_MAX) {
    return { ok: false, message: `must be at most ${KEY_NAME_MAX} characters long` };
  }
  const unwritable = findUnwritable(value);
  if (unwritable !== null) {
    return { ok: false, message: `contains ${unwritable.codePoint}, which is not allowed there` };
  }
  return { ok: true, value };
}

export function parseDomain(text: string | null): Parsed<DomainName | null> {
  if (text === null) return { ok: true, value: null };
  const parsed = canonicalDomain(text);
  if (parsed.ok) return { ok: true, value: parsed.domain };
  return { ok: false, message: `is not a domain name: ${parsed.message.replace(/\.$/, '')}` };
}

/** A bare date includes its whole day: a key that expires on the 31st still works on the 31st. */
export function parseExpiry(text: string | null, nowMs: number): Parsed<Date | null> {
  if (text === null) return { ok: true, value: null };
  const ms = parseDay(text)?.lastMs ?? parseMoment(text);
  if (ms === null) {
    return { ok: false, message: 'must be an ISO 8601 date or date and time, such as 2030-12-31' };
  }
  return ms > nowMs ? { ok: true, value: new Date(ms) } : { ok: false, message: 'must be in the future' };
}
