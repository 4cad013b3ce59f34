/** The frame around every page: navigation, the organization, the palette and the keyboard. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { waitingCountQuery } from '../features/approvals/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { messageOf } from '../ui/error-note.tsx';
import { Icon, Logo } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import { AccountMenu } from './account-menu.tsx';
import { api } from './api.ts';
import { WaitingPage } from './fallbacks.tsx';
import { lazyPart } from './lazy-page.ts';
import { OtherOrganization } from './other-organization.tsx';
import { PAGES, type PageLink } from './pages.ts';
import { Palette } from './palette.tsx';
import { rememberPlace } from './places.ts';
import { useMe, useMode } from './session.ts';
import { useShortcuts } from './shortcuts.ts';
import { SignInAgain } from './sign-in-again.tsx';

const ShortcutHelp = lazyPart(() => import('./shortcut-help.tsx'), 'ShortcutHelp');

export function Shell() {
  const [menuOpen, setMenuOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const { pathname, search } = useLocation();
  useEffect(() => rememberPlace(pathname, search), [pathname, search]);
  useShortcuts(
    () => setPaletteOpen(true),
    () => setHelpOpen(true),
  );
  const title = useArrival(pathname, () => setMenuOpen(false));

  return (
    <div className="app">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="topbar">
        <IconButton
          icon="menu"
          label={menuOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={menuOpen}
          aria-controls="sidebar"
          onClick={() => setMenuOpen(!menuOpen)}
        />
        <Link to="/" className="brand">
          <Logo size={22} />
          Postrider
        </Link>
        <IconButton icon="search" label="Search and commands" onClick={() => setPaletteOpen(true)} />
      </header>
      {menuOpen ? (
        <button
          type="button"
          className="scrim"
          aria-label="Close the menu"
          onClick={() => setMenuOpen(false)}
        />
      ) : null}
      <Sidebar open={menuOpen} onPalette={() => setPaletteOpen(true)} />
      <main className="main" id="content" tabIndex={-1}>
        {pathname === '/confirm-address' ? null : <AddressNote />}
        <Suspense fallback={<WaitingPage />}>
          <Outlet />
        </Suspense>
      </main>
      <div className="visually-hidden" role="status">
        {title}
      </div>
      <OtherOrganization />
      <SignInAgain />
      {paletteOpen ? <Palette onClose={() => setPaletteOpen(false)} /> : null}
      {helpOpen ? (
        <Suspense fallback={null}>
          <ShortcutHelp onClose={() => setHelpOpen(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** A new page is announced, and what had the focus may be gone with the old one: then the content gets it. */
function useArrival(pathname: string, onArrived: () => void): string {
  const [title, setTitle] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only arriving somewhere else matters
  useEffect(() => {
    onArrived();
    const timer = setTimeout(() => {
      setTitle(document.title);
      if (document.activeElement === document.body)
        // The heading stays where it is, below the bar that a phone has.
        document.getElementById('content')?.focus({ preventScroll: true });
    }, 150);
    // A page that comes late names itself late.
    const renamed = new MutationObserver(() => setTitle(document.title));
    renamed.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      clearTimeout(timer);
      renamed.disconnect();
    };
  }, [pathname]);
  return title;
}

function Sidebar({ open, onPalette }: { readonly open: boolean; readonly onPalette: () => void }) {
  const mode = useMode();
  const shown = PAGES.filter((page) => mode === 'sandbox' || !page.sandboxOnly);
  return (
    <aside className={`sidebar ${open ? 'open' : ''}`} id="sidebar" aria-label="Menu">
      <Link to="/" className="brand">
        <Logo />
        Postrider
      </Link>
      <button type="button" className="button" onClick={onPalette}>
        <Icon name="search" size={15} />
        <span className="grow search-hint">Search</span>
        <kbd>{/mac/i.test(navigator.platform) ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      <nav aria-label="Main">
        <NavGroup title="Mail" pages={shown.filter(({ group }) => group === 'mail')} />
        <NavGroup title="Setup" pages={shown.filter(({ group }) => group === 'setup')} />
      </nav>
      <div className="sidebar-foot">
        {mode === 'sandbox' ? (
          <div className="mode">
            <Icon name="sandbox" />
            <span>Sandbox: every email is captured here, none leaves.</span>
          </div>
        ) : null}
        <a href="/docs" className="nav-link">
          <Icon name="book" />
          Documentation
        </a>
        <AccountMenu />
      </div>
    </aside>
  );
}

/** How many wait for somebody. */
function WaitingCount() {
  const { data = 0 } = useQuery(waitingCountQuery);
  if (data === 0) return null;
  return (
    <Badge tone="warn">
      {data}
      <span className="visually-hidden"> waiting</span>
    </Badge>
  );
}

function NavGroup({ title, pages }: { readonly title: string; readonly pages: readonly PageLink[] }) {
  return (
    <>
      <div className="nav-title">{title}</div>
      <ul className="nav">
        {pages.map(({ to, label, icon }) => (
          <li key={to}>
            <Link to={to} className="nav-link" activeOptions={{ exact: to === '/' }}>
              <Icon name={icon} />
              {label}
              {to === '/approvals' ? <WaitingCount /> : null}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** On every page of somebody whose address was never confirmed. */
function AddressNote() {
  const { user } = useMe();
  const say = useToast();
  const ask = useMutation({
    mutationFn: () => api.auth.requestAddressConfirmation(),
    onSuccess: ({ mailed }) =>
      mailed
        ? say(`We sent a link to ${user.email}.`)
        : say('This installation cannot send mail yet: it has no verified domain.', 'bad'),
    onError: (error) => say(messageOf(error), 'bad'),
  });
  if (user.email_verified) return null;
  return (
    <div className="note warn row" role="note">
      <span className="grow">
        Confirm that {user.email} is yours. Until then, resetting your password also removes your second
        factor, your API keys and your invites.
      </span>
      <Button size="small" busy={ask.isPending} onClick={() => ask.mutate()}>
        Email me a link
      </Button>
    </div>
  );
}
