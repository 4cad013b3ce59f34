/** Shows the user and the organization. Switches the organization and the theme, and signs out. */
import { Link } from '@tanstack/react-router';
import { type FocusEvent, useState } from 'react';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useMe, useSignOut, useSwitchOrganization } from './session.ts';
import { type Theme, useTheme } from './theme.ts';

const THEMES: readonly { readonly key: Theme; readonly label: string; readonly icon: IconName }[] = [
  { key: 'system', label: 'System colours', icon: 'system' },
  { key: 'light', label: 'Light', icon: 'sun' },
  { key: 'dark', label: 'Dark', icon: 'moon' },
];

export function AccountMenu() {
  const me = useMe();
  const [open, setOpen] = useState(false);
  const leave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only follows the focus of the buttons inside
    <div
      className="menu"
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        // On a phone the list is inside the menu, which stays open.
        event.stopPropagation();
        setOpen(false);
      }}
    >
      {open ? <MenuList onDone={() => setOpen(false)} /> : null}
      <button type="button" className="nav-link account" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="avatar" aria-hidden="true">
          {me.organization.name.slice(0, 1).toUpperCase()}
        </span>
        <span className="grow account-names">
          <span className="clip strong">{me.organization.name}</span>
          <span className="clip small">{me.user.email}</span>
        </span>
      </button>
    </div>
  );
}

function MenuList({ onDone }: { readonly onDone: () => void }) {
  const me = useMe();
  const signOut = useSignOut();
  const switchTo = useSwitchOrganization();
  const [theme, chooseTheme] = useTheme();
  const others = me.organizations.filter(({ id }) => id !== me.organization.id);
  return (
    <div className="menu-list up">
      {others.length > 0 ? <div className="nav-title">Switch to</div> : null}
      {others.map(({ id, name }) => (
        <button key={id} type="button" className="menu-item" onClick={() => switchTo.mutate(id)}>
          <Icon name="arrow" />
          <span className="clip">{name}</span>
        </button>
      ))}
      <div className="nav-title">Theme</div>
      {THEMES.map(({ key, label, icon }) => (
        <button
          key={key}
          type="button"
          className="menu-item"
          aria-pressed={theme === key}
          onClick={() => chooseTheme(key)}
        >
          <Icon name={icon} />
          <span className="grow">{label}</span>
          {theme === key ? <Icon name="check" size={14} /> : null}
        </button>
      ))}
      <div className="nav-title">{me.user.name ?? me.user.email}</div>
      <Link to="/settings/account" className="menu-item" onClick={onDone}>
        <Icon name="settings" />
        Account
      </Link>
      <button type="button" className="menu-item" onClick={() => signOut.mutate()}>
        <Icon name="out" />
        Sign out
      </button>
    </div>
  );
}
