/** What this part of the dashboard asks the API, and how often. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keptFresh } from '../../app/freshness.ts';
import { useToast } from '../../ui/toast.tsx';
import type { Table, WantedTable } from './table-text.ts';

export const routesQuery = queryOptions({
  queryKey: ['routes'],
  queryFn: () => api.routes.get(),
  ...keptFresh(),
});

export const warmUpQuery = queryOptions({
  queryKey: ['routes', 'warm-up'],
  queryFn: () => api.routes.warmUp(),
  ...keptFresh(),
});

export const canariesQuery = queryOptions({
  queryKey: ['routes', 'canaries'],
  queryFn: () => api.routes.canaries(),
  ...keptFresh(),
});

export type CanaryAuditAction = 'pause' | 'resume' | 'back' | 'finish';

/** Of one provider, or of all. */
export function useSteerCanary(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ deed, provider }: { readonly deed: CanaryAuditAction; readonly provider?: string }) => {
      const only = provider === undefined ? {} : { provider };
      if (deed === 'pause') return api.routes.pauseCanary(name, only);
      if (deed === 'resume') return api.routes.resumeCanary(name, only);
      if (deed === 'back') return api.routes.rollBackCanary(name, only);
      return api.routes.finishCanary(name);
    },
    onSuccess: async (board) => {
      client.setQueryData(canariesQuery.queryKey, board);
      await client.invalidateQueries({ queryKey: ['routes'] });
    },
  });
}

/** The whole table is replaced: from the version that is on the screen, so that nobody's change is lost. */
export function useReplaceRoutes<What = void>(wanted: (what: What) => WantedTable, onDone?: () => void) {
  const client = useQueryClient();
  return useMutation<Table, Error, What>({
    mutationFn: (what) => api.routes.replace(wanted(what)),
    onSuccess: async (table) => {
      client.setQueryData(routesQuery.queryKey, table);
      onDone?.();
      await client.invalidateQueries({ queryKey: ['routes'] });
    },
  });
}

/** Replaces the table from a dialog, and closes it. */
export function useSaveRoutes(wanted: () => WantedTable, onClose: () => void) {
  const say = useToast();
  return useReplaceRoutes(wanted, () => {
    say('Saved. Workers follow within seconds.');
    onClose();
  });
}
