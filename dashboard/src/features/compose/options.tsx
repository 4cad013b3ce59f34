import { problemOf } from '../../ui/error-note.tsx';
import { Check, TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import type { PartProps } from './draft.ts';

export function Options({ draft, onChange, error }: PartProps & { readonly error: unknown }) {
  return (
    <Card title="Options">
      <div className="stack">
        <TextField
          label="Cc"
          value={draft.cc}
          onChange={(event) => onChange({ cc: event.target.value })}
          problem={problemOf(error, 'cc')}
        />
        <TextField
          label="Bcc"
          value={draft.bcc}
          onChange={(event) => onChange({ bcc: event.target.value })}
          problem={problemOf(error, 'bcc')}
        />
        <TextField
          label="Reply to"
          value={draft.replyTo}
          onChange={(event) => onChange({ replyTo: event.target.value })}
          problem={problemOf(error, 'reply_to')}
        />
        <TextField
          label="Send at"
          type="datetime-local"
          hint="Leave it empty to send now."
          value={draft.scheduledAt}
          onChange={(event) => onChange({ scheduledAt: event.target.value })}
          problem={problemOf(error, 'scheduled_at')}
        />
        <TextField
          label="Tags"
          placeholder="kind:receipt, team:shop"
          value={draft.tags}
          onChange={(event) => onChange({ tags: event.target.value })}
          problem={problemOf(error, 'tags')}
        />
        <Check
          label="Require TLS"
          hint="The email bounces unless every server on its way supports REQUIRETLS. Few servers do."
          checked={draft.requireTls}
          onChange={(event) => onChange({ requireTls: event.target.checked })}
        />
      </div>
    </Card>
  );
}
