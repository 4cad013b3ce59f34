/** In place of data that are not there: that they are loading, or why they cannot be read. */
import { ErrorNote } from './error-note.tsx';
import { Loading } from './page.tsx';

interface QueryStateProps {
  readonly of: { readonly isPending: boolean; readonly error: unknown; readonly refetch: () => unknown };
  /** While loading. */
  readonly lines?: number;
}

export function QueryState({ of, lines }: QueryStateProps) {
  return of.isPending ? <Loading lines={lines} /> : <ErrorNote error={of.error} onRetry={of.refetch} />;
}
