/** The file's content for an organization, in a comparable form. */

import { parseExpiry } from '../../accounts/api-keys/validate-key.ts';
import { parseDomainName } from '../../domains/name.ts';
import { hostBelow } from '../../domains/tracking/host-name.ts';
import { clickTrackingOf } from '../../emails/email.ts';
import { canonicalDisposableDomains } from '../../organizations/settings/disposable-domains.ts';
import { canonicalAllowList } from '../../organizations/settings/guard.ts';
import { canonicalDomain } from '../../protocols/message/domain-name.ts';
import { joinField, type Problems } from '../../runtime/problems.ts';
import { builtIn } from '../../streams/stream.ts';
import { ALONE } from '../../template-language/pieces.ts';
import { compileInTurns } from '../../template-language/template.ts';
import { checkVariableSchema, type VariableSchema } from '../../template-language/variable-schema.ts';
import type { TemplateKind } from '../../templates/kind.ts';
import { includesAnyType, subscribedTypes } from '../../webhooks/endpoints/formats.ts';
import { publicType, storedType } from '../../webhooks/endpoints/view.ts';
import {
  ENTRY_KINDS,
  type EntryFields,
  plainJson,
  SECTIONS,
  type WantedEntry,
  type WantedState,
} from './entry.ts';
import type { OrganizationFile } from './file-schema.ts';
import { readTemplateFile } from './template-files.ts';
import { inOrderOfUse } from './template-order.ts';
import { toTranslations } from './template-translations.ts';

/** The position in the file and the collector of problems. */
interface FileReading {
  readonly path: string;
  readonly at: string;
  readonly problems: Problems;
  /** Problems in other files, one line each with its position. */
  readonly wrong: string[];
}

type Entry<Section extends 'domains' | 'keys' | 'streams' | 'webhooks' | 'templates'> = NonNullable<
  OrganizationFile[Section]
>[number];

/** The schema has already validated all fields. */
export async function wantedOf(file: OrganizationFile, reading: FileReading): Promise<WantedState> {
  const { settings = {}, domains = [], keys = [], streams = [], webhooks = [], templates = [] } = file;
  const entries: WantedEntry[] = [
    ...Object.entries(settings).map(([name, fields]) => settingEntry(name, fields, reading)),
    ...domains.map((domain, index) =>
      domainEntry(domain, { ...reading, at: placeOf(reading, 'domain', index) }),
    ),
    ...keys.map((key, index) => keyEntry(key, { ...reading, at: placeOf(reading, 'key', index) })),
    ...streams.map(streamEntry),
    ...webhooks.map((webhook, index) =>
      webhookEntry(webhook, { ...reading, at: placeOf(reading, 'webhook', index) }),
    ),
  ];
  const ours: WantedEntry[] = [];
  for (const [index, template] of templates.entries()) {
    ours.push(await templateEntry(template, { ...reading, at: placeOf(reading, 'template', index) }));
  }
  refuseRepeated([...entries, ...ours], reading);
  const kinds = new Set(ENTRY_KINDS.filter((kind) => file[SECTIONS[kind]] !== undefined));
  return { kinds, entries: [...entries, ...inOrderOfUse(ours)] };
}

function placeOf(
  { at }: FileReading,
  kind: 'domain' | 'key' | 'stream' | 'webhook' | 'template',
  index: number,
): string {
  return joinField(at, `${SECTIONS[kind]}[${index}]`);
}

function settingEntry(name: string, fields: EntryFields, { at, problems }: FileReading): WantedEntry {
  if (name === 'guard') return { kind: 'setting', name, fields: guardFields(fields, { at, problems }) };
  if (name !== 'validation') return { kind: 'setting', name, fields };
  const lists = Object.entries(fields).map(([field, given]) => {
    const place = joinField(at, `settings.validation.${field}`);
    return [field, canonicalDisposableDomains(place, given as string[], problems)];
  });
  return { kind: 'setting', name, fields: Object.fromEntries(lists) };
}

function guardFields(
  { allow, ...rest }: EntryFields,
  { at, problems }: Pick<FileReading, 'at' | 'problems'>,
): EntryFields {
  if (allow === undefined) return rest;
  const place = joinField(at, 'settings.guard.allow');
  return { ...rest, allow: canonicalAllowList(place, allow as string[], problems) };
}

/** Missing tracking settings stay unchanged; null resets them. */
function domainEntry(
  { domain, tracking = {} }: Entry<'domains'>,
  { at, problems }: FileReading,
): WantedEntry {
  const name = canonicalName(domain);
  const { track_clicks: clicks, host, ...rest } = tracking;
  const below = typeof host === 'string' ? hostBelow(name, host) : null;
  if (below?.ok === false) problems.add(joinField(at, 'tracking.host'), below.message);
  const fields = {
    ...rest,
    ...(clicks === undefined ? {} : { track_clicks: clicks === null ? null : clickTrackingOf(clicks) }),
    ...(host === undefined ? {} : { host: below?.ok ? below.host : null }),
  };
  return { kind: 'domain', name, fields };
}

