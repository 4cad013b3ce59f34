/** Shows and controls canaries, for an operator who stops or speeds up a migration from a shell. */
import type { Database } from '../database/database.ts';
import {
  type CanaryDeps,
  canaryOverviewOf,
  finishCanary,
  pauseCanary,
  resumeCanary,
  rollBackCanary,
} from '../routing/canary/service.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { recordOperatorAction } from './audit.ts';
import { CliError, type Command, type CommandAnswer, type CommandContext } from './command.ts';
import { withDatabase } from './installation.ts';
import { minute, table } from './table.ts';

export const canaryCommands: readonly Command[] = [
  {
    name: 'canary list',
    summary:
      'List the canaries of the route table, and the share of each provider’s mail on the new transport',
    example: 'canary list',
    run: ({ config }) => withDatabase(config, listAll),
  },
  {
    name: 'canary show',
    positionals: ['CANARY'],
    summary:
      'Show the results of a canary on the old and the new transport, its next step and its last steps',
    explains: {
      CANARY: 'the name of the canary in the route table',
    },
    example: 'canary show off-acme',
    run: ({ config }, [name = '']) => withDatabase(config, (db) => showOne(db, name)),
  },
  steering('pause', 'canary.paused', pauseCanary, 'Keep a canary at its share until it is resumed'),
  steering('resume', 'canary.resumed', resumeCanary, 'Let a canary go on; one that fell begins anew at once'),
  steering(
    'back',
    'canary.taken_back',
    rollBackCanary,
    'Send all mail over the old path until the canary is resumed',
  ),
  {
    name: 'canary finish',
    positionals: ['CANARY'],
    summary:
      'Finish a canary: the new transport becomes the first step of its rule, and the previous steps its fallback',
    explains: {
      CANARY: 'the name of the canary in the route table',
    },
    example: 'canary finish off-acme',
    run: (context, [name = '']) =>
      steer(context, name, null, 'canary.finished', (deps) => finishCanary(deps, name)),
  },
];

type Steer = (deps: CanaryDeps, name: string, provider: string | null) => Promise<void>;

/** Applies to one provider, or to all. */
function steering(verb: string, action: string, change: Steer, summary: string): Command {
  return {
    name: `canary ${verb}`,
    positionals: ['CANARY'],
    optional: { provider: 'PROVIDER' },
    summary,
    explains: {
      CANARY: 'the name of the canary in the route table',
      '--provider': 'only mail to this provider; the default is all mail of the canary',
    },
    example: `canary ${verb} off-acme --provider google`,
    run: (context, [name = ''], { provider = null }) =>
      steer(context, name, provider, action, (deps) => change(deps, name, provider)),
  };
}

async function steer(
  context: CommandContext,
  name: string,
  provider: string | null,
  action: string,
  change: (deps: CanaryDeps) => Promise<void>,
): Promise<CommandAnswer> {
  return withDatabase(context.config, async (db) => {
    await change({ db, nowMs: () => context.clock.nowMs() }).catch(inWords);
    await recordOperatorAction(db, context, {
      organizationId: null,
      action,
      targetName: name,
      details: { provider },
    });
    const { canaries, steps } = await canaryOverviewOf(db);
    const canary = canaries.find((one) => one.name === name) ?? null;
    const step = steps.find((one) => one.canary === name);
    return {
      json: canary,
      lines: [step?.message ?? 'The canary is finished.', ...(canary ? shareLines(canary) : [])],
    };
  });
}

type CanaryView = Awaited<ReturnType<typeof canaryOverviewOf>>['canaries'][number];
type WayView = CanaryView['shares'][number]['old'];

async function listAll(db: Database): Promise<CommandAnswer> {
  const { canaries } = await canaryOverviewOf(db);
  const rows = canaries.map(({ name, to, rule, paused_at, shares }) => [
    ...[name, String(rule), to, paused_at === null ? '' : minute(paused_at)],
    shares.map(({ provider, percent }) => `${provider} ${percent} %`).join(', '),
  ]);
  const head = ['CANARY', 'RULE', 'TO', 'PAUSED (UTC)', 'SHARES'];
  return { json: canaries, lines: rows.length === 0 ? ['No rule has a canary.'] : table(head, rows) };
}

async function showOne(db: Database, name: string): Promise<CommandAnswer> {
  const { canaries, steps } = await canaryOverviewOf(db);
  const canary = canaries.find((one) => one.name === name);
  if (canary === undefined) throw unknown(name);
  const own = steps.filter((one) => one.canary === name);
  const { to, rule, percents, minutes, mails, worse } = canary;
  const lines = [
    `Rule ${rule} moves to ${to}: ${percents.join(', ')} %, a step after ${minutes} minutes and ${mails} emails.`,
    `It may be worse by: deferred ${worse.deferred}, bounced ${worse.bounced}, complained ${worse.complained}.`,
    '',
    ...shareLines(canary),
    ...(own.length === 0
      ? []
      : ['', ...own.map(({ at, kind, message }) => `${minute(at)}  ${kind}  ${message}`)]),
  ];
  return { json: { canary, steps: own }, lines };
}

function shareLines({ shares }: CanaryView): string[] {
  if (shares.length === 0) return ['The canary starts with the first mail that the rule matches.'];
  return table(
    ['PROVIDER', 'SHARE', 'NEW WAY', 'OLD WAY', 'NEXT'],
    shares.map((one) => [
      ...[one.provider, `${one.percent} %`, waysWords(one.new), waysWords(one.old), one.message],
    ]),
  );
}

function waysWords({ sent, deferred, bounced, complained }: WayView): string {
  return `${sent} sent, ${deferred} deferred, ${bounced} bounced, ${complained} complaints`;
}

function unknown(name: string): CliError {
  return new CliError(`No rule has a canary ${name}. See: npx postrider canary list`);
}

/** Replaces the API's error messages, which refer to API calls. */
function inWords(error: unknown): never {
  if (error instanceof ServiceError)
    throw new CliError(
      error.message.replace('GET /routes/canaries lists', '`npx postrider canary list` shows'),
    );
  throw error;
}
