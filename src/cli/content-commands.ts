/** `npx postrider content bring-back`, for an operator who stops using a content store. */
import type { Database } from '../database/database.ts';
import { sizeText } from '../operations/backup/progress.ts';
import { countContentToRestore, restoreContent } from '../operations/content-restore.ts';
import { ThrottledProgress } from '../operations/move/throttled-progress.ts';
import { findOrganization } from '../organizations/store.ts';
import { openContentStore } from '../processes/content-store.ts';
import { createLog } from '../runtime/log.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { recordOperatorAction } from './audit.ts';
import { CliError, type Command, type CommandAnswer, type CommandContext, EXIT_FAILED } from './command.ts';
import { answering, type CellAway, withAway } from './each-cell.ts';
import { withDatabase } from './installation.ts';

export const contentCommands: readonly Command[] = [
  {
    name: 'content bring-back',
    optional: { org: 'ID' },
    summary:
      'Move the content of emails back from object storage into PostgreSQL; can be interrupted and repeated',
    example: 'content bring-back',
    run: (context, _positionals, { org }) => bringBack(context, org),
  },
];

const MAX_NAMED = 20;

interface Brought {
  emails: number;
  readonly missing: string[];
}

async function bringBack(context: CommandContext, org: string | undefined): Promise<CommandAnswer> {
  refuseWhereItGoesBack(context);
  const brought: Brought = { emails: 0, missing: [] };
  const away = await withDatabase(context.config, async (db) => {
    if (org !== undefined && (await findOrganization(db, org)) === undefined)
      throw new CliError(`There is no organization ${org}. See: npx postrider org list`);
    try {
      return await bringFromEach(context, db, org, brought);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new CliError(
        `${error.message} ${backSoFar(brought)} Run the command again to bring back the rest.`,
      );
    } finally {
      const details = { emails: brought.emails };
      if (brought.emails > 0)
        await recordOperatorAction(db, context, {
          action: 'content.brought_back',
          organizationId: org ?? null,
          details,
        });
    }
  });
  return withAway(answerTo(brought, context.enough.aborted), away);
}

/** Refused while the store is configured, because workers would move the content out again. */
function refuseWhereItGoesBack({ config: { contentStore } }: CommandContext): void {
  if (contentStore === undefined)
    throw new CliError(
      'No content store is configured here. Set POSTRIDER_CONTENT_S3_ENDPOINT and the other POSTRIDER_CONTENT_S3 settings as for the workers.',
    );
  if (contentStore.moveAfterMs !== null)
    throw new CliError(
      'Content is still moved to the content store, and would go back there. Set POSTRIDER_CONTENT_S3_AFTER=off for every process, and here, first.',
    );
}

async function bringFromEach(
  context: CommandContext,
  db: Database,
  only: string | undefined,
  brought: Brought,
): Promise<readonly CellAway[]> {
  const { config, clock, json, enough: signal } = context;
  const say = json ? () => {} : context.say;
  const { moved } = openContentStore({ config, db, clock, log: createLog('cli', 'silent') });
  const { answers, away } = await answering(db);
  const counted = await Promise.all(answers.map(({ value }) => countContentToRestore(value, only)));
  const emails = counted.reduce((sum, one) => sum + one.emails, 0);
  const bytes = counted.reduce((sum, one) => sum + one.bytes, 0);
  say(`${emails} emails have their content in the bucket, ${sizeText(bytes)} when it is back`);
  const progress = new ThrottledProgress(say);
  const onBrought = (count: number, missing: readonly string[]) => {
    brought.emails += count;
    brought.missing.push(...missing);
    progress.now(
      `Brought back ${brought.emails} of ${emails}`,
      Math.min(1, brought.emails / Math.max(1, emails)),
    );
  };
  for (const { value } of answers) await restoreContent(value, { moved, only, signal, onBrought });
  return away;
}

const backSoFar = ({ emails }: Brought) => `The content of ${emails} emails is back in PostgreSQL.`;

function answerTo(brought: Brought, isCutOff: boolean): CommandAnswer {
  const { emails, missing } = brought;
  const more = missing.length > MAX_NAMED ? `, and ${missing.length - MAX_NAMED} more` : '';
  const lines = [backSoFar(brought)];
  if (missing.length > 0)
    lines.push(`The bucket has nothing of ${missing.slice(0, MAX_NAMED).join(', ')}${more}.`);
  if (isCutOff) lines.push('Interrupted. Run the command again to bring back the rest.');
  const isWhole = missing.length === 0 && !isCutOff;
  return { json: { emails, missing }, lines, ...(isWhole ? {} : { exitCode: EXIT_FAILED }) };
}
