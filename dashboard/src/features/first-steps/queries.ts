import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';

export const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: () => api.stats.firstSteps(),
  refetchInterval: 5_000,
});
