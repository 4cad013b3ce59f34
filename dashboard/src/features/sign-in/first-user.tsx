/** Making the first user, with the token of the setup link; without it, where that link is. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, PostriderError } from '../../app/api.ts';
import { forgetSetUpToken, setUpToken } from '../../app/set-up-token.ts';
import { EmailAddressField, NewPasswordField } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { onSubmit, useForm } from '../../ui/form.ts';
import { useEnter } from './enter.ts';
import { Gate } from './gate.tsx';

export function FirstUser() {
  const [token] = useState(setUpToken);
  const [wasWrong, setWrong] = useState(false);
  if (token === null || wasWrong) return <WhereTheLinkIs wasWrong={wasWrong} />;
  const lose = () => {
    forgetSetUpToken();
    setWrong(true);
  };
  return <Form token={token} onWrongToken={lose} />;
}

function WhereTheLinkIs({ wasWrong }: { readonly wasWrong: boolean }) {
  return (
    <Gate
      title="Welcome"
      lead="This installation has no users yet. Creating the first user requires the setup link, so that strangers cannot take over the installation."
    >
      {wasWrong ? (
        <p role="alert">The link you followed does not belong to this installation, or is no longer valid.</p>
      ) : null}
      <p>
        <code>npm start</code> printed the link as the address of the dashboard: look in its terminal, or in
        the log of the service. The link ends in <code>#setup=…</code>
      </p>
      <p>Run this command on the server to print the link again:</p>
      <CodeBlock text="npx postrider setup-link" label="Copy the command" />
    </Gate>
  );
}

function Form({ token, onWrongToken }: { readonly token: string; readonly onWrongToken: () => void }) {
  const enter = useEnter();
  const { form, set } = useForm({ name: '', email: '', password: '' });
  const signUp = useMutation({
    mutationFn: () =>
      api.auth.signUp({
        ...form,
        name: form.name.trim() === '' ? undefined : form.name,
        setup_token: token,
      }),
    onSuccess: (me) => {
      forgetSetUpToken();
      return enter(me);
    },
    onError: (error) => {
      if (error instanceof PostriderError && error.code === 'SETUP_TOKEN_REQUIRED') onWrongToken();
    },
  });
  return (
    <Gate
      title="Welcome"
      lead="This installation has no users yet. You are its first user, and the owner of its first organization."
    >
      <form className="stack" onSubmit={onSubmit(signUp.mutate)}>
        <EmailAddressField
          autoFocus
          value={form.email}
          onChange={set('email')}
          problem={problemOf(signUp.error, 'email')}
        />
        <NewPasswordField
          value={form.password}
          onChange={set('password')}
          problem={problemOf(signUp.error, 'password')}
        />
        <TextField
          label="Name"
          autoComplete="name"
          value={form.name}
          onChange={set('name')}
          hint="Optional."
          problem={problemOf(signUp.error, 'name')}
        />
        <ErrorNote error={signUp.error} known={['name', 'email', 'password']} />
        <Button kind="primary" type="submit" className="wide" busy={signUp.isPending}>
          Create the first user
        </Button>
      </form>
    </Gate>
  );
}
