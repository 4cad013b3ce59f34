/** Shows the result of a request for several things: a short notice if all succeeded, otherwise the failed ones with reasons. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { useToast } from './toast.tsx';

export interface BulkOutcome {
  readonly succeeded: number;
  readonly failed: number;
  readonly results: readonly { readonly id: string; readonly error: { readonly message: string } | null }[];
}

interface Options {
  readonly nouns: readonly [one: string, several: string];
  /** The first parts of the query keys to ask for again. */
  readonly refresh: readonly string[];
}

/** Named when the question is asked: the row may be gone from the list when the answer comes. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

interface Partly {
  /** What was done, as in “cancelled”. */
  readonly done: string;
  readonly outcome: BulkOutcome;
  readonly names: ReadonlyMap<string, string>;
}

export type RunBulk = (
  done: string,
  things: readonly Named[],
  request: (ids: string[]) => Promise<BulkOutcome>,
) => Promise<void>;

/** Belongs to the page: the note must stay when its list is empty afterwards. */
export function useBulk({ nouns, refresh }: Options): {
  readonly run: RunBulk;
  readonly note: ReactNode;
} {
  const client = useQueryClient();
  const say = useToast();
  const [partly, setPartly] = useState<Partly | null>(null);
  const run: RunBulk = async (done, things, request) => {
    setPartly(null);
    const outcome = await request(things.map(({ id }) => id));
    const names = new Map(things.map(({ id, name }) => [id, name]));
    if (outcome.failed > 0) setPartly({ done, outcome, names });
    else say(`${counted(outcome.succeeded, nouns)} ${done}.`);
    await Promise.all(refresh.map((first) => client.invalidateQueries({ queryKey: [first] })));
  };
  const note = partly ? <PartlyNote {...partly} nouns={nouns} onClose={() => setPartly(null)} /> : null;
  return { run, note };
}

function PartlyNote({
  done,
  outcome: { succeeded, failed, results },
  names,
  nouns,
  onClose,
}: Partly & Pick<Options, 'nouns'> & { readonly onClose: () => void }) {
  const reasons = new Map<string, string[]>();
  for (const { id, error } of results)
    if (error) reasons.set(error.message, [...(reasons.get(error.message) ?? []), names.get(id) ?? id]);
  return (
    <div className="note warn bulk-note" role="status">
      <Icon name="alert" />
      <div className="stack-small grow wrap">
        <div className="strong">
          {succeeded.toLocaleString()} of {counted(succeeded + failed, nouns)} {done}.
        </div>
        {[...reasons].map(([reason, unchanged]) => (
          <details key={reason}>
            <summary>
              {unchanged.length.toLocaleString()} failed: {reason}
            </summary>
            <ul className="small">
              {unchanged.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          </details>
        ))}
      </div>
      <Button size="small" kind="ghost" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}

export function counted(count: number, [one, several]: Options['nouns']): string {
  return `${count.toLocaleString()} ${count === 1 ? one : several}`;
}
