/**
 * `templates push` compiles a folder, compares it with the present templates, and saves the differences. It
 * removes nothing. Exit codes: 0 done or nothing to do, 1 failed, 2 wrong usage; with --detailed-exitcode,
 * --dry-run exits with 2 if there are changes.
 */

import { presentOf } from '../apply/current-state.ts';
import type { EntryFields } from '../apply/entry.ts';
import { executePlan, failureWords } from '../apply/execute-plan.ts';
import type { OrganizationApi } from '../apply/organization-api.ts';
import { findHere } from '../apply/organization-plan.ts';
import { type PlannedChange, planChanges } from '../apply/plan.ts';
import { changeLine, doneLine } from '../apply/plan-text.ts';
import { atPlace } from '../apply/target.ts';
import {
  CliError,
  type CommandAnswer,
  type CommandContext,
  EXIT_FAILED,
  EXIT_USAGE,
  type Options,
} from '../command.ts';
import { readTemplates } from './read-folder.ts';

const EXIT_CHANGES = 2;
const MAX_SHOWN = 50;

export async function push(
  context: CommandContext,
  folder: string,
  options: Options,
): Promise<CommandAnswer> {
  const given = (name: string) => options[name] !== undefined;
  if (given('draft') && given('publish'))
    throw new CliError('Give --draft or --publish, not both.', EXIT_USAGE);
  if (given('detailed-exitcode') && !given('dry-run'))
    throw new CliError('--detailed-exitcode is for --dry-run.', EXIT_USAGE);
  const { templates, wrong } = await readTemplates(folder);
  if (wrong.length > 0) throw new CliError([...wrong.slice(0, MAX_SHOWN), 'Nothing was pushed.'].join('\n'));
  if (templates.length === 0) throw new CliError(`There are no templates in ${folder}.`);
  const wanted = { kinds: new Set(['template' as const]), entries: templates };
  return atPlace(context, options, async (place) => {
    const here = await findHere(place, options.org);
    const api = place.open(here.id);
    const present = await presentOf(api, { ...wanted, settings: [] }, context.clock.nowMs());
    const { changes } = planChanges(present, wanted, { prune: false, pruneUsed: false });
    const same = templates.length - changes.length;
    if (given('dry-run') || changes.length === 0) return planned(changes, same, given('detailed-exitcode'));
    const target = given('draft') ? draftsOf(api) : api;
    const done: PlannedChange[] = [];
    const recordChange: Parameters<typeof executePlan>[2]['recordChange'] = async (change, made) => {
      done.push(change);
      if (!context.json) context.say(doneLine(change) + (given('draft') ? draftWords(change) : ''));
      await place.note(here.id, change, made);
    };
    const how = { known: new Set<string>(), recordChange, enough: context.enough, clock: context.clock };
    const failure = await executePlan(target, changes, how).then(() => null, failureWords);
    return answer(done, changes, same, failure);
  });
}

/** Saves changes of existing templates as drafts; the first version of a new template is always published. */
function draftsOf(api: OrganizationApi): OrganizationApi {
  const change: OrganizationApi['change'] = async (kind, id, body) => {
    const { name, ...content } = body;
    if (name !== undefined) await api.change(kind, id, { name });
    if (Object.keys(content).length > 0) await api.saveDraft(id, content);
  };
  return { ...api, change };
}

function draftWords({ action, fields }: PlannedChange): string {
  if (action === 'create') return ' Its first version is published.';
  return Object.keys(fields).some((field) => field !== 'name') ? ' It is a draft.' : '';
}

function planned(changes: readonly PlannedChange[], same: number, isDetailed: boolean): CommandAnswer {
  const last = changes.length === 0 ? 'Nothing to push.' : `${changes.length} to push.`;
  return {
    json: { changes: changes.map(view), unchanged: same, pushed: [], failure: null },
    lines: [...changes.map(changeLine), `${last} ${same} unchanged.`],
    exitCode: isDetailed && changes.length > 0 ? EXIT_CHANGES : 0,
  };
}

function answer(
  done: readonly PlannedChange[],
  changes: readonly PlannedChange[],
  same: number,
  failure: string | null,
): CommandAnswer {
  const failed = changes[done.length];
  const last =
    failure === null
      ? [`${done.length} pushed, ${same} unchanged.`]
      : [`${failed?.name}: ${failure}`, `${done.length} pushed; ${changes.length - done.length} not.`];
  return {
    json: { changes: changes.map(view), unchanged: same, pushed: done.map(({ name }) => name), failure },
    lines: last,
    exitCode: failure === null ? 0 : EXIT_FAILED,
  };
}

function view({ action, name, fields }: PlannedChange): { action: string; alias: string; fields: string[] } {
  return { action, alias: name, fields: Object.keys(fields satisfies EntryFields) };
}
