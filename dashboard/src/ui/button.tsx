import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import { Icon, type IconName } from './icon.tsx';

type Kind = 'plain' | 'primary' | 'danger' | 'danger-solid' | 'ghost';

interface Props extends Omit<ComponentProps<'button'>, 'ref'> {
  readonly kind?: Kind;
  readonly size?: 'small' | 'normal';
  readonly icon?: IconName;
  /** Busy buttons cannot be pressed twice, and say so. */
  readonly busy?: boolean;
}

export function Button({ kind = 'plain', size = 'normal', icon, busy = false, ...rest }: Props) {
  const { className = '', children, disabled, type = 'button', ...others } = rest;
  const classes = ['button', kind === 'plain' ? '' : kind, size === 'small' ? 'small' : '', className];
  const ref = useFocusAfter(busy);
  return (
    <button
      ref={ref}
      type={type}
      className={classes.filter(Boolean).join(' ')}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      {...others}
    >
      {icon ? <Icon name={icon} size={15} /> : null}
      {busy ? 'Working…' : children}
    </button>
  );
}

/** A disabled button loses the focus. The focus returns, so that keyboard users keep their place. */
function useFocusAfter(busy: boolean) {
  const ref = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (busy) hadFocus.current = focused === ref.current;
    else if (hadFocus.current) {
      hadFocus.current = false;
      if (focused === null || focused === document.body) ref.current?.focus();
    }
  }, [busy]);
  return ref;
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
