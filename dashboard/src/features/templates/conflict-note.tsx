/** A colleague saved the template while it was edited here: shows both states, and lets the user choose. */
import type { TemplateDetail } from '@postrider/sdk';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { Compare } from './compare.tsx';
import { comparable } from './draft.ts';
import type { Edited } from './use-edited.ts';

export function ConflictNote({
  edited,
  theirs,
}: {
  readonly edited: Edited;
  readonly theirs: TemplateDetail;
}) {
  const [comparing, setComparing] = useState(false);
  const by = theirs.draft?.saved_by ?? null;
  return (
    <div className="note bad stack-small" role="alert">
      <p>
        <strong>{by === null ? 'The template was changed' : `${by} changed the template`}</strong>{' '}
        <Time at={theirs.last_changed_at} />, while you were editing it. Your changes are not saved yet.
      </p>
      <div className="row">
        <Button size="small" onClick={() => setComparing(true)}>
          Compare
        </Button>
        <Button size="small" onClick={() => edited.rebase(theirs)}>
          Keep my changes
        </Button>
        <Button size="small" kind="danger" onClick={() => edited.open(theirs)}>
          Discard my changes
        </Button>
      </div>
      {comparing ? (
        <Compare
          template={theirs}
          title="Saved version and your changes"
          before={{ name: 'Saved', content: theirs.draft ?? theirs }}
          after={{ name: 'Yours', content: comparable(edited.draft) }}
          data={edited.data}
          onClose={() => setComparing(false)}
        />
      ) : null}
    </div>
  );
}
