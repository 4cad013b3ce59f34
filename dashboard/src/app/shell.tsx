/** The frame around every page: navigation, the organization, the palette and the keyboard. */
import { useMutation } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { messageOf } from '../ui/error-note.tsx';
import { Logo } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import { api } from './api.ts';
import { WaitingPage } from './fallbacks.tsx';
import { lazyPart } from './lazy-page.ts';
import { useLive } from './live.ts';
import { OtherOrganization } from './other-organization.tsx';
import { Palette } from './palette.tsx';
import { rememberPlace } from './places.ts';
import { SectionTabs } from './section-tabs.tsx';
import { useMe } from './session.ts';
import { useShortcuts } from './shortcuts.ts';
import { Sidebar } from './sidebar.tsx';
import { SignInAgain } from './sign-in-again.tsx';

const ShortcutHelp = lazyPart(() => import('./shortcut-help.tsx'), 'ShortcutHelp');

export function Shell() {
  const [menuOpen, setMenuOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const { pathname, search } = useLocation();
  useEffect(() => rememberPlace(pathname, search), [pathname, search]);
  useLive();
  useShortcuts(
    () => setPaletteOpen(true),
    () => setHelpOpen(true),
  );
  const title = useArrival(pathname, () => setMenuOpen(false));
  const menuButton = useCloseWithEscape(menuOpen, () => setMenuOpen(false));

  return (
    <div className="app">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="topbar">
        <IconButton
          ref={menuButton}
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
      <Sidebar pathname={pathname} open={menuOpen} onPalette={() => setPaletteOpen(true)} />
      <main className="main" id="content" tabIndex={-1}>
        {pathname === '/confirm-address' ? null : <AddressNote />}
        <SectionTabs pathname={pathname} />
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

/** Announces a new page to screen readers. If the focused element has gone with the old page, the content gets the focus. */
function useArrival(pathname: string, onArrived: () => void): string {
  const [title, setTitle] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only arriving somewhere else matters
  useEffect(() => {
    onArrived();
    const timer = setTimeout(() => {
      setTitle(document.title);
      if (document.activeElement === document.body)
        // Scrolling would move the heading below the top bar of a phone.
        document.getElementById('content')?.focus({ preventScroll: true });
    }, 150);
    // A page that loads slowly sets its title later.
    const renamed = new MutationObserver(() => setTitle(document.title));
    renamed.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      clearTimeout(timer);
      renamed.disconnect();
    };
  }, [pathname]);
  return title;
}

/** Escape closes the menu of a phone, and its button gets the focus back. A dialog above the menu closes first. */
function useCloseWithEscape(open: boolean, close: () => void): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!open) return;
    const pressed = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || document.querySelector('dialog[open]')) return;
      latest.current();
      button.current?.focus();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [open]);
  return button;
}

/** Shown on every page to users whose address was never confirmed. */
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
        Confirm that {user.email} is yours. Until then, resetting your password also turns off two-factor
        authentication and removes your API keys and invites.
      </span>
      <Button size="small" busy={ask.isPending} onClick={() => ask.mutate()}>
        Email me a link
      </Button>
    </div>
  );
}
