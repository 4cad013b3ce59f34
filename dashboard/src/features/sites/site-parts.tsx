/** Parts that the list of sites, a site and an email show alike. */
import type { Site } from '@postrider/sdk';
import { Badge } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import { isAboutToBe, isSilent, nextTryOf, stateOf } from './words.ts';

export function SiteState({ site }: { readonly site: Pick<Site, 'state' | 'connections' | 'reason'> }) {
  const { tone, name } = stateOf(site);
  return <Badge tone={tone}>{name}</Badge>;
}

/** The reply that was the cause, word for word. Of a pause it is none. */
export function Reply({ site }: { readonly site: Pick<Site, 'state' | 'reply' | 'reason'> }) {
  if (site.reply === null || site.state === 'paused') return null;
  return (
    <div className="small wrap">
      <span className="quiet">{isSilent(site.reason) ? 'What happened:' : 'Reply:'}</span>{' '}
      <code>{site.reply}</code>
    </div>
  );
}

export function NextTry({ site }: { readonly site: Parameters<typeof nextTryOf>[0] }) {
  const next = nextTryOf(site);
  return 'at' in next ? <Expected at={next.at} /> : next.words;
}

export function Expected({ at }: { readonly at: string }) {
  return isAboutToBe(at, Date.now()) ? 'in a moment' : <Time at={at} />;
}
