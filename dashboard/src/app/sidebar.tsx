/** The menu: pages that need attention, the sections by job, and the account, which stays in view. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { waitingCountQuery } from '../features/approvals/queries.ts';
import { attentionQuery } from '../features/overview/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Icon, Logo } from '../ui/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ON_DEMAND, type PageLink, SECTIONS, sectionAt } from './pages.ts';
import { useMode } from './session.ts';

interface Props {
  readonly pathname: string;
  readonly open: boolean;
  readonly onPalette: () => void;
}

export function Sidebar({ pathname, open, onPalette }: Props) {
  const mode = useMode();
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
      <nav aria-label="Main" className="sidebar-nav">
        <OnDemand />
        <Sections pathname={pathname} />
      </nav>
      <div className="sidebar-foot">
        {mode === 'sandbox' ? (
          <div className="mode">
            <Icon name="sandbox" />
            <span>Sandbox: no email leaves this machine.</span>
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

function Sections({ pathname }: { readonly pathname: string }) {
  const mode = useMode();
  const current = sectionAt(pathname);
  const shown = SECTIONS.filter(({ pages: [{ sandboxOnly }] }) => mode === 'sandbox' || !sandboxOnly);
  return (
    <ul className="nav">
      {shown.map((section, place) => {
        const [{ to, label, icon }] = section.pages;
        const before = shown[place - 1]?.group;
        const title = section.group !== before ? section.group : null;
        return (
          <li key={to} className={section.group === null && before ? 'nav-apart' : undefined}>
            {title ? <div className="nav-title">{title}</div> : null}
            <Link
              to={to}
              className="nav-link"
              aria-current={section === current ? 'true' : undefined}
              activeOptions={{ exact: true, includeSearch: false }}
            >
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

interface Demand {
  readonly page: PageLink;
  /** Null if the page has nothing to count. */
  readonly count: number | null;
}

/** Rarely used pages, while somebody has to act on them. */
function OnDemand() {
  const demands = useDemands();
  if (demands.length === 0) return null;
  return (
    <>
      <div className="nav-title" id="on-demand">
        Needs attention
      </div>
      <ul className="nav" aria-labelledby="on-demand">
        {demands.map(({ page: { to, label, icon }, count }) => (
          <li key={to}>
            <Link to={to} className="nav-link" activeOptions={{ exact: true, includeSearch: false }}>
              <Icon name={icon} />
              <span className="grow">{label}</span>
              {count === null ? null : <Badge tone="warn">{count.toLocaleString()}</Badge>}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function useDemands(): readonly Demand[] {
  const { data: approvals = 0 } = useQuery(waitingCountQuery);
  const { data: attention } = useQuery(attentionQuery);
  const countOf = (wanted: string) => attention?.items.filter(({ kind }) => kind === wanted).length ?? 0;
  const counted: readonly Demand[] = [
    { page: ON_DEMAND.APPROVALS, count: approvals },
    { page: ON_DEMAND.HOLDS, count: countOf('mail_held') },
    { page: ON_DEMAND.RECEIVING_SERVERS, count: countOf('site_waiting') },
  ];
  const needed = counted.filter(({ count }) => count);
  return countOf('bounce_rate_high') > 0
    ? [...needed, { page: ON_DEMAND.RECOVER_BOUNCES, count: null }]
    : needed;
}
