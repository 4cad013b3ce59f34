/** What webhooks are told: every type of event, an example of each, and the fields of what it carries. */
import { type Document, jsonSchemaOf, type Operation, type Schema } from '../../src/http/docs-document.ts';
import { describe } from './fields.ts';
import { JSON_TEXT, literal } from './literals.ts';
import { block, code, prose, slugOf, table } from './markdown.ts';
import type { ReferencePage } from './pages.ts';

const TITLES: Readonly<Record<string, string>> = {
  email: 'Mail',
  domain: 'Domains',
  suppression: 'The suppression list',
  attention: 'What needs attention',
  canary: 'Canaries',
  webhook: 'Tests',
};

interface WebhookEvent {
  readonly type: string;
  readonly operation: Operation;
}

export function webhookEventsPage(document: Document): ReferencePage {
  const title = 'Webhook events';
  const events = Object.entries(document.webhooks ?? {}).map(([type, { post }]) => ({
    type,
    operation: post,
  }));
  const families = grouped(events, ({ type }) => type.split('.')[0] ?? '');
  const markdown = [
    `# ${title}`,
    ABOUT,
    ...[...families].flatMap(([name, members]) => familySection(name, members, document)),
  ].join('\n\n');
  return { path: 'reference/webhook-events', title, markdown: `${markdown}\n` };
}

const ABOUT = `Postrider posts each event to the [webhooks](webhooks.md) that subscribe to its type, and signs the request ([how to verify it, and when it is retried](../track/webhooks.md)). \
The examples are the events that a test of the type sends, with \`POST /webhooks/{id}/test\` or the button in the dashboard. Later versions can add types and fields: ignore those that you do not know.`;

function familySection(name: string, events: readonly WebhookEvent[], document: Document): string[] {
  const rows = events.map(({ type, operation }) => [
    `[${code(type)}](#${slugOf(type)})`,
    prose(operation.summary ?? ''),
  ]);
  return [
    `## ${TITLES[name] ?? name}`,
    table(['Type', 'When'], rows),
    ...fieldSections(events, document),
    ...events.flatMap(({ type, operation }) => [
      `### ${type}`,
      block('json', literal(operation.requestBody?.content?.['application/json']?.example, JSON_TEXT)),
    ]),
  ];
}

/** Fields that all types of a family share are listed once. */
function fieldSections(events: readonly WebhookEvent[], document: Document): string[] {
  const sections = grouped(events, ({ operation }) => {
    const data = dataOf(operation);
    return describe(withoutType(data), document, 'answer').tables.join('\n\n');
  });
  return [...sections].flatMap(([tables, members]) => {
    const types = members.map(({ type }) => code(type)).join(', ');
    const whose = sections.size === 1 ? '' : ` of ${types}`;
    return [`**\`data\`**${whose}, besides its \`type\`:`, tables];
  });
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? [];
    groups.set(keyOf(item), [...group, item]);
  }
  return groups;
}

function dataOf(operation: Operation): Schema {
  return jsonSchemaOf(operation.requestBody)?.properties?.data ?? {};
}

function withoutType(schema: Schema): Schema {
  const { type: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}
