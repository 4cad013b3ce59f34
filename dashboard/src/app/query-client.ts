import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isOfOtherOrganization, PostriderError } from './api.ts';

/** Long enough for a server that restarts, short enough for somebody who waits for it. */
export const ASK_AGAIN_MS = 5_000;

/**
 * The SDK tries again what can be tried again, so the cache does not. What failed because nobody answered is asked for
 * again for as long as it is on the screen.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const noteOtherOrganization = (error: unknown) => {
    if (isOfOtherOrganization(error)) void client.invalidateQueries({ queryKey: ['auth', 'me'] });
  };
  const client: QueryClient = new QueryClient({
    mutationCache: new MutationCache({ onError: noteOtherOrganization }),
    queryCache: new QueryCache({
      onError: (error, query) => {
        noteOtherOrganization(error);
        const isAuth = query.queryKey[0] === 'auth';
        if (!isAuth && error instanceof PostriderError && error.status === 401) onSignedOut();
      },
    }),
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 2_000,
        refetchOnWindowFocus: true,
        refetchInterval: ({ state }) => (isPassing(state.error) ? ASK_AGAIN_MS : false),
      },
      mutations: { retry: false },
    },
  });
  return client;
}

/** Whether it may be over without anybody doing anything here. */
export function isPassing(error: unknown): boolean {
  return error instanceof PostriderError && PASSING.has(error.code);
}

const PASSING: ReadonlySet<string> = new Set([
  'CONNECTION_FAILED',
  'TIMED_OUT',
  'UNAVAILABLE',
  'RATE_LIMITED',
]);
