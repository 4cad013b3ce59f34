import { QueryCache, QueryClient } from '@tanstack/react-query';
import { PostriderError } from './api.ts';

/** The SDK tries again what can be tried again, so the cache does not. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const isAuth = query.queryKey[0] === 'auth';
        if (!isAuth && error instanceof PostriderError && error.status === 401) onSignedOut();
      },
    }),
    defaultOptions: {
      queries: { retry: false, staleTime: 2_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
}
