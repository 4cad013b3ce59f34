/** What this part of the dashboard asks the API, and how often. */
import type { Site } from '@postrider/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, PostriderError } from '../../app/api.ts';
import { keptFresh } from '../../app/freshness.ts';

const SITES_VIEWS = ['organization', 'installation'] as const;
type SitesView = (typeof SITES_VIEWS)[number];

export function sitesQuery(view: SitesView) {
  return queryOptions({
    queryKey: ['sites', { view }],
    queryFn: () => api.sites.list({ view }),
    // Everybody's mail is all of the queue, which may be long.
    ...keptFresh(view === 'installation' ? { leastMs: 10_000 } : { changedBy: 'any event' }),
  });
}

export function siteQuery(id: string) {
  return queryOptions({
    queryKey: ['sites', id],
    queryFn: () => api.sites.get(id),
    ...keptFresh({ changedBy: 'any event' }),
  });
}

/** Nothing waits for it any more, or never did. */
export function isGone(error: unknown): boolean {
  return error instanceof PostriderError && error.status === 404;
}

/** Changes a site for everybody; whatever tells of it is asked for again. */
export function useSiteAction(action: () => Promise<Site>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSuccess: async (site) => {
      client.setQueryData(siteQuery(site.id).queryKey, site);
      await Promise.all(
        ['sites', 'stats', 'emails'].map((first) => client.invalidateQueries({ queryKey: [first] })),
      );
    },
  });
}
