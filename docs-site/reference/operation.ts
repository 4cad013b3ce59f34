/** One operation of the reference. */
import {
  type Document,
  type Endpoint,
  jsonSchemaOf,
  type Operation,
  type Response,
} from '../../src/http/docs-document.ts';
import { describe, notesOf, typeText } from './fields.ts';
import { JSON_TEXT, literal } from './literals.ts';
import { block, code, prose, table } from './markdown.ts';
import { exampleRequest } from './request.ts';
import { codeGroup } from './snippets.ts';

export interface ReferenceOptions {
  /** Where an error code is explained, as seen from a page of the reference. */
  readonly errorLink: (code: string) => string;
}

export interface ErrorLine {
  readonly status: string;
  readonly code: string;
  readonly sentence: string;
}

interface OperationText {
  readonly markdown: string;
  /** Objects with a name that it links to. */
  readonly names: readonly string[];
}

export function titleOf({ summary, operationId }: Operation): string {
  return summary ?? operationId;
}

export function renderOperation(
  endpoint: Endpoint,
  document: Document,
  commonCodes: ReadonlySet<string>,
  options: ReferenceOptions,
): OperationText {
  const { method, path, operation } = endpoint;
  const body = bodySection(operation, document);
  const responses = responseSections(operation, document);
  const own = errorsOf(operation).filter((one) => !commonCodes.has(one.code));
  const parts = [
    `## ${prose(titleOf(operation))}`,
    code(`${method} ${path}`),
    ...(operation.deprecated ? ['**Deprecated.**'] : []),
    [prose(operation.description ?? ''), whoMay(operation)].filter(Boolean).join(' '),
    ...parametersSection(operation, document),
    ...body.parts,
    '**Example**',
    codeGroup(exampleRequest(endpoint, document)),
    ...responses.parts,
    errorsSection(own, options),
  ];
  return { markdown: parts.filter(Boolean).join('\n\n'), names: [...body.names, ...responses.names] };
}

function whoMay(operation: Operation): string {
  if (operation.security?.length === 0) return 'No key needed.';
  const access: Readonly<Record<string, string>> = {
    owner: 'For owners of the organization, signed in.',
    operator: 'For operators of the installation: owners of its first organization, signed in.',
    self: 'For every user who is signed in.',
    member: 'For owners and members of the organization, signed in.',
  };
  if (operation['x-access'] !== undefined) return access[operation['x-access']] ?? '';
  const scopes = (operation['x-scopes'] ?? []).map(code).join(', ');
  return `For keys with scope ${scopes}${operation['x-tied'] ? '' : ', not tied to a domain'}.`;
}

function parametersSection({ parameters = [] }: Operation, document: Document): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, in: place, required, description, schema = {} }) => [
    code(name),
    `in the ${place}`,
    `${typeText(schema)}${required ? ', **required**' : ''}`,
    notesOf({ ...schema, ...(description === undefined ? {} : { description }) }, document),
  ]);
  return ['**Parameters**', table(['Name', 'Where', 'Type', 'Notes'], rows)];
}

interface Section {
  readonly parts: readonly string[];
  readonly names: readonly string[];
}

function bodySection({ requestBody }: Operation, document: Document): Section {
  const schema = jsonSchemaOf(requestBody);
  if (schema === undefined) return { parts: [], names: [] };
  const others = Object.keys(requestBody?.content ?? {}).filter((media) => media !== 'application/json');
  const { tables, names } = describe(schema, document, 'request');
  const title = `**Body** ${['application/json', ...others].map(code).join(' or ')}`;
  return { parts: [title, ...tables], names };
}

function responseSections({ responses = {} }: Operation, document: Document): Section {
  const sections = Object.entries(responses)
    .filter(([status]) => status < '400')
    .map(([status, response]) => responseSection(status, response, document));
  return {
    parts: sections.flatMap(({ parts }) => parts),
    names: sections.flatMap(({ names }) => names),
  };
}

/** What stands there where nobody wrote anything. */
const SAYS_NOTHING = /^(Default Response|Success)$/;

function responseSection(status: string, response: Response, document: Document): Section {
  const [media = '', content] = Object.entries(response.content ?? {})[0] ?? [];
  const about = SAYS_NOTHING.test(response.description ?? '') ? '' : prose(response.description ?? '');
  const title = [`**Response** ${code(status)}`, about].filter(Boolean).join(': ');
  if (media !== 'application/json') {
    const example = content?.example === undefined ? [] : [block('text', String(content.example).trimEnd())];
    return { parts: [media === '' ? title : `${title} (${code(media)})`, ...example], names: [] };
  }
  const { tables, names } = describe(content?.schema ?? {}, document, 'answer');
  const example = block('json', literal(content?.example, JSON_TEXT));
  return { parts: [title, example, ...tables], names };
}

/** An operation's description of a status has a line for each code. */
export function errorsOf({ responses = {} }: Operation): ErrorLine[] {
  return Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([status, { description = '' }]) =>
      description.split('\n').map((line) => {
        const [, name = '', sentence = line] = /^([A-Z_]+): (.*)$/.exec(line) ?? [];
        return { status, code: name, sentence };
      }),
    );
}

function errorsSection(own: readonly ErrorLine[], options: ReferenceOptions): string {
  const common = 'the [errors of every operation](index.md#errors-of-every-operation)';
  if (own.length === 0) return `**Errors** None but ${common}.`;
  return `**Errors** Besides ${common}:\n\n${errorTable(own, options)}`;
}

export function errorTable(errors: readonly ErrorLine[], { errorLink }: ReferenceOptions): string {
  const rows = errors.map((one) => [
    one.status,
    `[${code(one.code)}](${errorLink(one.code)})`,
    prose(one.sentence),
  ]);
  return table(['Status', 'Code', 'Means'], rows);
}
