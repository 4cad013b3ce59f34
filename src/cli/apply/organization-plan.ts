/** Plans a file for a place: the changes of each organization. */
import { CliError, EXIT_USAGE } from '../command.ts';
import { presentFor, withUse } from './current-state.ts';
import type { PresentEntry, WantedState } from './entry.ts';
import type { OrganizationApi } from './organization-api.ts';
import { type EntryPlan, type PruneOptions, planChanges } from './plan.ts';
import type { NamedChange } from './plan-text.ts';
import type { ApplyFile, WantedOrganization } from './read-file.ts';
import type { RoutesPlan } from './routes-plan.ts';
import type { ApplyPlace, OrganizationHere } from './target.ts';

export interface OrganizationPlan {
  /** Null for an organization to be created. */
  readonly id: string | null;
  readonly name: string;
  /** The change of the organization itself. */
  readonly own: NamedChange | null;
  readonly entries: EntryPlan;
  /** Ids that existed before. */
  readonly known: ReadonlySet<string>;
  /** Notes for the user. */
  readonly notes: readonly string[];
}

interface Target {
  readonly here: OrganizationHere | null;
  readonly wanted: Pick<WantedOrganization, 'name' | 'dailyLimit' | 'state'>;
}

interface PlanOptions extends PruneOptions {
  readonly org: string | undefined;
  readonly nowMs: number;
}

export interface ApplyPlan {
  readonly organizations: readonly OrganizationPlan[];
  /** Null when the file has no routes. */
  readonly routes: RoutesPlan | null;
}

export async function planApplyFile(
  place: ApplyPlace,
  file: ApplyFile,
  options: PlanOptions,
): Promise<ApplyPlan> {
  if (file.routes !== null && place.operate === null) throw notTheirs();
  const organizations: OrganizationPlan[] = [];
  for (const target of await targetsOf(place, file, options.org)) {
    organizations.push(await planOne(place, target, options));
  }
  const routes = file.routes && (await place.operate?.routes.plan(file.routes));
  return { organizations, routes: routes ?? null };
}

function notTheirs(): CliError {
  return new CliError(
    'The routes belong to the whole installation. Run the command on the machine of the installation, without --url, or remove `routes` from the file.',
  );
}

/** In the order of execution: route rules may name organizations. */
export function allChanges({ organizations, routes }: ApplyPlan): NamedChange[] {
  return [...organizations.flatMap(changesOf), ...(routes?.change ? [routes.change] : [])];
}

export function changesOf({ own, entries }: OrganizationPlan): NamedChange[] {
  return [...(own === null ? [] : [own]), ...entries.changes];
}

async function targetsOf(place: ApplyPlace, file: ApplyFile, org: string | undefined): Promise<Target[]> {
  if (file.of === 'organization') {
    const here = await findHere(place, org);
    return [{ here, wanted: { name: here.name, dailyLimit: undefined, state: file.state } }];
  }
  if (place.operate === null)
    throw new CliError(
      'A file with `organizations` needs the rights of the operator. Run the command on the machine of the installation, without --url. A file for one organization has its sections at the top.',
    );
  if (org !== undefined)
    throw new CliError('The file already names its organizations. Leave out --org.', EXIT_USAGE);
  const all = await place.list();
  return file.organizations.map((wanted) => ({ here: named(all, wanted), wanted }));
}

/** With a single organization, --org is optional. */
export async function findHere({ list }: ApplyPlace, org: string | undefined): Promise<OrganizationHere> {
  const all = await list();
  const found = org === undefined && all.length === 1 ? all[0] : all.find(({ id }) => id === org);
  if (found !== undefined) return found;
  if (org !== undefined) throw unknownOrganization(org);
  throw new CliError(
    'Several organizations exist. Name one with --org ID. See: npx postrider org list',
    EXIT_USAGE,
  );
}

function unknownOrganization(id: string): CliError {
  return new CliError(`There is no organization ${id}. See: npx postrider org list`);
}

function named(all: readonly OrganizationHere[], { id, name }: WantedOrganization): OrganizationHere | null {
  if (id !== undefined) {
    const found = all.find((one) => one.id === id);
    if (found === undefined) throw unknownOrganization(id);
    return found;
  }
  const [found, another] = all.filter((one) => one.name === name);
  if (another !== undefined)
    throw new CliError(
      `Several organizations are called ${name}: give its id as well. See: npx postrider org list`,
    );
  return found ?? null;
}

async function planOne(
  place: ApplyPlace,
  { here, wanted }: Target,
  options: PlanOptions,
): Promise<OrganizationPlan> {
  const { state, notes } = withoutExpiredKeys(wanted.state, options.nowMs);
  const present = here === null ? [] : await presentAround(place.open(here.id), state, options);
  refuseLooseKeys(state, present);
  return {
    id: here?.id ?? null,
    name: wanted.name,
    own: ownChange(here, wanted),
    entries: planChanges(present, state, options),
    known: new Set(present.map(({ id }) => id)),
    notes,
  };
}

async function presentAround(
  api: OrganizationApi,
  state: WantedState,
  { prune, nowMs }: PlanOptions,
): Promise<PresentEntry[]> {
  const present = await presentFor(api, state, nowMs);
  if (!prune) return present;
  const { extra } = planChanges(present, state, { prune: false, pruneUsed: false });
  return [...present.filter((entry) => !extra.includes(entry)), ...(await withUse(api, extra, nowMs))];
}

function ownChange(
  here: OrganizationHere | null,
  { name, dailyLimit }: Target['wanted'],
): NamedChange | null {
  const limit =
    dailyLimit === undefined || dailyLimit === here?.daily_limit ? {} : { daily_limit: dailyLimit };
  const about = { kind: 'organization', name, id: here?.id ?? null } as const;
  if (here === null) return { ...about, action: 'create', fields: limit };
  const fields = { ...(name === here.name ? {} : { name }), ...limit };
  return Object.keys(fields).length === 0 ? null : { ...about, action: 'change', fields };
}

/** Omits expired keys, because the file wants them expired. */
function withoutExpiredKeys({ kinds, entries }: WantedState, nowMs: number) {
  const isOver = ({ kind, fields: { expires_at } }: WantedState['entries'][number]) =>
    kind === 'key' && typeof expires_at === 'string' && Date.parse(expires_at) <= nowMs;
  return {
    state: { kinds, entries: entries.filter((entry) => !isOver(entry)) },
    notes: entries.filter(isOver).map(({ name }) => `The key ${name} is not made: its expires_at is over.`),
  };
}

/** Checked before any change, so that the run does not fail halfway. */
function refuseLooseKeys({ entries }: WantedState, present: readonly PresentEntry[]): void {
  const domains = new Set(
    [...entries, ...present].filter(({ kind }) => kind === 'domain').map(({ name }) => name),
  );
  const loose = entries.find(
    ({ kind, fields: { domain } }) => kind === 'key' && domain !== null && !domains.has(String(domain)),
  );
  if (loose !== undefined)
    throw new CliError(
      `The key ${loose.name} is tied to ${loose.fields.domain}, which is not a domain of this organization. Add it to \`domains\`. Nothing was changed.`,
    );
}
