import { Link, Outlet } from '@tanstack/react-router';
import { useCan, useMe } from '../../app/session.ts';

const TABS: readonly { to: string; label: string; ownersOnly: boolean; operatorsOnly?: boolean }[] = [
  { to: '/settings', label: 'General', ownersOnly: false },
  { to: '/settings/api-keys', label: 'API keys', ownersOnly: false },
  { to: '/settings/streams', label: 'Streams', ownersOnly: false },
  { to: '/settings/members', label: 'Members', ownersOnly: true },
  { to: '/settings/account', label: 'Account', ownersOnly: false },
  { to: '/settings/audit-log', label: 'Audit log', ownersOnly: true },
  { to: '/settings/routes', label: 'Routes', ownersOnly: true, operatorsOnly: true },
  { to: '/settings/doctor', label: 'Doctor', ownersOnly: true, operatorsOnly: true },
];

export function SettingsLayout() {
  const can = useCan();
  const { is_operator: isOperator } = useMe();
  const shown = TABS.filter((tab) => (can.own || !tab.ownersOnly) && (isOperator || !tab.operatorsOnly));
  return (
    <div className="stack">
      <nav className="tabs" aria-label="Settings">
        {shown.map(({ to, label }) => (
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
