import type { ComponentProps, MouseEvent } from 'react';
import { Icon, type IconName } from './icon.tsx';

type Kind = 'plain' | 'primary' | 'danger' | 'danger-solid' | 'ghost';

interface Props extends Omit<ComponentProps<'button'>, 'ref'> {
  readonly kind?: Kind;
  readonly size?: 'small' | 'normal';
  readonly icon?: IconName;
  /** A busy button says so and ignores clicks. It is not disabled, because a disabled button loses the focus. */
  readonly busy?: boolean;
}

export function Button({ kind = 'plain', size = 'normal', icon, busy = false, ...rest }: Props) {
  const { className = '', children, type = 'button', onClick, ...others } = rest;
  const classes = ['button', kind === 'plain' ? '' : kind, size === 'small' ? 'small' : '', className];
  const isOff = busy || others['aria-disabled'] === true;
  return (
    <button
      {...others}
      type={type}
      className={classes.filter(Boolean).join(' ')}
      aria-busy={busy || undefined}
      aria-disabled={isOff || undefined}
      onClick={isOff ? ignore : onClick}
    >
      {icon ? <Icon name={icon} size={15} /> : null}
      {busy ? 'Working…' : children}
    </button>
  );
}

/** The click on a submit button would send its form, and so would Enter in a field. */
function ignore(event: MouseEvent): void {
  event.preventDefault();
}

export function IconButton({
  icon,
  label,
  ...rest
}: Omit<ComponentProps<'button'>, 'children'> & { readonly icon: IconName; readonly label: string }) {
  const { className = '', ...others } = rest;
  return (
    <button
      type="button"
      className={`button ghost icon-only ${className}`}
      aria-label={label}
      title={label}
      {...others}
    >
      <Icon name={icon} />
    </button>
  );
}
