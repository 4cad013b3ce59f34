/** Parts of the route table as people type them: a line for each step. Pure. */
import type { Body, Data } from '@postrider/sdk';

export type Table = Data<'GET /routes'>;
export type Transport = Table['transports'][number];
export type Rule = Table['rules'][number];
export type WantedTable = Body<'PUT /routes'>;
export type WantedTransport = WantedTable['transports'][number];
export type WantedRule = WantedTable['rules'][number];

type Step = WantedRule['steps'][number];

/** What could not be read is told by its line. */
type Read<T> = { readonly ok: true; readonly value: T[] } | { readonly ok: false; readonly problem: string };

/** The table as it would be sent back unchanged. Passwords stay. */
export function wantedOf({ version, transports, rules }: Table): WantedTable {
  return { version, transports: transports.map(wantedTransport), rules: [...rules] };
}

function wantedTransport({ name, kind, sources, url, connections, messages_per_minute }: Transport) {
  if (kind === 'direct')
    return {
      ...{ name, kind },
      sources: sources.map(({ address, ehlo_name, weight, connections: most, warm_up }) => ({
        ...{ address, ehlo_name, weight, connections: most, warm_up },
      })),
    };
  return { name, kind, url: url ?? '', connections: connections ?? 1, messages_per_minute };
}

/** `pool 3, acme 1`: a step in a line. */
export function stepsText(steps: Rule['steps']): string {
  return steps.map(stepText).join('\n');
}

export function stepText({ choices }: Rule['steps'][number]): string {
  if (choices.length === 1) return choices[0]?.transport ?? '';
  return choices.map(({ transport, weight }) => `${transport} ${weight}`).join(', ');
}

export function parseSteps(text: string): Read<Step> {
  return readLines(text, (line) => {
    const choices: Step['choices'] = [];
    for (const part of line.split(',').map((one) => one.trim())) {
      const [, transport, weight] = /^(\S+)(?:\s+(\d+))?$/.exec(part) ?? [];
      if (transport === undefined)
        return `“${part}” is not a transport with its weight. Write, for example, pool 3.`;
      choices.push(weight === undefined ? { transport } : { transport, weight: Number(weight) });
    }
    return { choices };
  });
}

function readLines<T extends object>(text: string, read: (line: string) => T | string): Read<T> {
  const value: T[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const found = read(line.trim());
    if (typeof found === 'string') return { ok: false, problem: `Line ${index + 1}: ${found}` };
    value.push(found);
  }
  return { ok: true, value };
}

export const MATCH_FIELDS = [
  { field: 'providers', label: 'Recipient’s provider', example: 'google, microsoft', words: 'provider' },
  {
    field: 'recipient_domains',
    label: 'Recipient’s domain',
    example: 'example.net, *.example.org',
    words: 'to',
  },
  { field: 'sender_domains', label: 'Sender’s domain', example: 'shop.example', words: 'from' },
  { field: 'streams', label: 'Stream', example: 'bulk', words: 'stream' },
  { field: 'tags', label: 'Tag', example: 'kind:receipt', words: 'tag' },
  { field: 'organizations', label: 'Organization', example: 'org_99289pn4fcap7', words: 'organization' },
] as const;

export type MatchField = (typeof MATCH_FIELDS)[number]['field'];

export function matchOf(texts: Readonly<Record<MatchField, string>>): NonNullable<WantedRule['match']> {
  const given = MATCH_FIELDS.map(({ field }) => [field, listOf(texts[field])] as const);
  return Object.fromEntries(given.filter(([, values]) => values.length > 0));
}

function listOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((one) => one.trim())
    .filter(Boolean);
}

/** `provider google or microsoft, tag kind:receipt`. */
export function matchWords(match: Rule['match']): string {
  const told = MATCH_FIELDS.flatMap(({ field, words }) => {
    const values = match[field];
    return values === undefined ? [] : [`${words} ${values.join(' or ')}`];
  });
  return told.length === 0 ? 'all mail' : told.join(', ');
}
