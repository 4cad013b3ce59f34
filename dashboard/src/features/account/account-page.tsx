/** One's own account: name, password, second factor, sessions. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { meQuery, useMe } from '../../app/session.ts';
import { CurrentPasswordField, NewPasswordField } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { onSubmit, useForm } from '../../ui/form.ts';
import { Card, PageHead } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

export function AccountPage() {
  const me = useMe();
  return (
    <>
      <PageHead title="Account" lead={me.user.email} />
      <div className="settings-grid">
        <NameCard />
        <PasswordCard />
        <SecondFactorCard />
        <SessionsCard />
      </div>
    </>
  );
}

function NameCard() {
  const me = useMe();
  const client = useQueryClient();
  const say = useToast();
  const [name, setName] = useState(me.user.name ?? '');
  const save = useMutation({
    mutationFn: () => api.auth.updateMe({ name: name.trim() === '' ? null : name }),
    onSuccess: (changed) => {
      client.setQueryData(meQuery.queryKey, changed);
      say('Saved.');
    },
  });
  return (
    <Card title="Name">
      <form className="stack" onSubmit={onSubmit(save.mutate)}>
        <TextField
          label="Name"
          autoComplete="name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          problem={problemOf(save.error, 'name')}
        />
        <ErrorNote error={save.error} known={['name']} />
        <div className="row row-end">
          <Button kind="primary" type="submit" disabled={name === (me.user.name ?? '')} busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Card>
  );
}

function PasswordCard() {
  const say = useToast();
  const me = useMe();
  const { form, set, clear } = useForm({ current: '', next: '' });
  const change = useMutation({
    mutationFn: () => api.auth.changePassword({ current: form.current, new: form.next }),
    onSuccess: () => {
      clear();
      say('Your password was changed, and your other sessions have ended.');
    },
  });
  return (
    <Card title="Password">
      <form className="stack" onSubmit={onSubmit(change.mutate)}>
        <input
          type="text"
          className="visually-hidden"
          autoComplete="username"
          value={me.user.email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <CurrentPasswordField
          label="Current password"
          value={form.current}
          onChange={set('current')}
          problem={problemOf(change.error, 'current')}
        />
        <NewPasswordField
          label="New password"
          value={form.next}
          onChange={set('next')}
          problem={problemOf(change.error, 'new')}
        />
        <ErrorNote error={change.error} known={['current', 'new']} />
        <div className="row row-end">
          <Button kind="primary" type="submit" busy={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}
