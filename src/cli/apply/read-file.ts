/** Reads a file, and returns its content or all its problems with their lines. */
import { readFile, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import {
  Composer,
  type CST,
  isCollection,
  isMap,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  Parser,
} from 'yaml';
import { lazily } from '../../http/lazily.ts';
import { createValidatorCompiler } from '../../http/validation.ts';
import { joinField, Problems } from '../../runtime/problems.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { CliError } from '../command.ts';
import type { WantedState } from './entry.ts';
import {
  type InstallationFile,
  installationFile,
  type OrganizationFile,
  organizationFile,
} from './file-schema.ts';
import type { WantedRoutes } from './routes-plan.ts';
import { wantedOf } from './wanted-state.ts';

export interface WantedOrganization {
  readonly name: string;
  readonly id: string | undefined;
  readonly dailyLimit: number | undefined;
  readonly state: WantedState;
}

/** A file for one organization, whichever is the target, or for several organizations of an installation. */
export type ApplyFile = { readonly routes: WantedRoutes | null } & (
  | { readonly of: 'organization'; readonly state: WantedState }
  | { readonly of: 'installation'; readonly organizations: readonly WantedOrganization[] }
);

/** The default file name. */
export const APPLY_FILE = 'postrider.yaml';
/** The file may contain many templates inline. */
const MAX_BYTES = 8 * 1024 * 1024;

/** `given` contains the environment's variables. */
export async function readApplyFile(
  path: string,
  given: Readonly<Record<string, string>>,
): Promise<ApplyFile> {
  const document = parseYaml(await textOf(path));
  if (!document.ok) throw wrongFile([place(path, document.line, document.message)]);
  const { value, lineOf } = document;
  const problems = new Problems();
  const wrong: string[] = [];
  fillInVariables(value, given, problems);
  if (!problems.any) check(value, problems);
  const file = problems.any ? null : await understand(value, path, problems, wrong);
  const lines = problems.list.map(({ field, message }) =>
    place(path, lineOf(pathOf(field)), field === 'body' ? message : `${field}: ${message}`),
  );
  if (file === null || lines.length + wrong.length > 0) throw wrongFile([...lines, ...wrong]);
  return file;
}

async function textOf(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes; ${MAX_BYTES} are allowed`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    throw new CliError(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

function isOfInstallation(value: unknown): value is InstallationFile {
  if (typeof value !== 'object' || value === null) return false;
  return 'organizations' in value || isDeepStrictEqual(Object.keys(value), ['routes']);
}

const judges = lazily(() => {
  const compile = createValidatorCompiler();
  const judgeOf = (schema: TSchema) => compile({ schema, method: 'apply', url: 'file', httpPart: 'body' });
  return { installation: judgeOf(installationFile), organization: judgeOf(organizationFile) };
});

function check(value: unknown, problems: Problems): void {
  const { installation, organization } = judges();
  const result = isOfInstallation(value) ? installation(value) : organization(value);
  if (!('error' in result)) return;
  if (!(result.error instanceof ServiceError)) throw result.error;
  for (const { field, message } of result.error.problems) problems.add(field, message);
}

/** `problems` collects errors by field, `wrong` errors in template files. */
async function understand(
  value: unknown,
  path: string,
  problems: Problems,
  wrong: string[],
): Promise<ApplyFile> {
  const routes = routesIn(value as OrganizationFile);
  if (!isOfInstallation(value)) {
    const state = await wantedOf(value as OrganizationFile, { path, at: '', problems, wrong });
    return { of: 'organization', state, routes };
  }
  const organizations: WantedOrganization[] = [];
  const seen = new Map<string, number>();
  for (const [index, { name, id, daily_limit: dailyLimit, ...sections }] of (
    value.organizations ?? []
  ).entries()) {
    const at = `organizations[${index}]`;
    const first = seen.get(id ?? name.trim());
    if (first !== undefined) problems.add(joinField(at, 'name'), `is that of organizations[${first}], too`);
    seen.set(id ?? name.trim(), index);
    const state = await wantedOf(sections, { path, at, problems, wrong });
    organizations.push({ name: name.trim(), id, dailyLimit, state });
  }
  return { of: 'installation', organizations, routes };
}

/** The schema has validated the routes; checks that need the installation happen during planning. */
function routesIn({ routes }: Pick<OrganizationFile, 'routes'>): WantedRoutes | null {
  return routes === undefined ? null : (routes as WantedRoutes);
}

/** Splits `webhooks[0].url` into steps. */
function pathOf(field: string): DocumentPath {
  return [...field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
}

function place(path: string, line: number, message: string): string {
  return `${path}:${line}: ${message}`;
}

function wrongFile(problems: readonly string[]): CliError {
  return new CliError([...problems, 'Nothing was changed.'].join('\n'));
}

/** Limit for expanded aliases: a few lines could otherwise fill the memory. */
const MAX_ALIASES = 100;
/** Limit for every kind of nesting; the file format itself needs about ten levels. */
const MAX_NESTING = 50;

type DocumentPath = readonly (string | number)[];

type ParsedDocument =
  | { readonly ok: true; readonly value: unknown; readonly lineOf: (path: DocumentPath) => number }
  | { readonly ok: false; readonly line: number; readonly message: string };

/** A YAML text as plain values, with the line of each. */
export function parseYaml(text: string): ParsedDocument {
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const tokens = tokensOf(text, lines);
  if (tokens === null) return broken(lineAt(text.length), `is nested more than ${MAX_NESTING} deep`);
  const [document, another] = new Composer(OPTIONS).compose(tokens, true, text.length);
  if (document === undefined || another !== undefined)
    return broken(lineAt(another?.range[0] ?? 0), 'must be one document');
  const [wrong] = [...document.errors, ...document.warnings];
  if (wrong !== undefined) return broken(lineAt(wrong.pos[0]), wrong.message);
  try {
    // Values that JSON lacks (.nan, .inf) become null, as they would on their way to the API.
    const value: unknown = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES })));
    return { ok: true, value, lineOf: (path) => lineAt(offsetOf(document.contents, path)) };
  } catch (error) {
    return broken(1, (error as Error).message);
  }
}

const OPTIONS = { prettyErrors: false, stringKeys: true, merge: false, resolveKnownTags: false } as const;

function broken(line: number, message: string): ParsedDocument {
  return { ok: false, line, message };
}

/** Null when nested too deeply, because the next steps are recursive and would overflow the stack. */
function tokensOf(text: string, lines: LineCounter): CST.Token[] | null {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_NESTING) return null;
  }
  tokens.push(...parser.end());
  return tokens;
}

/** Offset of the name; of its parent when the name does not exist. */
function offsetOf(contents: Node | null, path: DocumentPath): number {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const step of path) {
    if (!isCollection(node)) break;
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
    const place = (pair === undefined ? node.get(step, true) : pair.key) as Node | undefined;
    if (place?.range == null) break;
    offset = place.range[0];
    node = pair === undefined ? place : pair.value;
  }
  return offset;
}

/**
 * Replaces `${NAME}` in the file, for values that differ between installations or are secret. Only
 * environment variables named `POSTRIDER_VAR_NAME` are read, so that a file cannot read other secrets of the
 * machine. They are replaced only in names of domains and tracking hosts, webhook URLs, and the addresses and
 * passwords of relays; elsewhere `${` is plain text.
 */

const VARIABLE_PREFIX = 'POSTRIDER_VAR_';

const FIELDS = { domains: 'domain', keys: 'domain', webhooks: 'url' } as const;

type Given = Readonly<Record<string, string>>;

/** `value` is the unvalidated file. Variables are replaced in place. */
function fillInVariables(value: unknown, given: Given, problems: Problems): void {
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
