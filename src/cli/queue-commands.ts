import type { Database } from '../database/database.ts';
import { OUTCOME_REASONS, type OutcomeReason } from '../delivery/policy/reasons.ts';
import { queueBySite, type SiteQueue } from '../delivery/scheduler/queue-view.ts';
import { paceWords } from '../delivery/scheduler/site-messages.ts';
import {
  domainsOfSite,
  loadSites,
  pauseSite,
  resumeSite,
  trySiteNow,
} from '../delivery/scheduler/site-store.ts';
import { counted } from '../doctor/finding.ts';
import { flush } from '../outbox/make-due.ts';
import { wakeWorkers } from '../outbox/wake.ts';
import { type OperatorAction, recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_USAGE,
  type Options,
} from './command.ts';
import { answering, queryEachCell, sum, withAway } from './each-cell.ts';
import { withDatabase } from './installation.ts';
import { checkOrganization } from './organization-lookup.ts';
import { duration, minute, table } from './table.ts';

export const queueCommands: readonly Command[] = [
  {
    name: 'queue',
    summary: 'Show the queue by site: the waiting mail, and why it waits',
    example: 'queue',
    run: show,
  },
  {
    name: 'queue pause',
    positionals: ['SITE'],
    summary: 'Stop sending to a site until it is resumed; mail that is being transferred still arrives',
    explains: {
      SITE: 'the site, as `npx postrider queue` names it',
    },
    example: 'queue pause mx.big.example',
    run: (context, [site = '']) => pause(context, site),
  },
  {
    name: 'queue resume',
    positionals: ['SITE'],
    summary: 'Send to a site again: remove a pause, a block or a slower pace',
    explains: {
      SITE: 'the site, as `npx postrider queue` names it',
    },
    example: 'queue resume mx.big.example',
    run: (context, [site = '']) => resume(context, site),
  },
  {
    name: 'queue try-now',
    positionals: ['SITE'],
    summary: 'Try a blocked or slow site now; a block stays if the trial fails, and a pause always stays',
    explains: {
      SITE: 'the site, as `npx postrider queue` names it',
    },
    example: 'queue try-now mx.big.example',
    run: (context, [site = '']) => tryNow(context, site),
  },
  {
    name: 'queue flush',
    optionalPositionals: ['SITE'],
    optional: { org: 'ID' },
    summary: 'Make deferred mail due now: of a site, of an organization, or of an organization to a site',
    explains: {
      SITE: 'the site, as `npx postrider queue` names it; the default is all mail of the organization',
    },
    example: 'queue flush mx.big.example',
    run: (context, [site], options) => flushQueue(context, site ?? null, options),
  },
];

async function show({ config, clock }: CommandContext): Promise<CommandAnswer> {
  const { sites, away } = await withDatabase(config, async (db) => {
    const { answers, away } = await answering(db);
    return {
      away,
      sites: await queueBySite(
        answers.map(({ value }) => value),
        clock.nowMs(),
      ),
    };
  });
  const header = ['SITE', 'PROVIDER', 'WAITING', 'DUE', 'CLAIMED', 'OLDEST DUE', 'STATE', 'REASON'];
  const lines = sites.length === 0 ? ['No mail waits.'] : table(header, sites.map(cells));
  return withAway({ json: sites.map(asJson), lines }, away);
}

function asJson(site: SiteQueue): unknown {
  return {
    site: site.site,
    provider: site.provider,
    domains: site.domains.length,
    waiting: site.waiting,
    due: site.due,
    claimed: site.claimed,
    oldest_due_seconds: site.oldestDueSeconds,
    state: site.state,
    since: site.sinceMs === null ? null : new Date(site.sinceMs),
    until: site.untilMs === null ? null : new Date(site.untilMs),
    messages_per_minute: site.pace,
    connections: site.connections,
    reason: site.reason,
    detail: site.detail,
  };
}

function cells(site: SiteQueue): string[] {
  const words = site.reason === null ? '' : OUTCOME_REASONS[site.reason as OutcomeReason];
  return [
    site.site,
    site.provider,
    String(site.waiting),
    String(site.due),
    String(site.claimed),
    site.oldestDueSeconds === null ? '' : duration(site.oldestDueSeconds),
    stateWords(site),
    site.detail === null ? words : `${words} "${site.detail}"`,
  ];
}

function stateWords({ state, untilMs, pace, connections }: SiteQueue): string {
  const words: string[] = [state];
  if (state === 'blocked' && untilMs !== null) words.push(`until ${minute(new Date(untilMs))} UTC`);
  if (state === 'slow' && pace !== null) words.push(paceWords(pace));
  if (connections !== null) words.push(`(${connections} connections at a time)`);
  return words.join(' ');
}

