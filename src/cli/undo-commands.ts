/** Lists bounces of an outage and undoes their suppressions, for operators, in one organization or in all. */

import type { Database } from '../database/database.ts';
import { counted } from '../doctor/finding.ts';
import { type WhatHappened, whatHappened } from '../interventions/undos/bounces.ts';
import { processUndo } from '../interventions/undos/process-undos.ts';
import { incidentView, undoView } from '../interventions/undos/routes.ts';
import { checkedIncident, knownFilters } from '../interventions/undos/service.ts';
import { findUndo, requestUndo, type UndoRow } from '../interventions/undos/store.ts';
import type { Incident } from '../interventions/undos/undo.ts';
import { listOrganizations } from '../organizations/store.ts';
import { createLifetime } from '../outbox/lifetime.ts';
import { openContentStore } from '../processes/content-store.ts';
import { retrySpeed } from '../runtime/config.ts';
import { createLog } from '../runtime/log.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { parseMoment } from '../runtime/timestamp.ts';
import { operatorName, recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_USAGE,
  type Options,
} from './command.ts';
import { withDatabase } from './installation.ts';
import { checkOrganization, organizationWithTemplate } from './organization-lookup.ts';
import { minute, table } from './table.ts';

const WINDOW = { from: 'TIME', to: 'TIME' };
const FILTERS = { org: 'ORGANIZATION', template: 'ID', tag: 'TAG', provider: 'PROVIDER', reply: 'TEXT' };
const EXPLAINS = {
  '--from': 'the first moment, such as 2026-11-16T09:00Z',
  '--to': 'the last moment',
  '--template': 'only mail of this template',
  '--tag': 'only mail with this tag',
  '--provider': 'only mail to this provider',
  '--reply': 'only bounces whose reply contains this text',
};

export const undoCommands: readonly Command[] = [
  {
    name: 'incident',
    required: WINDOW,
    optional: FILTERS,
    summary: 'Show what bounced between two times (2026-11-16T09:00Z), by reason, with samples',
    explains: EXPLAINS,
    example: 'incident --from 2026-11-10T09:00Z --to 2026-11-10T10:30Z --provider microsoft',
    run: (context, _positionals, options) => show(context, options),
  },
  {
    name: 'undo',
    required: { ...WINDOW, reason: 'TEXT' },
    optional: FILTERS,
    flags: ['yes'],
    summary: 'Undo an incident: remove the suppressions that it caused, and queue its bounced mail again',
    explains: { ...EXPLAINS, '--reason': 'the reason, for the audit log' },
    example:
      'undo --from 2026-11-10T09:00Z --to 2026-11-10T10:30Z --provider microsoft --reason "their outage" --yes',
    run: (context, _positionals, options) => undo(context, options),
  },
];

interface OfOrganization {
  readonly incident: Incident;
  readonly found: WhatHappened;
}

async function show({ config, clock }: CommandContext, options: Options): Promise<CommandAnswer> {
  const all = await withDatabase(config, (db) => incidentsOf(db, options, clock.nowMs()));
  return {
    json: all.map(({ incident, found }) => ({
      organization_id: incident.organizationId,
      ...incidentView(found),
    })),
    lines: all.length === 0 ? ['Nothing bounced.'] : all.flatMap(linesOf),
  };
}

function linesOf({ incident: { organizationId }, found }: OfOrganization): string[] {
  const { bounces, rejections, requeue, unsuppress, reasons, samples } = found;
  return [
    `${organizationId}: ${counted(bounces, 'bounce')}${followedBy(rejections)}. An undo would queue ${counted(requeue, 'recipient')} again and lift ${counted(unsuppress, 'suppression')}.`,
    '',
    ...table(
      ['COUNT', 'CODE', 'REASON'],
      reasons.map((one) => [String(one.count), String(one.smtp_code ?? ''), one.reason ?? '']),
    ),
    '',
    ...table(
      ['AT (UTC)', 'RECIPIENT', 'HOST', 'REPLY'],
      samples.map((one) => [
        minute(one.created_at),
        one.recipient,
        one.mx_host ?? '',
        one.smtp_message ?? '',
      ]),
    ),
    '',
  ];
}

/** The number of emails rejected because of those suppressions. */
function followedBy(rejections: number): string {
  return rejections === 0 ? '' : `, and ${counted(rejections, 'rejection')} because of them`;
}

