/** Executes plans, reports each change, and finally lists what was done and what was not. */
import { CliError, type CommandAnswer, type CommandContext, EXIT_FAILED } from '../command.ts';
import { executePlan, failureWords } from './execute-plan.ts';
import type { MadeEntry } from './organization-api.ts';
import { type ApplyPlan, allChanges, type OrganizationPlan } from './organization-plan.ts';
import type { ApplyPlace } from './place.ts';
import type { RoutesPlan } from './routes-plan.ts';
import type { SecretsFile } from './secrets-file.ts';
import { changeLine, doneLine, type NamedChange } from './words.ts';

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
