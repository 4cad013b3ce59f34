/** Signing in; while there is nobody who could, making the first user. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { authStateQuery } from '../../app/session.ts';
import { inside, useEnter } from './enter.ts';
import { FirstUser } from './first-user.tsx';
import { Gate } from './gate.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage() {
  const { data: state } = useSuspenseQuery(authStateQuery);
  const { to } = useSearch({ from: '/sign-in' });
  if (state.signed_in) return <Navigate to={inside(to)} />;
  return state.setup_required ? <FirstUser /> : <SignIn />;
}

function SignIn() {
  const enter = useEnter();
  return (
    <Gate title="Sign in">
      <SignInForm onSignedIn={enter}>
        <p className="small">
          <Link to="/reset-password">Forgot your password?</Link>
        </p>
      </SignInForm>
    </Gate>
  );
}
