/**
 * `apply` changes organizations and their contents to what a file describes: read the file, plan, show, ask,
 * execute. Exit codes are the usual ones; with --detailed-exitcode those of Terraform (0 nothing to do, 1
 * failed, 2 changes).
 */
import { isDeepStrictEqual } from 'node:util';
import {
  CliError,
  type CommandAnswer,
  type CommandContext,
  EXIT_FAILED,
  EXIT_USAGE,
  type Options,
} from '../command.ts';
import { executePlan, failureWords } from './execute-plan.ts';
import type { MadeEntry } from './organization-api.ts';
import {
  type ApplyPlan,
  allChanges,
  changesOf,
  type OrganizationPlan,
  planApplyFile,
} from './organization-plan.ts';
import { changeLine, countWords, doneLine, type NamedChange, stayingLines } from './plan-text.ts';
import { APPLY_FILE, type ApplyFile, readApplyFile } from './read-file.ts';
import type { RoutesPlan } from './routes-plan.ts';
import { SecretsFile } from './secrets-file.ts';
import { type ApplyPlace, atPlace } from './target.ts';

const EXIT_CHANGES = 2;

export async function apply(context: CommandContext, options: Options): Promise<CommandAnswer> {
  checkOptions(options);
  const file = await readApplyFile(options.file ?? APPLY_FILE, context.config.given);
  return atPlace(context, options, async (place) => {
    const plan = await planAt(context, place, file, options);
    if (options['dry-run'] !== undefined || allChanges(plan).length === 0) return planned(plan, options);
    await confirmed(context, plan, options, () => planAt(context, place, file, options));
    return carryOutAll(context, place, plan, options);
  });
}

function checkOptions(options: Options): void {
  const given = (name: string) => options[name] !== undefined;
  if (given('detailed-exitcode') && !given('dry-run'))
    throw new CliError('--detailed-exitcode is for --dry-run.', EXIT_USAGE);
  if (given('dry-run') && given('yes')) throw new CliError('Give --dry-run or --yes, not both.', EXIT_USAGE);
}

function planAt(
  { clock }: CommandContext,
  place: ApplyPlace,
  file: ApplyFile,
  { org, prune, 'prune-used': pruneUsed }: Options,
): Promise<ApplyPlan> {
  return planApplyFile(place, file, {
    org,
    nowMs: clock.nowMs(),
    prune: prune !== undefined || pruneUsed !== undefined,
    pruneUsed: pruneUsed !== undefined,
  });
}

function planned(plan: ApplyPlan, options: Options): CommandAnswer {
  const waiting = allChanges(plan);
  const isDetailed = options['detailed-exitcode'] !== undefined;
  const last = waiting.length === 0 ? 'Nothing to change.' : countWords(waiting);
  return {
    json: { organizations: plan.organizations.map(planView), routes: plan.routes?.change ?? null },
    lines: [...plan.organizations.flatMap(planLines), ...routesLines(plan), last],
    exitCode: isDetailed && waiting.length > 0 ? EXIT_CHANGES : 0,
  };
}

function planLines(plan: OrganizationPlan): string[] {
  const lines = [
    ...changesOf(plan).map(changeLine),
    ...stayingLines(plan.entries),
    ...plan.notes.map((one) => `  ${one}`),
  ];
  return lines.length === 0
    ? []
    : [`Organization ${plan.name}${plan.id === null ? '' : ` (${plan.id})`}`, ...lines, ''];
}

function routesLines({ routes }: ApplyPlan): string[] {
  return routes?.change ? ['Installation', changeLine(routes.change), ''] : [];
}

function planView(plan: OrganizationPlan) {
  const { kept, extra } = plan.entries;
  return {
    id: plan.id,
    name: plan.name,
    changes: changesOf(plan),
    kept: kept.map(({ entry: { kind, name, id }, why }) => ({ kind, name, id, why })),
    left_alone: extra.map(({ kind, name, id }) => ({ kind, name, id })),
    notes: plan.notes,
  };
}

/** The user confirms the plan shown, so the plan must still be the same after the answer. */
async function confirmed(
  { json, say, confirm }: CommandContext,
  plan: ApplyPlan,
  options: Options,
  planAgain: () => Promise<ApplyPlan>,
): Promise<void> {
  if (!json) for (const line of planned(plan, options).lines) say(line);
  if (options.yes !== undefined) return;
  if (confirm === null || json)
    throw new CliError('Nothing was changed. Add --yes to apply this.', EXIT_USAGE);
  if (!(await confirm('Apply these changes?'))) throw new CliError('Nothing was changed.');
  const again = await planAgain();
  if (!isDeepStrictEqual(allChanges(again), allChanges(plan)))
    throw new CliError(
      'Somebody changed something meanwhile. Nothing was changed by this; look at it again.',
    );
}

