/** Sends the template to one address. Unsaved changes are saved as a draft first. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useMe } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { parseData } from '../compose/draft.ts';
import { domainsQuery } from '../domains/queries.ts';
import type { Edited } from './use-edited.ts';
import type { Saving } from './use-save.ts';

interface Props {
  readonly edited: Edited;
  readonly save: Saving;
  readonly locale: string | null;
  readonly onClose: () => void;
}

export function TestSend({ edited, save, locale, onClose }: Props) {
  const me = useMe();
  const domains = useQuery(domainsQuery);
  const domain = domains.data?.find(({ is_verified }) => is_verified)?.domain;
  const [from, setFrom] = useState('');
  const [to, setTo] = useState(me.user.email);
  const { opened, draft, data, contentChanged, namesChanged } = edited;
  const isDraft = contentChanged || opened.draft !== null;
  const sender = from === '' && domain ? `hello@${domain}` : from;
  const send = useMutation({
    mutationFn: async () => {
      if (contentChanged || namesChanged) await save.mutateAsync({ publish: false, draft });
      return api.templates.sendTest(opened.id, {
        from: { email: sender },
        to: { email: to },
        data: parseData(data),
        draft: isDraft,
        ...(locale === null ? {} : { locale }),
      });
    },
  });
  if (send.data) return <Sent to={to} id={send.data.message_id} onClose={onClose} />;
  return (
    <Dialog title="Send test" onClose={onClose}>
      <DialogForm
        does={send}
        action={contentChanged || namesChanged ? 'Save draft and send' : 'Send test email'}
        known={['from.email', 'to.email']}
        onClose={onClose}
      >
        <p className="quiet">
          Sends {isDraft ? 'the draft' : `version ${opened.version}`}
          {locale === null ? '' : ` in ${locale}`} with the sample data.
        </p>
        <TextField
          label="From"
          type="email"
          required
          value={sender}
          onChange={(event) => setFrom(event.target.value)}
          problem={problemOf(send.error, 'from.email')}
        />
        <TextField
          label="To"
          type="email"
          required
          value={to}
          onChange={(event) => setTo(event.target.value)}
          problem={problemOf(send.error, 'to.email')}
        />
      </DialogForm>
    </Dialog>
  );
}

interface SentProps {
  readonly to: string;
  readonly id: string;
  readonly onClose: () => void;
}

/** The editor stays open, so that the next test is one click away. */
function Sent({ to, id, onClose }: SentProps) {
  return (
    <Dialog title="Test sent" onClose={onClose}>
      <div className="stack">
        <p role="status" className="wrap">
          The test was sent to {to}.
        </p>
        <div className="row row-end">
          <Link to="/emails/$id" params={{ id }} className="button">
            View email
          </Link>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
