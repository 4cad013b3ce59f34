/**
 * `apply`: makes organizations, and what they have, into what a file says. Read the file, plan, show, ask, carry out.
 * Exit codes: as everywhere, and with --detailed-exitcode those of Terraform (0 nothing to do, 1 failed, 2 changes).
 */
import { isDeepStrictEqual } from 'node:util';
import { CliError, type CommandAnswer, EXIT_USAGE, type Options, type World } from '../command.ts';
import { changesOf, type OrganizationPlan, planApplyFile } from './organization-plan.ts';
import { type ApplyPlace, atPlace } from './place.ts';
import { APPLY_FILE, type ApplyFile, readApplyFile } from './read-file.ts';
import { runPlans } from './run-plans.ts';
import { SecretsFile } from './secrets-file.ts';
import { changeLine, countWords, stayingLines } from './words.ts';

const EXIT_CHANGES = 2;

export async function apply(world: World, options: Options): Promise<CommandAnswer> {
  checkOptions(options);
  const file = await readApplyFile(options.file ?? APPLY_FILE, world.config.given);
  return atPlace(world, options, async (place) => {
    const plans = await planAt(world, place, file, options);
    const waiting = plans.flatMap(changesOf);
    if (options['dry-run'] !== undefined || waiting.length === 0) return planned(plans, options);
    await confirmed(world, plans, options, () => planAt(world, place, file, options));
    return carryOutAll(world, place, plans, options);
  });
}

function checkOptions(options: Options): void {
  const given = (name: string) => options[name] !== undefined;
  if (given('detailed-exitcode') && !given('dry-run'))
    throw new CliError('--detailed-exitcode is for --dry-run.', EXIT_USAGE);
  if (given('dry-run') && given('yes')) throw new CliError('Give --dry-run or --yes, not both.', EXIT_USAGE);
}

function planAt(
  { clock }: World,
  place: ApplyPlace,
  file: ApplyFile,
  { org, prune, 'prune-used': pruneUsed }: Options,
): Promise<OrganizationPlan[]> {
  return planApplyFile(place, file, {
    org,
    nowMs: clock.nowMs(),
    prune: prune !== undefined || pruneUsed !== undefined,
    pruneUsed: pruneUsed !== undefined,
  });
}

function planned(plans: readonly OrganizationPlan[], options: Options): CommandAnswer {
  const waiting = plans.flatMap(changesOf);
  const isDetailed = options['detailed-exitcode'] !== undefined;
  const last = waiting.length === 0 ? 'Nothing to change.' : countWords(waiting);
  return {
    json: { organizations: plans.map(planView) },
    lines: [...plans.flatMap(planLines), last],
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

/** Whoever is asked decides about what they saw, so after their answer it must still be the same. */
async function confirmed(
  { json, say, confirm }: World,
  plans: readonly OrganizationPlan[],
  options: Options,
  planAgain: () => Promise<OrganizationPlan[]>,
): Promise<void> {
  if (!json) for (const line of planned(plans, options).lines) say(line);
  if (options.yes !== undefined) return;
  if (confirm === null || json)
    throw new CliError('Nothing was changed. Add --yes to apply this.', EXIT_USAGE);
  if (!(await confirm('Apply these changes?'))) throw new CliError('Nothing was changed.');
  const again = await planAgain();
  if (!isDeepStrictEqual(again.map(changesOf), plans.map(changesOf)))
    throw new CliError(
      'Somebody changed something meanwhile. Nothing was changed by this; look at it again.',
    );
}

async function carryOutAll(
  world: World,
  place: ApplyPlace,
  plans: readonly OrganizationPlan[],
  { secrets: path }: Options,
): Promise<CommandAnswer> {
  const makesSecrets = plans
    .flatMap(changesOf)
    .some(({ action, kind }) => action === 'create' && (kind === 'key' || kind === 'webhook'));
  const secrets = path === undefined || !makesSecrets ? null : await SecretsFile.open(path);
  try {
    return await runPlans(world, place, plans, secrets);
  } finally {
    await secrets?.close();
  }
}
