/** On the page of a held email: what it waits for, and the way to send it. */
import type { Email } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { PostriderError } from '../../app/api.ts';
import { useCan, useMe } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LocalTimes, Time } from '../../ui/time.tsx';
import { mayEnd, ReleaseHold } from '../holds/end-hold.tsx';
import { holdQuery } from '../holds/queries.ts';

type EmailHold = NonNullable<Email['hold']>;

export function HeldNote({ hold: { id, reason, ...hold } }: { readonly hold: EmailHold }) {
  const { is_operator: isOperator } = useMe();
  const { change: mayChange } = useCan();
  const [releasing, setReleasing] = useState(false);
  const { data: current, error } = useQuery(holdQuery(id));
  // The holds of operators are hidden from organizations.
  const isHidden = error instanceof PostriderError && error.status === 404;
  return (
    <div className="note warn">
      <Icon name="hold" />
      <div className="spread grow">
        <div className="stack-small wrap">
          <div className="strong">
            <LocalTimes text={reason} />
          </div>
          <div>
            Held by {hold.placed_by === 'guard' ? 'the guard' : hold.placed_by} since{' '}
            <Time at={hold.placed_at} style="exact" />.{' '}
            {isHidden ? (
              'Only an operator of this installation can release this hold.'
            ) : (
              <Link to="/holds/$id" params={{ id }}>
                Show the hold
              </Link>
            )}
          </div>
        </div>
        {mayChange && current && mayEnd(current, isOperator) ? (
          <Button size="small" onClick={() => setReleasing(true)}>
            Release the hold
          </Button>
        ) : null}
      </div>
      {releasing ? <ReleaseHold id={id} onClose={() => setReleasing(false)} /> : null}
    </div>
  );
}