async function pause(context: CommandContext, site: string): Promise<CommandAnswer> {
  const waiting = await withDatabase(context.config, async (db) => {
    await checkSite(db, site);
    await pauseSite(db, site);
    await recordOperatorAction(db, context, { ...targetFields(site), action: 'site.paused' });
    return waitingFor(db, site, context.clock.nowMs());
  });
  return {
    json: { site, paused: true, waiting },
    lines: [
      `Paused ${site}. Workers stop within a few seconds.`,
      `Deliveries in the queue that wait for this site now: ${waiting}.`,
      `To resume: npx postrider queue resume '${site}'`,
    ],
  };
}

async function resume(context: CommandContext, site: string): Promise<CommandAnswer> {
  const resumed = await withDatabase(context.config, async (db) => {
    await checkSite(db, site);
    const wasHeldUp = await resumeSite(db, site);
    if (wasHeldUp) await recordOperatorAction(db, context, { ...targetFields(site), action: 'site.resumed' });
    return wasHeldUp;
  });
  const words = resumed
    ? `${site} is open again. Workers resume within a few seconds.`
    : `${site} was not held up.`;
  return { json: { site, resumed }, lines: [words] };
}

async function tryNow(context: CommandContext, site: string): Promise<CommandAnswer> {
  const condition = await withDatabase(context.config, async (db) => {
    const found = (await loadSites(db)).get(site);
    await checkSite(db, site);
    if (found === undefined) return undefined;
    await trySiteNow(db, site, context.clock.nowMs());
    await recordOperatorAction(db, context, { ...targetFields(site), action: 'site.tried' });
    return found;
  });
  const paused = condition?.paused ?? false;
  const words =
    condition === undefined
      ? `${site} is not held up: its mail is sent when it is due.`
      : paused
        ? `${site} is paused. Resume the site first: npx postrider queue resume '${site}'`
        : `${site} is tried with its next mail within a few seconds.`;
  return { json: { site, paused, tried: condition !== undefined }, lines: [words] };
}

async function flushQueue(
  context: CommandContext,
  site: string | null,
  options: Options,
): Promise<CommandAnswer> {
  const organizationId = options.org ?? null;
  if (site === null && organizationId === null) {
    throw new CliError('Name a SITE, or an organization with --org.', EXIT_USAGE);
  }
  const { flushed, held, away } = await withDatabase(context.config, async (db) => {
    if (organizationId !== null) await checkOrganization(db, organizationId);
    if (site !== null && !(await isKnown(db, site))) throw noSuchSite(site);
    const { answers, away } = await queryEachCell(db, (cell) => flushCell(cell, site, organizationId));
    const count = sum(answers.map(({ value }) => value));
    await recordOperatorAction(db, context, {
      action: 'queue.flushed',
      organizationId,
      details: { site, flushed: count },
    });
    return { flushed: count, held: site !== null && (await loadSites(db)).has(site), away };
  });
  const hint = held
    ? [`${site} is held up at the moment. To resume the site: npx postrider queue resume '${site}'`]
    : [];
  const due = `${counted(flushed, 'deferred delivery is', 'deferred deliveries are')} due now.`;
  return withAway({ json: { flushed }, lines: [due, ...hint] }, away);
}

async function flushCell(db: Database, site: string | null, organizationId: string | null): Promise<number> {
  const domains = site === null ? null : await domainsOfSite(db, site);
  if (domains?.length === 0) return 0;
  const count = await flush(db, { domains, organizationId });
  await wakeWorkers(db);
  return count;
}

/** Every cell keeps its own list of sites. */
async function isKnown(db: Database, site: string): Promise<boolean> {
  const { answers } = await queryEachCell(db, (cell) => domainsOfSite(cell, site));
  return answers.some(({ value }) => value.length > 0);
}

/** Includes sites that are blocked or were not used recently. */
async function checkSite(db: Database, site: string): Promise<void> {
  if (!(await isKnown(db, site)) && !(await loadSites(db)).has(site)) throw noSuchSite(site);
}

async function waitingFor(db: Database, site: string, nowMs: number): Promise<number> {
  const { answers } = await answering(db);
  const sites = await queueBySite(
    answers.map(({ value }) => value),
    nowMs,
  );
  return sum(sites.filter((one) => one.site === site).map(({ waiting, due }) => waiting + due));
}

function targetFields(site: string): Omit<OperatorAction, 'action'> {
  return { organizationId: null, targetId: site };
}

function noSuchSite(site: string): CliError {
  return new CliError(`No mail went to a site ${site} lately. \`npx postrider queue\` lists the sites.`);
}
