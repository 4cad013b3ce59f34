/** Answers a received mail. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { ReceivedEmail } from './queries.ts';

export function AnswerBox({ mail }: { readonly mail: ReceivedEmail }) {
  const client = useQueryClient();
  const say = useToast();
  const [text, setText] = useState('');
  const [from, setFrom] = useState('');
  const answer = useMutation({
    mutationFn: () =>
      api.inbound.reply(mail.id, { text, ...(from === '' ? {} : { from: { email: from.trim() } }) }),
    onSuccess: async () => {
      setText('');
      await client.invalidateQueries({ queryKey: ['received', 'one', mail.id] });
      say('The reply was accepted.');
    },
  });
  return (
    <Card title="Reply">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          answer.mutate();
        }}
      >
        {mail.is_automatic ? (
          <p className="small quiet">This message was sent automatically. A reply is probably not read.</p>
        ) : null}
        <TextArea
          label="Text"
          required
          rows={6}
          value={text}
          onChange={(event) => setText(event.target.value)}
          problem={problemOf(answer.error, 'text')}
        />
        <TextField
          label="From"
          type="email"
          placeholder={mail.matched_by === 'token' ? 'the sender of the original email' : mail.to[0]}
          hint="Optional. Default: the address that received this mail."
          value={from}
          onChange={(event) => setFrom(event.target.value)}
          problem={problemOf(answer.error, 'from.email')}
        />
        <ErrorNote error={answer.error} />
        <div>
          <Button kind="primary" type="submit" busy={answer.isPending}>
            Send reply
          </Button>
        </div>
      </form>
    </Card>
  );
}
