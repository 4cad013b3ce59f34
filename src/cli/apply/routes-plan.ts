/** Plans and applies the route table of a file. A file with routes replaces the whole table. */
import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../database/database.ts';
import {
  previewTable,
  type RoutingDeps,
  replaceTable,
  type WantedTable,
  type WantedTransport,
} from '../../routing/service.ts';
import { readStoredTable } from '../../routing/store.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { CliError } from '../command.ts';
import type { EntryFields } from './entry.ts';
import type { NamedChange } from './plan-text.ts';

export type WantedRoutes = Omit<WantedTable, 'version'>;

export interface RoutesPlan {
  /** Null when nothing changes. */
  readonly change: NamedChange | null;
  /** Relative to the version that was compared. */
  readonly wanted: WantedTable;
}

/** The route table of the installation on this machine. */
export interface RoutesHere {
  plan(wanted: WantedRoutes): Promise<RoutesPlan>;
  replace(wanted: WantedTable): Promise<void>;
  /** The table in the file's format without passwords; null for an empty table. */
  read(): Promise<WantedRoutes | null>;
}

/** `open` loads the secret key, which only files with routes need. */
export function routesHere(db: Database, open: () => Promise<RoutingDeps>): RoutesHere {
  return {
    plan: async (wanted) => planRoutes(await open(), wanted).catch(refuseByName),
    replace: async (wanted) => {
      await replaceTable(await open(), wanted);
    },
    read: () => routesShown(db),
  };
}

/** Errors in the file's table are shown with their position in the file and without a stack. */
function refuseByName(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  const places = error.problems.map(({ field, message }) => `routes.${field}: ${message}`);
  throw new CliError(places.length === 0 ? error.message : places.join('\n'));
}

async function planRoutes(deps: RoutingDeps, routes: WantedRoutes): Promise<RoutesPlan> {
  const { before, after } = await previewTable(deps, routes);
  const wanted = { version: before.version, ...routes };
  const transportsOf = (table: typeof before) =>
    table.transports.map((one) => one.transport).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const newPasswords = routes.transports.filter((one) => hasNewPassword(deps, one, before));
  const fields: EntryFields = {
    ...(isDeepStrictEqual(transportsOf(before), transportsOf(after))
      ? {}
      : { transports: after.transports.map(({ transport }) => transport.name) }),
    ...(isDeepStrictEqual(before.rules, after.rules) ? {} : { rules: after.rules.length }),
    ...(newPasswords.length === 0 ? {} : { new_passwords: newPasswords.map(({ name }) => name) }),
  };
  const isSame = Object.keys(fields).length === 0;
  return { wanted, change: isSame ? null : { action: 'change', kind: 'routes', name: '', id: null, fields } };
}

/** Whether the file sets a password other than the stored one. */
function hasNewPassword(
  { box }: RoutingDeps,
  wanted: WantedTransport,
  before: Awaited<ReturnType<typeof readStoredTable>>,
): boolean {
  if (wanted.kind === 'direct' || wanted.password === undefined) return false;
  const sealed = before.transports.find(({ transport }) => transport.name === wanted.name)?.sealedPassword;
  return sealed == null || box.open(wanted.name, sealed).toString() !== wanted.password;
}

async function routesShown(db: Database): Promise<WantedRoutes | null> {
  const { transports, rules } = await readStoredTable(db);
  if (transports.length + rules.length === 0) return null;
  const withoutNulls = (value: object) =>
    Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
  return {
    transports: transports.map(({ transport: { kind, name, ...settings } }) => {
      const sources = 'sources' in settings ? { sources: settings.sources.map(withoutNulls) } : {};
      return { name, kind, ...withoutNulls(settings), ...sources } as WantedTransport;
    }),
    rules: rules.map((rule) => withoutNulls(rule) as unknown as WantedTable['rules'][number]),
  };
}
