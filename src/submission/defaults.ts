/**
 * The defaults of a draft's options: the settings of its domain, or else of its organization. Single sends and batches share
 * them.
 */

import type { DomainTracking } from '../domains/tracking/domain-tracking.ts';
import type { ClickTracking, MailOptions } from '../emails/email.ts';
import type { TrackingDefaults } from '../organizations/settings/tracking.ts';
import type { MailDomain } from '../protocols/message/address.ts';

export interface DefaultSettings {
  readonly openTracking: Pick<TrackingDefaults['openTracking'], 'of'>;
  readonly clickTracking: Pick<TrackingDefaults['clickTracking'], 'of'>;
  readonly domainTracking: Pick<DomainTracking, 'of'>;
}

/** For mail of the installation itself, which no organization's settings concern. */
export const NO_SETTINGS: DefaultSettings = {
  openTracking: { of: async () => false },
  clickTracking: { of: async () => 'off' },
  domainTracking: { of: async () => undefined },
};

/** The options that settings have a default for, as the email is stored with them. */
export interface AppliedDefaults {
  readonly trackOpens: boolean;
  readonly trackClicks: ClickTracking;
}

/** What `NO_SETTINGS` results in. */
export const DEFAULTS_WITHOUT_SETTINGS: AppliedDefaults = { trackOpens: false, trackClicks: 'off' };

/** The draft's own options take precedence. Opens of mail without html cannot be tracked. */
export async function applyDefaults(
  { openTracking, clickTracking, domainTracking }: DefaultSettings,
  { organizationId, fromDomain }: { readonly organizationId: string; readonly fromDomain: MailDomain },
  { trackOpens, trackClicks }: Pick<MailOptions, 'trackOpens' | 'trackClicks'>,
  hasHtml: boolean,
): Promise<AppliedDefaults> {
  if (trackOpens !== null && trackClicks !== null) return { trackOpens, trackClicks };
  const own = await domainTracking.of(organizationId, fromDomain);
  const opens = trackOpens ?? (hasHtml && (own?.track_opens ?? (await openTracking.of(organizationId))));
  const clicks = trackClicks ?? own?.track_clicks ?? (await clickTracking.of(organizationId));
  return { trackOpens: opens, trackClicks: clicks };
}