async function carryOutAll(
  context: CommandContext,
  place: ApplyPlace,
  plan: ApplyPlan,
  { secrets: path }: Options,
): Promise<CommandAnswer> {
  const makesSecrets = allChanges(plan).some(
    ({ action, kind }) => action === 'create' && (kind === 'key' || kind === 'webhook'),
  );
  const secrets = path === undefined || !makesSecrets ? null : await SecretsFile.open(path);
  try {
    return await runPlans(context, place, plan, secrets);
  } finally {
    await secrets?.close();
  }
}

interface Done {
  readonly change: NamedChange;
  readonly made: MadeEntry | null;
  /** The secret was written to the secrets file and is not shown. */
  readonly isKept: boolean;
}

/** `waiting` lists the remaining changes; the first one is in progress. */
interface Progress {
  readonly done: Done[];
  readonly waiting: NamedChange[];
}

/** Executes plans, reports each change, and finally lists what was done and what was not. */
export async function runPlans(
  context: CommandContext,
  place: ApplyPlace,
  plan: ApplyPlan,
  secrets: SecretsFile | null,
): Promise<CommandAnswer> {
  const progress: Progress = { done: [], waiting: allChanges(plan) };
  try {
    for (const one of plan.organizations) await runPlan(context, place, one, progress, secrets);
    if (plan.routes !== null) await replaceRoutes(context, place, plan.routes, progress);
  } catch (error) {
    return stopped(context, progress, failureWords(error));
  }
  const { done } = progress;
  return { json: answerWith(progress, null), lines: [`Changes made: ${done.length}.`] };
}

async function runPlan(
  { say, json, enough, clock }: CommandContext,
  { open, operate, note }: ApplyPlace,
  { own, name, id: known, entries, known: ids }: OrganizationPlan,
  { done, waiting }: Progress,
  secrets: SecretsFile | null,
): Promise<void> {
  let organization = known ?? '';
  const recordChange = async (change: NamedChange, made: MadeEntry | null) => {
    const { secret } = made ?? {};
    const { kind, name: of } = change;
    const isKept =
      secret !== undefined && (await secrets?.write({ organization, kind, name: of, secret })) === true;
    const one = { change, made, isKept };
    done.push(one);
    waiting.shift();
    if (!json) for (const line of doneLines(one)) say(line);
    await note(organization, change, made);
  };
  if (own !== null && operate !== null) {
    const { daily_limit } = own.fields as { daily_limit?: number };
    if (own.action === 'create') organization = (await operate.create(name, daily_limit)).id;
    else await operate.change(organization, own.fields);
    await recordChange(own, null);
  }
  await executePlan(open(organization), entries.changes, { known: ids, recordChange, enough, clock });
}

async function replaceRoutes(
  { say, json, enough }: CommandContext,
  { operate, note }: ApplyPlace,
  { change, wanted }: RoutesPlan,
  { done, waiting }: Progress,
): Promise<void> {
  if (change === null || operate === null) return;
  if (enough.aborted) throw new CliError('It was stopped before this.');
  await operate.routes.replace(wanted);
  const one = { change, made: null, isKept: false };
  done.push(one);
  waiting.shift();
  if (!json) for (const line of doneLines(one)) say(line);
  await note(null, change, null);
}

function doneLines({ change, made, isKept }: Done): string[] {
  return [
    doneLine(change),
    ...(made?.secret === undefined || isKept ? [] : [`  Its secret, shown only once: ${made.secret}`]),
    ...(made?.records ?? []).map(({ type, name, value }) => `  Publish: ${name}  ${type}  ${value}`),
  ];
}

function stopped({ json }: CommandContext, progress: Progress, why: string): CommandAnswer {
  if (json) return { json: answerWith(progress, why), lines: [], exitCode: EXIT_FAILED };
  const {
    done,
    waiting: [failed, ...left],
  } = progress;
  throw new CliError(
    [
      ...(failed === undefined ? [] : [`Failed:\n${changeLine(failed)}`]),
      `    ${why}`,
      `Changes made before that: ${done.length}.`,
      ...(left.length === 0 ? [] : ['Not done:', ...left.map(changeLine)]),
      'Run it again to go on from here.',
    ].join('\n'),
  );
}

function answerWith({ done, waiting }: Progress, why: string | null) {
  const [failed, ...left] = waiting;
  return {
    changes: done.map(doneView),
    failed: failed === undefined || why === null ? null : { ...failed, why },
    not_done: left,
  };
}

function doneView({ change, made, isKept }: Done) {
  const { secret, records, id = change.id } = made ?? {};
  return {
    ...change,
    id,
    ...(secret === undefined || isKept ? {} : { secret }),
    ...(records === undefined ? {} : { dns_records: records }),
  };
}
