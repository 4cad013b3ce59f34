/** What password managers fill in: the same wherever people say who they are. */
import type { ComponentProps } from 'react';
import { TextField } from './field.tsx';

type Props = Omit<ComponentProps<typeof TextField>, 'label'> & { readonly label?: string };

export function EmailAddressField({ label = 'Email address', ...rest }: Props) {
  return <TextField label={label} type="email" required autoComplete="username" {...rest} />;
}

export function NewPasswordField({ label = 'Password', ...rest }: Props) {
  return (
    <TextField
      label={label}
      type="password"
      required
      minLength={10}
      autoComplete="new-password"
      hint="At least 10 characters."
      {...rest}
    />
  );
}
