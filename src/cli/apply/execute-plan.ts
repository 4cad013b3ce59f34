/**
 * Executes planned changes one after the other. The first failure stops the run; the next run continues from
 * there.
 */
import type { Clock } from '../../runtime/clock.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { CliError } from '../command.ts';
import { presentOf } from './current-state.ts';
import type { EntryFields } from './entry.ts';
import type { ChangedKind, MadeEntry, MadeKind, OrganizationApi } from './organization-api.ts';
import type { PlannedChange } from './plan.ts';

interface PlanExecution {
  /** Ids that existed before. */
  readonly known: ReadonlySet<string>;
  /** Called after each change, before the next one begins. */
  readonly recordChange: (change: PlannedChange, made: MadeEntry | null) => Promise<void>;
  readonly enough: AbortSignal;
  readonly clock: Clock;
}

/** Throws the first failure. */
export async function executePlan(
  api: OrganizationApi,
  changes: readonly PlannedChange[],
  how: PlanExecution,
): Promise<void> {
  for (const change of changes) {
    if (how.enough.aborted) throw new CliError('The command was stopped before this change.');
    await how.recordChange(change, await makeChange(api, change, how));
  }
}

function makeChange(
  api: OrganizationApi,
  change: PlannedChange,
  how: PlanExecution,
): Promise<MadeEntry | null> {
  const { action, kind, name, fields } = change;
  const id = change.id ?? name;
  if (kind === 'setting') return nothing(api.change(kind, name, fields));
  if (action === 'create') return create(api, kind, change, how);
  return nothing(action === 'remove' ? api.remove(kind, id) : api.change(kind as ChangedKind, id, fields));
}

async function nothing(done: Promise<void>): Promise<null> {
  await done;
  return null;
}

/** The API's field for the name of an entry. */
const NAME_FIELDS: Readonly<Record<MadeKind, string>> = {
  domain: 'domain',
  key: 'name',
  stream: 'name',
  webhook: 'url',
  template: 'alias',
};

async function create(
  api: OrganizationApi,
  kind: MadeKind,
  { name, fields }: PlannedChange,
  how: PlanExecution,
): Promise<MadeEntry> {
  if (kind === 'domain') return createDomain(api, name, fields);
  const made = await api.create(kind, { [NAME_FIELDS[kind]]: name, ...fields });
  if ((kind !== 'key' && kind !== 'webhook') || !(await hasTwin(api, kind, name, made.id, how))) return made;
  await api.remove(kind, made.id);
  throw new CliError(
    `Another request created the same ${kind} at the same time. The ${kind} of this command was removed. Run the command again.`,
  );
}

async function createDomain(api: OrganizationApi, domain: string, tracking: EntryFields): Promise<MadeEntry> {
  const made = await api.create('domain', { domain });
  if (Object.keys(tracking).length > 0) await api.change('domain', made.id, tracking);
  return made;
}

/**
 * Names of keys and webhooks are not unique, so two concurrent runs could each create one. A run that finds
 * the other's entry removes its own; at worst both do, and the next run creates it again.
 */
async function hasTwin(
  api: OrganizationApi,
  kind: 'key' | 'webhook',
  name: string,
  id: string,
  { known, clock }: PlanExecution,
): Promise<boolean> {
  const all = await presentOf(api, { kinds: new Set([kind]), settings: [] }, clock.nowMs());
  return all.some((one) => one.name === name && one.id !== id && !known.has(one.id));
}

export function failureWords(error: unknown): string {
  if (error instanceof ServiceError) {
    const [problem] = error.problems;
    return problem === undefined ? error.message : `${problem.field}: ${problem.message}`;
  }
  if (!(error instanceof Error)) return String(error);
  // Unexpected errors are shown with their stack.
  return error instanceof CliError ? error.message : (error.stack ?? error.message);
}
