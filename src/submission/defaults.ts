/** What holds where a draft does not say: its domain's settings, or else its organization's. Single sends and batches ask alike. */

import type { DomainTracking } from '../domains/tracking/domain-tracking.ts';
import type { ClickTracking, MailOptions } from '../emails/email.ts';
import type { ClickTrackingDefault } from '../organizations/settings/click-tracking.ts';
import type { OpenTracking } from '../organizations/settings/open-tracking.ts';
import type { MailDomain } from '../protocols/message/address.ts';

export interface DefaultSettings {
  readonly openTracking: Pick<OpenTracking, 'isOn'>;
  readonly clickTracking: Pick<ClickTrackingDefault, 'of'>;
  readonly domainTracking: Pick<DomainTracking, 'of'>;
}

/** What a mail is tracked by, with nothing left open. */
export interface Tracked {
  readonly trackOpens: boolean;
  readonly trackClicks: ClickTracking;
}

/** What the draft says wins. Opens of mail without html cannot be tracked. */
export async function trackedAs(
  { openTracking, clickTracking, domainTracking }: DefaultSettings,
  { organizationId, fromDomain }: { readonly organizationId: string; readonly fromDomain: MailDomain },
  { trackOpens, trackClicks }: Pick<MailOptions, 'trackOpens' | 'trackClicks'>,
  hasHtml: boolean,
): Promise<Tracked> {
  if (trackOpens !== null && trackClicks !== null) return { trackOpens, trackClicks };
  const own = await domainTracking.of(organizationId, fromDomain);
  const opens = trackOpens ?? (hasHtml && (own?.track_opens ?? (await openTracking.isOn(organizationId))));
  const clicks = trackClicks ?? own?.track_clicks ?? (await clickTracking.of(organizationId));
  return { trackOpens: opens, trackClicks: clicks };
}
