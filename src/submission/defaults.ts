/** What holds where a draft does not say: the settings of its organization. Single sends and batches ask alike. */

import type { ClickTracking, MailOptions } from '../emails/email.ts';
import type { ClickTrackingDefault } from '../organizations/settings/click-tracking.ts';
import type { OpenTracking } from '../organizations/settings/open-tracking.ts';

export interface DefaultSettings {
  readonly openTracking: Pick<OpenTracking, 'isOn'>;
  readonly clickTracking: Pick<ClickTrackingDefault, 'of'>;
}

/** What a mail is tracked by, with nothing left open. */
export interface Tracked {
  readonly trackOpens: boolean;
  readonly trackClicks: ClickTracking;
}

/** What the draft says wins. Opens of mail without html cannot be tracked. */
export async function trackedAs(
  { openTracking, clickTracking }: DefaultSettings,
  organizationId: string,
  { trackOpens, trackClicks }: Pick<MailOptions, 'trackOpens' | 'trackClicks'>,
  hasHtml: boolean,
): Promise<Tracked> {
  if (trackOpens !== null && trackClicks !== null) return { trackOpens, trackClicks };
  const opens = trackOpens ?? (hasHtml && (await openTracking.isOn(organizationId)));
  const clicks = trackClicks ?? (await clickTracking.of(organizationId));
  return { trackOpens: opens, trackClicks: clicks };
}
