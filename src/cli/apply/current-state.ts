/** The present state of an organization, in the file's format. */

import { SANDBOX_DOMAIN } from '../../domains/sandbox-domain.ts';
import { TRANSACTIONAL } from '../../emails/stream.ts';
import { GIVEN_KEY_NAMES } from '../../operations/bootstrap.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { minute } from '../table.ts';
import { type EntryFields, type EntryKind, type PresentEntry, plainJson, type WantedState } from './entry.ts';
import type {
  AppliedStream,
  DomainShown,
  KeyShown,
  OrganizationApi,
  TemplateShown,
  WebhookShown,
} from './organization-api.ts';
import { inOrderOfUse } from './template-order.ts';
import { toTranslations } from './template-translations.ts';

/** Entries used within this time are only removed with an explicit option. */
const LATELY_MS = 30 * DAY_MS;

/** The entries to compare: kinds with a section in the file, and the settings that the file names. */
export async function presentFor(
  api: OrganizationApi,
  wanted: WantedState,
  nowMs: number,
): Promise<PresentEntry[]> {
  const names = wanted.entries.filter(({ kind }) => kind === 'setting').map(({ name }) => name);
  // Keys and domains are loaded together: tied keys block the removal of a domain, and domains are needed to
  // tie keys.
  const kinds = new Set(wanted.kinds);
  if (kinds.has('domain')) kinds.add('key');
  if (kinds.has('key')) kinds.add('domain');
  const present = await presentOf(api, { kinds, settings: names }, nowMs);
  const sampled = wanted.entries.filter(({ fields }) => fields.sample_data !== undefined);
  const aliases = new Set(sampled.map(({ name }) => name));
  return withSamples(api, present, (alias) => aliases.has(alias));
}

/** Adds the sample data of templates, which takes a request for each. */
export async function withSamples(
  api: OrganizationApi,
  entries: readonly PresentEntry[],
  isWanted: (alias: string) => boolean,
): Promise<PresentEntry[]> {
  const found: PresentEntry[] = [];
  for (const entry of entries) {
    const { kind, name, id, fields } = entry;
    if (kind !== 'template' || !isWanted(name)) found.push(entry);
    else
      found.push({ ...entry, fields: { ...fields, sample_data: plainJson(await api.sampleOfTemplate(id)) } });
  }
  return found;
}

/** Sequential, to leave capacity for the API's other clients. */
export async function presentOf(
  api: OrganizationApi,
  { kinds, settings }: { readonly kinds: ReadonlySet<EntryKind>; readonly settings: readonly string[] },
  nowMs: number,
): Promise<PresentEntry[]> {
  const found: PresentEntry[] = [];
  for (const name of settings) found.push(settingEntry(name, await api.setting(name)));
  if (kinds.has('domain')) for (const domain of await api.domains()) found.push(domainEntry(domain));
  if (kinds.has('key'))
    found.push(
      ...(await api.keys()).filter((key) => isActive(key, nowMs)).map((key) => keyEntry(key, api, nowMs)),
    );
  if (kinds.has('stream')) found.push(...(await api.streams()).flatMap(streamEntry));
  if (kinds.has('webhook')) found.push(...(await api.webhooks()).map(webhookEntry));
  if (kinds.has('template')) found.push(...templateEntries(await api.templates()));
  return found;
}

/**
 * Looked up only for entries that would be removed, because the query is slow for a busy domain or many
 * templates.
 */
export async function withUse(
  api: OrganizationApi,
  entries: readonly PresentEntry[],
  nowMs: number,
): Promise<PresentEntry[]> {
  const asked: PresentEntry[] = [];
  for (const entry of entries) asked.push({ ...entry, use: entry.use ?? (await useOf(api, entry, nowMs)) });
  return asked;
}

async function useOf(
  api: OrganizationApi,
  { kind, name, id }: PresentEntry,
  nowMs: number,
): Promise<string | null> {
  if (kind === 'domain') {
    const last = await api.lastSentFrom(name);
    return last === null || last.getTime() < nowMs - LATELY_MS ? null : `it sent mail on ${minute(last)} UTC`;
  }
  if (kind === 'stream')
    return (await api.wasSentIn(name)) ? 'mail was sent in it in the last 30 days' : null;
  if (kind !== 'template') return null;
  const sends = await api.sendsOfTemplate(id);
  return sends === 0 ? null : `it was sent ${sends} times in the last 30 days`;
}

