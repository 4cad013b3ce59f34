/** What holds where a draft does not say: the settings of its organization. Single sends and batches ask alike. */

import type { MailOptions } from '../emails/email.ts';
import type { OpenTracking } from '../organizations/settings/open-tracking.ts';

export interface DefaultSettings {
  readonly openTracking: Pick<OpenTracking, 'isOn'>;
}

/** It leaves nothing open that a setting decides. */
export type Settled<Any extends MailOptions> = Any & { readonly trackOpens: boolean };

/** What the draft says wins. Mail without html has nothing to track. */
export async function withDefaults<Any extends MailOptions>(
  { openTracking }: DefaultSettings,
  organizationId: string,
  draft: Any,
  hasHtml: boolean,
): Promise<Settled<Any>> {
  const trackOpens = draft.trackOpens ?? (hasHtml && (await openTracking.isOn(organizationId)));
  return { ...draft, trackOpens };
}
