/** Postmark's server (an organization here), its streams and its statistics. */
import type { FastifyInstance } from 'fastify';
import { countsByPeriod, KEPT_DAYS } from '../../../counters/hourly-counts.ts';
import { streamCountsByPeriod } from '../../../counters/stream-counts.ts';
import type { Database } from '../../../database/database.ts';
import type { Reads } from '../../../database/reads.ts';
import type { ClickTracking } from '../../../emails/email.ts';
import { fromPostmarkStream, TRANSACTIONAL, toPostmarkStream } from '../../../emails/stream.ts';
import type { TrackingDefaults } from '../../../organizations/settings/tracking.ts';
import { findOrganization, type OrganizationRow } from '../../../organizations/store.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Config } from '../../../runtime/config.ts';
import { DAY_MS } from '../../../runtime/durations.ts';
import { ServiceError } from '../../../runtime/service-error.ts';
import { streamsOf } from '../../../streams/service.ts';
import { builtIn, type Stream } from '../../../streams/stream.ts';
import { postmarkServerId } from '../../../webhooks/dispatch/formats/postmark-bounce-types.ts';
import { BROADCAST } from './message-body.ts';
import { trackedLinks } from './message-routes.ts';
import { momentIn, type PostmarkQuery, postmarkQuery, refuseFilters } from './query.ts';

interface PostmarkServer {
  readonly db: Database;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly openTracking: Pick<TrackingDefaults['openTracking'], 'of'>;
  readonly clickTracking: Pick<TrackingDefaults['clickTracking'], 'of'>;
  readonly config: Pick<Config, 'mode' | 'publicUrl'>;
}

export function routePostmarkServer(app: FastifyInstance, deps: PostmarkServer): void {
  const organizationOf = async (id: string) => (await findOrganization(deps.db, id)) as OrganizationRow;

  const streamsIn = async (id: string) => {
    const own = (await streamsOf(deps, id)).filter(({ name }) => builtIn(name) === undefined);
    return streamViews(id, (await organizationOf(id)).created_at, own);
  };

  app.get('/server', async ({ principal: { organizationId } }) => {
    const { name } = await organizationOf(organizationId);
    const tracksOpens = await deps.openTracking.of(organizationId);
    const tracksClicks = await deps.clickTracking.of(organizationId);
    const { mode, publicUrl: url } = deps.config;
    const tracks = { tracksOpens, tracksClicks };
    return serverView({ organizationId, name, ...tracks, isSandbox: mode === 'sandbox', url });
  });

  const ofEverybody = { config: { scope: 'send', tied: true } } as const;
  app.get('/message-streams', ofEverybody, async ({ principal: { organizationId } }) => {
    const MessageStreams = await streamsIn(organizationId);
    return { MessageStreams, TotalCount: MessageStreams.length };
  });

  app.get<{ Params: { id: string } }>('/message-streams/:id', ofEverybody, async ({ principal, params }) => {
    const found = (await streamsIn(principal.organizationId)).find(({ ID }) => ID === params.id);
    if (found === undefined) throw new ServiceError('NOT_FOUND', 'There is no such message stream.');
    return found;
  });

  app.get('/stats/outbound', (request) =>
    overview(deps, request.principal.organizationId, postmarkQuery(request)),
  );
}

/**
 * Counts emails where Postmark counts recipients. Each opened email counts once; clicks count by recipient.
 */