function canonicalName(domain: string): string {
  const parsed = parseDomainName(domain);
  return parsed.ok ? parsed.domain : domain;
}

function keyEntry(
  { name, scope = 'send', domain = null, expires_at = null, policy }: Entry<'keys'>,
  { at, problems }: FileReading,
): WantedEntry {
  if (policy !== undefined)
    problems.add(
      joinField(at, 'policy'),
      'cannot be set by a file, and without it the key may send anything: create this key with POST /api-keys',
    );
  const tied = domain === null ? null : canonicalDomain(domain);
  const expiry = parseExpiry(expires_at, 0);
  const fields = {
    scope,
    domain: tied?.ok ? tied.domain : domain,
    expires_at: (expiry.ok && expiry.value?.toISOString()) || null,
  };
  return { kind: 'key', name: name.trim(), fields };
}

function streamEntry({ name, ...given }: Entry<'streams'>): WantedEntry {
  // A built-in stream keeps its properties except those in the file.
  const { description = builtIn(name)?.description ?? null } = given;
  const { priority = builtIn(name)?.priority ?? 'normal' } = given;
  const { messages_per_minute = null, messages_per_hour = null } = given;
  const fields = { description, priority, messages_per_minute, messages_per_hour };
  return { kind: 'stream', name, fields };
}

/**
 * `enabled` stays unchanged unless the file sets it: a webhook that failed for days was disabled
 * automatically.
 */
function webhookEntry(given: Entry<'webhooks'>, { at, problems }: FileReading): WantedEntry {
  const {
    url,
    description = null,
    event_types = null,
    streams = null,
    format = 'postrider',
    enabled,
  } = given;
  const types = event_types?.map(storedType) ?? null;
  if (!includesAnyType(format, types))
    problems.add(
      joinField(at, 'event_types'),
      `names no event that the format ${format} can express: choose other events`,
    );
  const fields = {
    description,
    event_types: subscribedTypes(format, types)?.map(publicType).toSorted() ?? null,
    streams: streams?.toSorted() ?? null,
    format,
    ...(enabled === undefined ? {} : { enabled }),
  };
  return { kind: 'webhook', name: url, fields };
}

async function templateEntry(given: Entry<'templates'>, reading: FileReading): Promise<WantedEntry> {
  const { alias, name, kind = 'template', layout = null, html_file, text_file, variable_schema = [] } = given;
  const { subject = '', inline_css = false, sample_data } = given;
  const translations = toTranslations(given.translations);
  if (kind === 'template' && subject === '') reading.problems.missing(joinField(reading.at, 'subject'));
  const html = await textOf(given.html, 'html_file', html_file, reading);
  const text = await textOf(given.text, 'text_file', text_file, reading);
  const texts = { subject, html, text, variable_schema, kind };
  await compileOrSay(texts, { html: html_file, text: text_file }, reading);
  // Only templates for sending have a subject and a layout.
  const outside = kind === 'template' ? { subject, layout, inline_css } : {};
  // Previews alone use it, and people change it in the dashboard: a file without it leaves it alone.
  const sample = sample_data === undefined ? {} : { sample_data: plainJson(sample_data) };
  return {
    kind: 'template',
    name: alias,
    fields: { name, kind, ...outside, html, text, translations, variable_schema, ...sample },
  };
}

async function textOf(
  text: string | undefined,
  field: string,
  file: string | undefined,
  { path, at, problems }: FileReading,
): Promise<string> {
  if (file === undefined) return text ?? '';
  const found = await readTemplateFile(path, file);
  if (found.ok) return found.text;
  problems.add(joinField(at, field), found.message);
  return '';
}

interface TemplateTexts {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly variable_schema: readonly unknown[];
  readonly kind: TemplateKind;
}

/** Compiles like the API does on save, without the partials and layouts that only the server has. */
async function compileOrSay(
  { variable_schema, kind, ...texts }: TemplateTexts,
  files: Readonly<Record<string, string | undefined>>,
  { at, problems, wrong }: FileReading,
): Promise<void> {
  for (const { field, message } of checkVariableSchema(variable_schema as VariableSchema))
    problems.add(joinField(at, field), message);
  const compiled = await compileInTurns(texts, { ...ALONE, isLayout: kind === 'layout' });
  for (const { code, part, line, column, message } of compiled.ok ? [] : compiled.errors) {
    if (code === 'unknown_partial') continue;
    const file = files[part];
    if (file !== undefined) wrong.push(`${file}:${line}:${column}: ${message}`);
    else problems.add(joinField(at, part), `line ${line}, column ${column}: ${message}`);
  }
}

function refuseRepeated(entries: readonly WantedEntry[], reading: FileReading): void {
  for (const kind of ['domain', 'key', 'stream', 'webhook', 'template'] as const) {
    const names = entries.filter((entry) => entry.kind === kind).map(({ name }) => name);
    for (const [index, name] of names.entries()) {
      const first = names.indexOf(name);
      if (first < index)
        reading.problems.add(placeOf(reading, kind, index), `is ${SECTIONS[kind]}[${first}] again: ${name}`);
    }
  }
}
