/** Signing in; on the very first visit, making the first user. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import type { Me } from '../../app/account-types.ts';
import { api, PostriderError } from '../../app/api.ts';
import { authStateQuery, meQuery } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Gate } from './gate.tsx';

export function SignInPage() {
  const { data: state } = useSuspenseQuery(authStateQuery);
  const { to } = useSearch({ from: '/sign-in' });
  if (state.signed_in) return <Navigate to={inside(to)} />;
  return state.needs_first_user ? <FirstUser /> : <SignIn />;
}

/** Nobody may send a signed-in person to another site with a link to us. */
function inside(to: string | undefined): string {
  return to?.startsWith('/') && !to.startsWith('//') && !to.startsWith('/\\') ? to : '/';
}

function useEnter() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { to } = useSearch({ from: '/sign-in' });
  return async (me: Me) => {
    client.clear();
    client.setQueryData(meQuery.queryKey, me);
    await client.fetchQuery(authStateQuery);
    await navigate({ to: inside(to), replace: true });
  };
}

function FirstUser() {
  const enter = useEnter();
  const [form, setForm] = useState({ name: '', email: '', password: '' });
  const signUp = useMutation({
    mutationFn: () => api.auth.signUp({ ...form, name: form.name.trim() === '' ? undefined : form.name }),
    onSuccess: enter,
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

function SignIn() {
  const enter = useEnter();
  const [form, setForm] = useState({ email: '', password: '', code: '' });
  const signIn = useMutation({
    mutationFn: () =>
      api.auth.signIn({
        email: form.email,
        password: form.password,
        ...(form.code === '' ? {} : { code: form.code.trim() }),
      }),
    onSuccess: enter,
  });
  const needsCode = signIn.error instanceof PostriderError && String(signIn.error.code) === 'TOTP_REQUIRED';
  const asksCode = needsCode || form.code !== '';
  const wrongCode = needsCode && problemOf(signIn.error, 'code');
  const set = (field: keyof typeof form) => (event: { target: { value: string } }) =>
    setForm({ ...form, [field]: event.target.value });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <Gate title="Sign in">
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Email address"
          type="email"
          required
          autoComplete="username"
          value={form.email}
          onChange={set('email')}
        />
        <TextField
          label="Password"
          type="password"
          required
          autoComplete="current-password"
          value={form.password}
          onChange={set('password')}
        />
        {asksCode ? (
          <TextField
            label="Code"
            required
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            value={form.code}
            onChange={set('code')}
            hint="Six digits from your authenticator app, or one of your recovery codes."
            problem={wrongCode || undefined}
          />
        ) : null}
        {needsCode ? null : <ErrorNote error={signIn.error} />}
        <Button kind="primary" type="submit" className="wide" busy={signIn.isPending}>
          Sign in
        </Button>
        <p className="small">
          <Link to="/reset-password">Forgot your password?</Link>
        </p>
      </form>
    </Gate>
  );
}
