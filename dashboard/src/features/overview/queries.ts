/** The API calls that the overview shares with the sidebar. */
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';

/** On pages other than the overview, which asks more often. */
const IN_THE_MENU_MS = 60_000;

export const attentionQuery = queryOptions({
  queryKey: ['stats', 'attention'],
  queryFn: () => api.stats.attention(),
  refetchInterval: IN_THE_MENU_MS,
});
