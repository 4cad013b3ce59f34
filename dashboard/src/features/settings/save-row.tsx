import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';

/** The foot of a settings form. Read-only users see the values and no button. */
export function SaveRow({ changed, busy }: { readonly changed: boolean; readonly busy: boolean }) {
  const can = useCan();
  if (!can.change) return <p className="quiet small">Your role is read-only.</p>;
  return (
    <div className="row row-end">
      <Button kind="primary" type="submit" disabled={!changed} busy={busy}>
        Save
      </Button>
    </div>
  );
}
