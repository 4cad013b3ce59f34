import { Link, Outlet } from '@tanstack/react-router';
import { useCan } from '../../app/session.ts';

const TABS = [
  { to: '/settings', label: 'General', ownersOnly: false },
  { to: '/settings/api-keys', label: 'API keys', ownersOnly: false },
  { to: '/settings/members', label: 'Members', ownersOnly: true },
  { to: '/settings/account', label: 'Account', ownersOnly: false },
  { to: '/settings/audit-log', label: 'Audit log', ownersOnly: true },
] as const;

export function SettingsLayout() {
  const can = useCan();
  return (
    <div className="stack">
      <nav className="tabs" aria-label="Settings">
        {TABS.filter(({ ownersOnly }) => can.own || !ownersOnly).map(({ to, label }) => (
          <Link key={to} to={to} className="tab" activeOptions={{ exact: true }}>
            {label}
          </Link>
        ))}
      </nav>
      <div>
        <Outlet />
      </div>
    </div>
  );
}