/** Translates the API's response fields to its request fields. */
function settingEntry(
  name: string,
  { problem: _, auto_validation_threshold: threshold, ...shown }: EntryFields,
): PresentEntry {
  const fields = threshold === undefined ? shown : { ...shown, threshold };
  return { kind: 'setting', name, id: name, fields, owner: null, use: null };
}

function domainEntry({ id, domain, tracking }: DomainShown): PresentEntry {
  const owner = domain === SANDBOX_DOMAIN ? 'it belongs to the sandbox' : null;
  const { track_opens = null, track_clicks = null, host = null } = tracking ?? {};
  const fields = { track_opens, track_clicks, host: host?.name ?? null };
  return { kind: 'domain', name: domain, id, fields, owner, use: null };
}

/** A rotated key expires, and another one with its name replaces it. */
function isActive({ revoked_at, expires_at, replaced_by = null }: KeyShown, nowMs: number): boolean {
  return (
    replaced_by === null &&
    revoked_at === null &&
    (expires_at === null || new Date(expires_at).getTime() > nowMs)
  );
}

function keyEntry(key: KeyShown, { ownKeyPrefix }: OrganizationApi, nowMs: number): PresentEntry {
  const { id, name, scope, domain, expires_at, last_used_at } = key;
  const usedAt = last_used_at === null ? null : new Date(last_used_at);
  const isUsed = usedAt !== null && usedAt.getTime() >= nowMs - LATELY_MS;
  return {
    kind: 'key',
    name,
    id,
    fields: { scope, domain, expires_at: expires_at === null ? null : new Date(expires_at).toISOString() },
    owner: ownerOfKey(key, ownKeyPrefix),
    use: isUsed ? `it was used on ${minute(usedAt)} UTC` : null,
  };
}

function ownerOfKey({ name, prefix }: KeyShown, ownKeyPrefix: string | null): string | null {
  if (prefix === ownKeyPrefix) return 'it is the key that this runs with';
  return GIVEN_KEY_NAMES.includes(name) ? 'it belongs to the configuration of the installation' : null;
}

/** Skips the default stream, which is the same everywhere. */
function streamEntry(stream: AppliedStream): PresentEntry[] {
  const { name, description, priority, messages_per_minute, messages_per_hour, built_in } = stream;
  if (name === TRANSACTIONAL) return [];
  const fields = { description, priority, messages_per_minute, messages_per_hour };
  return [{ kind: 'stream', name, id: name, fields, owner: built_in ? FOR_EVERYBODY : null, use: null }];
}

export const FOR_EVERYBODY = 'it is there for everybody';

function webhookEntry(webhook: WebhookShown): PresentEntry {
  const { id, url, description, event_types, streams = null, format, enabled } = webhook;
  const types = event_types?.toSorted() ?? null;
  return {
    kind: 'webhook',
    name: url,
    id,
    fields: { description, event_types: types, streams: streams?.toSorted() ?? null, format, enabled },
    owner: null,
    use: null,
  };
}

/**
 * Templates without an alias cannot be named in a file, so they are skipped. Templates that use others come
 * first, which is the order of removal.
 */
function templateEntries(templates: readonly TemplateShown[]): PresentEntry[] {
  const aliases = new Map(templates.map(({ id, alias }) => [id, alias ?? id]));
  return inOrderOfUse(templates.flatMap((template) => templateEntry(template, aliases))).toReversed();
}

function templateEntry(template: TemplateShown, aliases: ReadonlyMap<string, string>): PresentEntry[] {
  const { id, alias, name, kind = 'template', subject, html_body: html, text_body: text } = template;
  if (alias === null) return [];
  const layout = template.layout == null ? null : (aliases.get(template.layout) ?? template.layout);
  const { inline_css = false } = template;
  const outside = kind === 'template' ? { subject, layout, inline_css } : {};
  const variable_schema = plainJson(template.variable_schema);
  const translations = toTranslations(template.translations);
  const fields = { name, kind, ...outside, html, text, translations, variable_schema };
  return [{ kind: 'template', name: alias, id, fields, owner: null, use: null }];
}
