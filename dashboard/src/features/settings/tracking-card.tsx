import { CodeBlock } from '../../ui/copy.tsx';
import { Card } from '../../ui/page.tsx';

/** Opens are tracked email by email, so there is nothing to switch here: only to know. */
export function TrackingCard() {
  return (
    <Card title="Open tracking">
      <div className="stack-small">
        <p>
          Off unless an email asks for it. With <code>track_opens</code> an invisible image is put into its
          HTML, and the email becomes “opened” when it is loaded. Mail programs that load images for their
          users count, too, so take the numbers as a hint.
        </p>
        <CodeBlock text={'{ "track_opens": true, "html": "…" }'} label="Copy the example" />
      </div>
    </Card>
  );
}