async function overview({ reads, clock }: PostmarkServer, organizationId: string, query: PostmarkQuery) {
  refuseFilters(query, ['tag']);
  const nowMs = clock.nowMs();
  const period = {
    fromMs: momentIn(query, 'fromdate') ?? nowMs - KEPT_DAYS * DAY_MS,
    toMs: momentIn(query, 'todate') ?? nowMs,
    unit: 'day',
  } as const;
  const db = reads.lately(organizationId);
  const all = await countsByPeriod(db, organizationId, period);
  const { messagestream: asked } = query;
  const rows =
    asked === undefined
      ? all
      : await streamCountsByPeriod(db, organizationId, fromPostmarkStream(asked), period, all);
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
  const [sent, bounced, complaints, opened, clicked] = [
    sum((row) => row.accepted),
    sum((row) => row.bounced),
    sum((row) => row.complaints),
    sum((row) => row.opened),
    sum((row) => row.clicked),
  ];
  const percent = (part: number) => (sent === 0 ? 0 : Math.round((part / sent) * 100_000) / 1_000);
  return {
    Sent: sent,
    Bounced: bounced,
    SMTPApiErrors: 0,
    BounceRate: percent(bounced),
    SpamComplaints: complaints,
    SpamComplaintsRate: percent(complaints),
    Opens: opened,
    UniqueOpens: opened,
    WithLinkTracking: 0,
    TotalTrackedLinksSent: 0,
    UniqueLinksClicked: clicked,
    TotalClicks: clicked,
    WithClientRecorded: 0,
    WithPlatformRecorded: 0,
    WithReadTimeRecorded: 0,
  };
}

/** Maps an organization with its streams to a Postmark server. */
interface ServerFacts {
  readonly organizationId: string;
  readonly name: string;
  readonly isSandbox: boolean;
  readonly tracksOpens: boolean;
  readonly tracksClicks: ClickTracking;
  readonly url: string;
}

/** Webhook and inbound settings are empty: they are configured in our own API. */
function serverView({ organizationId, name, isSandbox, tracksOpens, tracksClicks, url }: ServerFacts) {
  return {
    ID: postmarkServerId(organizationId),
    Name: name,
    ApiTokens: [],
    ServerLink: url,
    Color: 'blue',
    SmtpApiActivated: true,
    RawEmailEnabled: false,
    DeliveryType: isSandbox ? 'Sandbox' : 'Live',
    InboundAddress: '',
    InboundHookUrl: '',
    BounceHookUrl: '',
    OpenHookUrl: '',
    DeliveryHookUrl: '',
    ClickHookUrl: '',
    PostFirstOpenOnly: false,
    InboundDomain: '',
    InboundHash: '',
    InboundSpamThreshold: 0,
    TrackOpens: tracksOpens,
    TrackLinks: trackedLinks(tracksClicks),
    IncludeBounceContentInHook: false,
    EnableSmtpApiErrorHooks: false,
  };
}

/** `own` lists streams in addition to the two default ones. */
function streamViews(organizationId: string, createdAt: Date, own: readonly Stream[]) {
  const common = {
    ServerID: postmarkServerId(organizationId),
    CreatedAt: createdAt,
    UpdatedAt: null,
    ArchivedAt: null,
  };
  return [
    {
      ...common,
      ID: toPostmarkStream(TRANSACTIONAL),
      Name: 'Transactional',
      Description: 'All mail, unless it says another stream.',
      MessageStreamType: 'Transactional',
      ExpectedPurgeDate: null,
      SubscriptionManagementConfiguration: { UnsubscribeHandlingType: 'None' },
    },
    {
      ...common,
      ID: BROADCAST,
      Name: 'Broadcasts',
      Description: 'Mail with an unsubscribe link, of the group broadcast.',
      MessageStreamType: 'Broadcasts',
      ExpectedPurgeDate: null,
      SubscriptionManagementConfiguration: { UnsubscribeHandlingType: 'Postmark' },
    },
    ...own.map(({ name, description, priority, createdAt: madeAt }) => ({
      ...common,
      CreatedAt: madeAt ?? createdAt,
      ID: name,
      Name: name,
      Description: description ?? '',
      MessageStreamType: priority === 'low' ? 'Broadcasts' : 'Transactional',
      ExpectedPurgeDate: null,
      SubscriptionManagementConfiguration: { UnsubscribeHandlingType: 'None' },
    })),
  ];
}
