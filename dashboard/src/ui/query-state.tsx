/** In place of data that are not there: that they are loading, or why they cannot be read. */
import { PostriderError } from '../app/api.ts';
import { ErrorNote } from './error-note.tsx';
import { Empty, Loading } from './page.tsx';

interface QueryStateProps {
  readonly of: { readonly isPending: boolean; readonly error: unknown; readonly refetch: () => unknown };
  /** While loading. */
  readonly lines?: number;
}

export function QueryState({ of, lines }: QueryStateProps) {
  if (of.isPending) return <Loading lines={lines} />;
  if (of.error instanceof PostriderError && of.error.status === 404) return <NothingThere />;
  return <ErrorNote error={of.error} onRetry={of.refetch} />;
}

/** The id in the address may be mistyped, or of something that was deleted or belongs to another organization. */
function NothingThere() {
  return (
    <div className="card" role="alert">
      <Empty icon="search" title="Nothing was found at this address">
        <p>The address may be wrong, or the entry was deleted or belongs to another organization.</p>
      </Empty>
    </div>
  );
}