async function undo(context: CommandContext, options: Options): Promise<CommandAnswer> {
  const { config, clock, enough } = context;
  const rows = await withDatabase(config, async (db) => {
    const all = await incidentsOf(db, options, clock.nowMs());
    if (options.yes === undefined) throw notSure(all);
    const { from, to, template: template_id, tag, provider, reply, reason = '' } = options;
    const done: UndoRow[] = [];
    for (const { incident } of all) {
      const own = db.of(incident.organizationId);
      const { id } = await requestUndo(own, incident, { reason, by: operatorName(context) });
      await recordOperatorAction(db, context, {
        action: 'incident.undone',
        organizationId: incident.organizationId,
        targetId: id,
        details: { from, to, template_id, tag, provider, reply, reason },
      });
      const deps = {
        db: own,
        nowMs: () => clock.nowMs(),
        mode: config.mode,
        lifetimeMs: createLifetime(retrySpeed(config)),
        moved: openContentStore({ config, db, clock, log: createLog('cli', config.logLevel) }).moved,
      };
      await processUndo(deps, id, enough);
      done.push((await findUndo(own, id, incident.organizationId)) as UndoRow);
    }
    return done;
  });
  return { json: rows.map(undoView), lines: rows.length === 0 ? ['Nothing bounced.'] : rows.map(doneWords) };
}

function doneWords({ organization_id, requeued, unsuppressed, left_alone, ended_at }: UndoRow): string {
  const left = Object.entries(left_alone).map(([why, count]) => `${count} ${why}`);
  const stays = left.length === 0 ? '' : ` Left alone: ${left.join(', ')}.`;
  const rest = ended_at === null ? ' Workers process the rest.' : '';
  return `${organization_id}: ${counted(requeued, 'recipient')} queued again, ${counted(unsuppressed, 'suppression')} lifted.${stays}${rest}`;
}

function notSure(all: readonly OfOrganization[]): CliError {
  const sum = (of: (found: WhatHappened) => number) => all.reduce((total, { found }) => total + of(found), 0);
  return new CliError(
    `Bounces: ${sum((found) => found.bounces)}, of ${counted(all.length, 'organization')}. To be queued again: ${sum((found) => found.requeue)}. Suppressions to be lifted: ${sum((found) => found.unsuppress)}. \`npx postrider incident\` shows them. Add --yes to confirm.`,
    EXIT_USAGE,
  );
}

/** The incidents of each organization with bounces. */
async function incidentsOf(db: Database, options: Options, nowMs: number): Promise<OfOrganization[]> {
  const { from, to, template = null, tag = null, provider = null, reply = null } = options;
  const org = await organizationMeant(db, options);
  const ids = org === null ? (await listOrganizations(db)).map(({ id }) => id) : [org];
  const asked = { organizationId: org, templateId: template, tag, provider };
  const filter = { ...(await knownFilters(db, asked).catch(inWords)), reply };
  const window = { from: timeOf('from', from), to: timeOf('to', to) };
  const found: OfOrganization[] = [];
  for (const organizationId of ids) {
    const incident = checked({ organizationId, ...window, ...filter }, nowMs);
    const happened = await whatHappened(db.of(organizationId), incident);
    if (happened.bounces > 0) found.push({ incident, found: happened });
  }
  return found;
}

/** A template determines its organization. Null means all. */
async function organizationMeant(db: Database, { org, template }: Options): Promise<string | null> {
  if (org !== undefined) await checkOrganization(db, org);
  if (org !== undefined || template === undefined) return org ?? null;
  return organizationWithTemplate(db, template);
}

function inWords(error: unknown): never {
  if (error instanceof ServiceError)
    throw new CliError(`--${error.message.replace(/^template_id: /, 'template: ')}`, EXIT_USAGE);
  throw error;
}

function checked(incident: Incident, nowMs: number): Incident {
  try {
    return checkedIncident(incident, nowMs);
  } catch (error) {
    return inWords(error);
  }
}

function timeOf(option: string, text = ''): Date {
  const ms = parseMoment(text);
  if (ms === null)
    throw new CliError(
      `--${option} must be a time in ISO 8601 such as 2026-11-16T09:00:00Z, not ${text}.`,
      EXIT_USAGE,
    );
  return new Date(ms);
}
