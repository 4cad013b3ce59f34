/**
 * The API reference as Markdown: an index, and a page for each tag of the OpenAPI document. Pure; what it shows is what the document
 * says, so that it cannot be out of date.
 */
import { type Document, type Endpoint, endpointsByTag } from '../../src/http/docs-document.ts';
import { describe, objectHeading } from './fields.ts';
import { code, prose, slugOf, table } from './markdown.ts';
import {
  type ErrorLine,
  errorsOf,
  errorTable,
  type ReferenceOptions,
  renderOperation,
  titleOf,
} from './operation.ts';
import { webhookEventsPage } from './webhook-events.ts';

export interface ReferencePage {
  /** Of the site, without an ending: `reference/emails`. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

/** The page of errors has a heading for each code. */
const DEFAULTS: ReferenceOptions = { errorLink: (name) => `../reference/errors.md#${slugOf(name)}` };

export function referencePages(document: Document, options: ReferenceOptions = DEFAULTS): ReferencePage[] {
  const groups = [...endpointsByTag(document)];
  const common = commonErrors(groups.flatMap(([, endpoints]) => endpoints));
  return [
    indexPage(document, groups, common, options),
    webhookEventsPage(document),
    ...groups.map(([tag, endpoints]) => tagPage(tag, endpoints, document, common, options)),
  ];
}

/** What any operation may answer is said once. */
function commonErrors(endpoints: readonly Endpoint[]): ErrorLine[] {
  const all = endpoints.map(({ operation }) => errorsOf(operation));
  const counts = new Map<string, number>();
  for (const errors of all) for (const one of errors) counts.set(one.code, (counts.get(one.code) ?? 0) + 1);
  return (all[0] ?? []).filter((one) => counts.get(one.code) === all.length);
}

function indexPage(
  document: Document,
  groups: readonly (readonly [string, readonly Endpoint[]])[],
  common: readonly ErrorLine[],
  options: ReferenceOptions,
): ReferencePage {
  const title = 'API reference';
  const lists = groups.map(([tag, endpoints]) => {
    const rows = endpoints.map(({ method, path, operation }) => [
      `[${prose(titleOf(operation))}](${slugOf(tag)}.md#${slugOf(titleOf(operation))})`,
      code(`${method} ${path}`),
    ]);
    return `## [${prose(tag)}](${slugOf(tag)}.md)\n\n${table(['Operation', 'Request'], rows)}`;
  });
  const markdown = [
    `# ${title}`,
    document.info.description ?? '',
    BESIDE,
    `Paths begin at \`/api/v1\` of your installation. The same reference as an OpenAPI document is at \`/openapi.json\`.`,
    HOW_TO_RUN,
    '## Errors of every operation',
    errorTable(common, options),
    ...lists,
  ].join('\n\n');
  return { path: 'reference/index', title, markdown: `${markdown}\n` };
}

/** The pages of the reference that are written by hand, in the order of the menu. */
const BESIDE = `Beside the endpoints below:

- [API conventions](../reference/conventions.md): authentication, the format of responses, times, pages of a list
- [Errors and limits](../reference/errors.md): every code with its cause and its cure, rate limits and sending limits
- [Webhook events](webhook-events.md): the body of each event that a webhook receives
- [Command line](../reference/cli.md): every command with its options and an example
- [Guarantees](../reference/guarantees.md): what a 201 promises, and what is not guaranteed
- [Client for JavaScript and TypeScript](../../sdk/README.md)
- [Client for Python](../../clients/python/README.md)
- [Client for PHP](../../clients/php/README.md)
- [Security](../../SECURITY.md): the security model, and how to report a vulnerability
- [Changelog](../../CHANGELOG.md): what each version changes`;

const HOW_TO_RUN = `The examples run as they are, with the address of your installation and a key in the environment; replace the ids \
in them with your own. Requests that only signed-in people may make need the value of their session cookie instead.

\`\`\`sh
export POSTRIDER_URL=https://mail.example.org
export POSTRIDER_API_KEY=pr_…
export POSTRIDER_SESSION=…  # of the cookie postrider_session
\`\`\`

JavaScript and Python use [our](../../sdk/README.md) [clients](../../clients/python/README.md); the examples in PHP, Go and Ruby need no
packages. There is a [client for PHP](../../clients/php/README.md) as well.`;

function tagPage(
  tag: string,
  endpoints: readonly Endpoint[],
  document: Document,
  common: readonly ErrorLine[],
  options: ReferenceOptions,
): ReferencePage {
  const codes = new Set(common.map((one) => one.code));
  const operations = endpoints.map((endpoint) => renderOperation(endpoint, document, codes, options));
  const objects = objectSections(
    operations.flatMap(({ names }) => names),
    document,
  );
  const parts = [`# ${prose(tag)}`, ...operations.map(({ markdown }) => markdown), ...objects];
  return { path: `reference/${slugOf(tag)}`, title: tag, markdown: `${parts.join('\n\n')}\n` };
}

/** Every object that the page links to, and those that they link to. */
function objectSections(linked: readonly string[], document: Document): string[] {
  const sections = new Map<string, string>();
  const waiting = [...linked];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const schema = document.components?.schemas?.[name];
    if (sections.has(name) || schema === undefined) continue;
    const { tables, names } = describe(schema, document, 'either');
    const about = schema.description === undefined ? [] : [prose(schema.description)];
    sections.set(name, [`## ${objectHeading(name)}`, ...about, ...tables].join('\n\n'));
    waiting.push(...names);
  }
  return [...sections].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
}
