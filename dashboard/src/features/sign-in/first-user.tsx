/** Making the first user, with the token of the set-up link; without it, where that link is. */
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { api, PostriderError } from '../../app/api.ts';
import { forgetSetUpToken, setUpToken } from '../../app/set-up-token.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
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
      lead="Nobody uses this installation yet. Its first user is made with the set-up link, so that nobody else gets there first."
    >
      {wasWrong ? (
        <p role="alert">The link you followed is not the one of this installation, or not any more.</p>
      ) : null}
      <p>
        <code>npm start</code> printed the link as the address of the dashboard: look at its terminal, or at
        the log of the service. It ends in <code>#setup=…</code>
      </p>
      <p>On the server, this prints it again:</p>
      <CodeBlock text="npx postrider setup-link" label="Copy the command" />
    </Gate>
  );
}

function Form({ token, onWrongToken }: { readonly token: string; readonly onWrongToken: () => void }) {
  const enter = useEnter();
  const [form, setForm] = useState({ name: '', email: '', password: '' });
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
  const set = (field: keyof typeof form) => (event: { target: { value: string } }) =>
    setForm({ ...form, [field]: event.target.value });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    signUp.mutate();
  };
  return (
    <Gate
      title="Welcome"
      lead="Nobody uses this installation yet. You are its first user, and the owner of its first organization."
    >
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          autoComplete="name"
          value={form.name}
          onChange={set('name')}
          hint="Optional."
          problem={problemOf(signUp.error, 'name')}
        />
        <TextField
          label="Email address"
          type="email"
          required
          autoComplete="username"
          value={form.email}
          onChange={set('email')}
          problem={problemOf(signUp.error, 'email')}
        />
        <TextField
          label="Password"
          type="password"
          required
          minLength={10}
          autoComplete="new-password"
          value={form.password}
          onChange={set('password')}
          hint="At least 10 characters."
          problem={problemOf(signUp.error, 'password')}
        />
        <ErrorNote error={signUp.error} known={['name', 'email', 'password']} />
        <Button kind="primary" type="submit" className="wide" busy={signUp.isPending}>
          Create the first user
        </Button>
      </form>
    </Gate>
  );
}
