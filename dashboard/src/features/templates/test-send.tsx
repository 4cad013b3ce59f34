import type { TemplateDetail } from '@postrider/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useMe } from '../../app/session.ts';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { parseData } from '../compose/draft.ts';
import { domainsQuery } from '../domains/queries.ts';

interface Props {
  readonly template: TemplateDetail;
  readonly data: string;
  readonly locale: string | null;
  readonly onClose: () => void;
}

/** Sends what is saved, the draft where there is one, to one address, to see it in a real mail program. */
export function TestSend({ template, data, locale, onClose }: Props) {
  const me = useMe();
  const navigate = useNavigate();
  const domains = useQuery(domainsQuery);
  const domain = domains.data?.find(({ is_verified }) => is_verified)?.domain;
  const [from, setFrom] = useState('');
  const [to, setTo] = useState(me.user.email);
  const sender = from === '' && domain ? `hello@${domain}` : from;
  const send = useMutation({
    mutationFn: async () =>
      api.templates.sendTest(template.id, {
        from: { email: sender },
        to: { email: to },
        data: parseData(data),
        draft: template.draft !== null,
        ...(locale === null ? {} : { locale }),
      }),
    onSuccess: ({ message_id }) => navigate({ to: '/emails/$id', params: { id: message_id } }),
  });
  return (
    <Dialog title="Send a test" onClose={onClose}>
      <DialogForm does={send} action="Send the test" known={['from.email', 'to.email']} onClose={onClose}>
        <p className="quiet">
          {template.draft === null ? `Version ${template.version}` : 'The draft'}
          {locale === null ? '' : ` in ${locale}`}, as it is saved, with the sample data.
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
