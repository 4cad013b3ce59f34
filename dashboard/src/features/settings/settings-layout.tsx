import { Link, Outlet } from '@tanstack/react-router';
import { SETTINGS_PAGES } from '../../app/pages.ts';
import { useCan, useMe } from '../../app/session.ts';

const GENERAL = { to: '/settings', label: 'General' };

export function SettingsLayout() {
  const can = useCan();
  const { is_operator: isOperator } = useMe();
  const others = SETTINGS_PAGES.filter(
    (page) => (can.own || !page.ownersOnly) && (isOperator || !page.operatorsOnly),
  );
  return (
    <div className="stack">
      <nav className="tabs" aria-label="Settings">
        {[GENERAL, ...others].map(({ to, label }) => (
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
