/** What password managers fill in: the same wherever people say who they are. */
import type { ComponentProps } from 'react';
import { TextField } from './field.tsx';
import { PasswordField } from './password-field.tsx';

type Props = Omit<ComponentProps<typeof TextField>, 'label'> & { readonly label?: string };

export function EmailAddressField({ label = 'Email address', ...rest }: Props) {
  return <TextField label={label} type="email" required autoComplete="username" {...rest} />;
}

export function NewPasswordField({ label = 'Password', ...rest }: Props) {
  return (
    <PasswordField
      label={label}
      required
      minLength={10}
      autoComplete="new-password"
      hint="At least 10 characters."
      {...rest}
    />
  );
}

export function CurrentPasswordField({ label = 'Password', ...rest }: Props) {
  return <PasswordField label={label} required autoComplete="current-password" {...rest} />;
}
