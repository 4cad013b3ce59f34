/** Reads a file, and returns its content or all its problems with their lines. */
import { readFile, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { lazily } from '../../http/lazily.ts';
import { createValidatorCompiler } from '../../http/validation.ts';
import { joinField, Problems } from '../../runtime/problems.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { CliError } from '../command.ts';
import { type DocumentPath, parseYaml } from './document.ts';
import type { WantedState } from './entry.ts';
import {
  type InstallationFile,
  installationFile,
  type OrganizationFile,
  organizationFile,
} from './file-schema.ts';
import type { WantedRoutes } from './routes-plan.ts';
import { fillInVariables } from './variables.ts';
import { wantedOf } from './wanted.ts';

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
