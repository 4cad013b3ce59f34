/** The tabs between the pages of a section. Pages about one thing, such as one email, have no tabs. */
import { Link } from '@tanstack/react-router';
import { sectionAt } from './pages.ts';
import { useCan, useMe } from './session.ts';

export function SectionTabs({ pathname }: { readonly pathname: string }) {
  const can = useCan();
  const { is_operator: isOperator } = useMe();
  const pages = sectionAt(pathname)?.pages ?? [];
  const shown = pages.filter((page) => (can.own || !page.ownersOnly) && (isOperator || !page.operatorsOnly));
  const [first] = shown;
  if (!first || shown.length === 1 || !shown.some(({ to }) => to === pathname)) return null;
  return (
    <nav className="tabs section-tabs" aria-label={first.label}>
      {shown.map(({ to, label, tab = label }) => (
        <Link key={to} to={to} className="tab" activeOptions={{ exact: true, includeSearch: false }}>
          {tab}
        </Link>
      ))}
    </nav>
  );
}
