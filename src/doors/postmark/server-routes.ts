/** The server (an organization here), its streams and its statistics. */
import type { FastifyInstance } from 'fastify';
import type { Reads } from '../../kit/database/reads.ts';
import type { Sql } from '../../kit/database/sql.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import type { Config } from '../../kit/runtime/config.ts';
import { DAY_MS } from '../../kit/runtime/durations.ts';
import { ServiceError } from '../../kit/service-error.ts';
import type { ClickTrackingDefault } from '../../organizations/settings/click-tracking.ts';
import type { OpenTracking } from '../../organizations/settings/open-tracking.ts';
import { findOrganization, type OrganizationRow } from '../../organizations/store.ts';
import { countsByPeriod, KEPT_DAYS } from '../../stats/hourly-counts.ts';
import { momentIn, type PostmarkQuery, postmarkQuery, refuseFilters } from './query.ts';
import { serverView, streamViews } from './server-view.ts';

export interface PostmarkServer {
  readonly db: Sql;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly openTracking: Pick<OpenTracking, 'isOn'>;
  readonly clickTracking: Pick<ClickTrackingDefault, 'of'>;
  readonly config: Pick<Config, 'mode' | 'publicUrl'>;
}

export function routePostmarkServer(app: FastifyInstance, deps: PostmarkServer): void {
  const organizationOf = async (id: string) => (await findOrganization(deps.db, id)) as OrganizationRow;

  app.get('/server', async ({ principal: { organizationId } }) => {
    const { name } = await organizationOf(organizationId);
    const tracksOpens = await deps.openTracking.isOn(organizationId);
    const tracksClicks = await deps.clickTracking.of(organizationId);
    const { mode, publicUrl: url } = deps.config;
    const tracks = { tracksOpens, tracksClicks };
    return serverView({ organizationId, name, ...tracks, isSandbox: mode === 'sandbox', url });
  });

  const ofEverybody = { config: { scope: 'send', tied: true } } as const;
  app.get('/message-streams', ofEverybody, async ({ principal: { organizationId } }) => {
    const { created_at } = await organizationOf(organizationId);
    const MessageStreams = streamViews(organizationId, created_at);
    return { MessageStreams, TotalCount: MessageStreams.length };
  });

  app.get<{ Params: { id: string } }>('/message-streams/:id', ofEverybody, async ({ principal, params }) => {
    const { created_at } = await organizationOf(principal.organizationId);
    const found = streamViews(principal.organizationId, created_at).find(({ ID }) => ID === params.id);
    if (found === undefined) throw new ServiceError('NOT_FOUND', 'There is no such message stream.');
    return found;
  });

  app.get('/stats/outbound', (request) =>
    overview(deps, request.principal.organizationId, postmarkQuery(request)),
  );
}

/** Emails are counted where Postmark counts recipients, and each email that was opened once; of clicks, who clicked. */
async function overview({ reads, clock }: PostmarkServer, organizationId: string, query: PostmarkQuery) {
  refuseFilters(query, ['tag', 'messagestream']);
  const nowMs = clock.nowMs();
  const rows = await countsByPeriod(reads.lately(organizationId), organizationId, {
    fromMs: momentIn(query, 'fromdate') ?? nowMs - KEPT_DAYS * DAY_MS,
    toMs: momentIn(query, 'todate') ?? nowMs,
    unit: 'day',
  });
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
