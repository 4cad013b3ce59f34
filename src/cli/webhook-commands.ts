/** Manages webhooks from a shell: list, create, and test. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { createWebhookDeliveries, createWebhookService } from '../processes/webhook-dispatching.ts';
import { createLog } from '../runtime/log.ts';
import type { WebhookDeliveries } from '../webhooks/endpoints/deliveries.ts';
import { TEST_TYPE, WEBHOOK_TYPES, type WebhookType } from '../webhooks/endpoints/schema.ts';
import type { WebhookService } from '../webhooks/endpoints/service.ts';
import { WEBHOOK_FORMATS } from '../webhooks/endpoints/store.ts';
import {
  deliveryView,
  endpointView,
  endpointWithSecretView,
  storedType,
} from '../webhooks/endpoints/view.ts';
import { recordOperatorAction } from './audit.ts';
import { closest } from './closest.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_FAILED,
  EXIT_USAGE,
  ONLY_ORGANIZATION,
  type Options,
  parseCount,
} from './command.ts';
import { organizationOf } from './event-commands.ts';
import { openKeyRing, withDatabase } from './installation.ts';
import { refuseInWords } from './refusal.ts';
import { minute, table } from './table.ts';

const WAIT_S = 15;
const MAX_WAIT_S = 600;
const CHECK_INTERVAL_MS = 250;

export const webhookCommands: readonly Command[] = [
  {
    name: 'webhook list',
    optional: { org: 'ID' },
    summary: 'List the webhooks of an organization, and whether their calls succeed',
    explains: { '--org': ONLY_ORGANIZATION },
    example: 'webhook list',
    run: (context, _positionals, options) => list(context, options),
  },
  {
    name: 'webhook add',
    positionals: ['URL'],
    optional: { org: 'ID', events: 'TYPES', format: WEBHOOK_FORMATS.join('|') },
    summary: 'Send events to a URL, and show the signing secret once',
    explains: {
      URL: 'the URL of the application: https, with a public address',
      '--org': ONLY_ORGANIZATION,
      '--events': 'only these types, separated by commas: email.delivered,email.bounced',
      '--format': 'the service whose event format is used; the default is postrider',
    },
    example: 'webhook add https://example.org/hooks/mail --events email.delivered,email.bounced',
    run: (context, [url = ''], options) => add(context, url, options),
  },
  {
    name: 'webhook test',
    positionals: ['ID'],
    optional: { org: 'ID', type: 'TYPE', wait: 'SECONDS' },
    summary: 'Send a test event to a webhook, and show the response',
    explains: {
      ID: 'the webhook, by its id in `npx postrider webhook list`',
      '--org': ONLY_ORGANIZATION,
      '--type': `the type of the event; the default is ${TEST_TYPE}`,
      '--wait': `the maximum time to wait for the response; the default is ${WAIT_S}`,
    },
    choices: { '--type': WEBHOOK_TYPES },
    example: 'webhook test whk_3k9q1xw7v5t2n8e4r6y0 --type email.bounced',
    run: (context, [id = ''], options) => test(context, id, options),
  },
];

async function list(context: CommandContext, { org }: Options): Promise<CommandAnswer> {
  const rows = await withWebhooks(context, org, ({ webhooks, organizationId }) =>
    webhooks.list(organizationId),
  );
  const views = rows.map(endpointView);
  const cells = views.map((one) => [
    one.id,
    one.url,
    one.event_types?.join(',') ?? 'all',
    one.format,
    stateOf(one),
    minute(one.created_at),
  ]);
  return {
    json: views,
    lines:
      rows.length === 0
        ? ['There is no webhook. To add one: npx postrider webhook add URL']
        : table(['ID', 'URL', 'EVENTS', 'FORMAT', 'STATE', 'CREATED (UTC)'], cells),
  };
}

function stateOf(one: ReturnType<typeof endpointView>): string {
  if (!one.enabled) return `disabled (${one.disabled_reason ?? 'manual'})`;
  return one.failing_since === null ? 'active' : `failing: ${one.last_error ?? 'no answer'}`;
}

async function add(context: CommandContext, url: string, options: Options): Promise<CommandAnswer> {
  const { events, format: given } = options;
  const format = WEBHOOK_FORMATS.find((one) => one === (given ?? 'postrider'));
  if (format === undefined) throw new CliError(`--format must be ${WEBHOOK_FORMATS.join(', ')}.`, EXIT_USAGE);
  const event_types =
    events === undefined ? null : events.split(',').map((one) => typeOf('--events', one.trim()));
  const made = await withWebhooks(context, options.org, async ({ db, webhooks, organizationId }) => {
    const { row, secret } = await webhooks.create(organizationId, { url, format, event_types });
    const target = { organizationId, targetId: row.id, targetName: row.url };
    await recordOperatorAction(db, context, {
      ...target,
      action: 'webhook.created',
      details: { event_types, format },
    });
    return endpointWithSecretView(row, secret);
  });
  return {
    json: made,
    lines: [
      `Added the webhook ${made.id}. Its signing secret is shown only once:`,
      '',
      `  ${made.secret}`,
      '',
      `To try it: npx postrider webhook test ${made.id}`,
    ],
  };
}

async function test(context: CommandContext, id: string, options: Options): Promise<CommandAnswer> {
  const waitMs =
    1_000 * (options.wait === undefined ? WAIT_S : parseCount('--wait', options.wait, MAX_WAIT_S));
  const type = options.type === undefined ? TEST_TYPE : storedType(typeOf('--type', options.type));
  const { sent, url } = await withWebhooks(context, options.org, async (open) => {
    const { webhooks, deliveries, organizationId } = open;
    const of = { organizationId, endpointId: id };
    const { url } = await webhooks.find(organizationId, id);
    const first = deliveryView(await deliveries.test(of, type));
    return { url, sent: await answered(open, of, first, waitMs, context.enough) };
  });
  const last = sent.attempts.at(-1);
  if (last === undefined)
    return {
      json: sent,
      lines: [
        `No worker has sent the test within ${waitMs / 1_000} s. \`npx postrider status\` shows the workers.`,
      ],
      exitCode: EXIT_FAILED,
    };
  const answer = last.status === null ? (last.error ?? 'no answer') : `it answered ${last.status}`;
  return sent.status === 'delivered'
    ? { json: sent, lines: [`${url} accepted the test: ${answer}.`] }
    : {
        json: sent,
        lines: [`${url} did not accept the test: ${answer}. The webhook is retried like any other event.`],
        exitCode: EXIT_FAILED,
      };
}

/** Polls until the first attempt was made, or the timeout. */
async function answered(
  { deliveries }: OpenWebhooks,
  of: { readonly organizationId: string; readonly endpointId: string },
  first: ReturnType<typeof deliveryView>,
  waitMs: number,
  enough: AbortSignal,
): Promise<ReturnType<typeof deliveryView>> {
  const until = performance.now() + waitMs;
  for (let now = first; ; now = deliveryView((await deliveries.one(of, first.id)).row)) {
    if (now.attempts.length > 0 || performance.now() >= until || enough.aborted) return now;
    await sleep(CHECK_INTERVAL_MS);
  }
}

