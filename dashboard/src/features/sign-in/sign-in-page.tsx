/** Signing in; while there is nobody who could, making the first user. */
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { api, PostriderError } from '../../app/api.ts';
import { authStateQuery } from '../../app/session.ts';
import { CurrentPasswordField, EmailAddressField } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { onSubmit, useForm } from '../../ui/form.ts';
import { inside, useEnter } from './enter.ts';
import { FirstUser } from './first-user.tsx';
import { Gate } from './gate.tsx';

export function SignInPage() {
  const { data: state } = useSuspenseQuery(authStateQuery);
  const { to } = useSearch({ from: '/sign-in' });
  if (state.signed_in) return <Navigate to={inside(to)} />;
  return state.setup_required ? <FirstUser /> : <SignIn />;
}

function SignIn() {
  const enter = useEnter();
  const { form, set } = useForm({ email: '', password: '', code: '' });
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
  return (
    <Gate title="Sign in">
      <form className="stack" onSubmit={onSubmit(signIn.mutate)}>
        <EmailAddressField autoFocus value={form.email} onChange={set('email')} />
        <CurrentPasswordField value={form.password} onChange={set('password')} />
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
