/**
 * `apply` changes organizations and their contents to what a file describes: read the file, plan, show, ask,
 * execute. Exit codes are the usual ones; with --detailed-exitcode those of Terraform (0 nothing to do, 1
 * failed, 2 changes).
 */
import { isDeepStrictEqual } from 'node:util';
import { CliError, type CommandAnswer, type CommandContext, EXIT_USAGE, type Options } from '../command.ts';
import {
  type ApplyPlan,
  allChanges,
  changesOf,
  type OrganizationPlan,
  planApplyFile,
} from './organization-plan.ts';
import { type ApplyPlace, atPlace } from './place.ts';
import { APPLY_FILE, type ApplyFile, readApplyFile } from './read-file.ts';
import { runPlans } from './run-plans.ts';
import { SecretsFile } from './secrets-file.ts';
import { changeLine, countWords, stayingLines } from './words.ts';

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