interface OpenWebhooks {
  readonly db: Database;
  readonly webhooks: WebhookService;
  readonly deliveries: WebhookDeliveries;
  readonly organizationId: string;
}

function withWebhooks<T>(
  { config, clock }: CommandContext,
  org: string | undefined,
  work: (open: OpenWebhooks) => Promise<T>,
): Promise<T> {
  return withDatabase(config, async (all) => {
    const organizationId = await organizationOf(all, org);
    const log = createLog('cli', 'silent');
    const deps = { config, clock, log, db: all, ring: await openKeyRing(all, config) };
    const webhooks = createWebhookService(deps);
    const deliveries = createWebhookDeliveries(deps, webhooks);
    return work({ db: all, webhooks, deliveries, organizationId }).catch((error) =>
      refuseInWords(error, { url: 'URL', event_types: '--events', type: '--type' }),
    );
  });
}

function typeOf(option: string, text: string): WebhookType {
  const type = WEBHOOK_TYPES.find((one) => one === text);
  if (type !== undefined) return type;
  const meant = closest(text, WEBHOOK_TYPES);
  const hint = meant === undefined ? `There are: ${WEBHOOK_TYPES.join(', ')}.` : `Did you mean ${meant}?`;
  throw new CliError(`${option}: there is no event ${text}. ${hint}`, EXIT_USAGE);
}
