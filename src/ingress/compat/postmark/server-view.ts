/** Maps an organization with its streams to a Postmark server. */
import type { ClickTracking } from '../../../emails/email.ts';
import { TRANSACTIONAL, toPostmarkStream } from '../../../emails/stream.ts';
import type { Stream } from '../../../streams/stream.ts';
import { postmarkServerId } from '../../../webhooks/dispatch/formats/postmark-words.ts';
import { BROADCAST } from './message-body.ts';
import { trackedLinks } from './message-view.ts';

export interface ServerFacts {
  readonly organizationId: string;
  readonly name: string;
  readonly isSandbox: boolean;
  readonly tracksOpens: boolean;
  readonly tracksClicks: ClickTracking;
  readonly url: string;
}

/** Webhook and inbound settings are empty: they are configured in our own API. */
export function serverView({ organizationId, name, isSandbox, tracksOpens, tracksClicks, url }: ServerFacts) {
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
export function streamViews(organizationId: string, createdAt: Date, own: readonly Stream[]) {
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
