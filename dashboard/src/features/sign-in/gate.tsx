import type { ReactNode } from 'react';
import { Logo } from '../../ui/icon.tsx';

/** The page of one card that stands before the dashboard. */
export function Gate({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <main className="gate">
      <title>{`${title} · Postrider`}</title>
      <div className="gate-card">
        <div className="brand">
          <Logo size={30} />
          Postrider
        </div>
        <div className="card">
          <div className="card-body stack">
            <div>
              <h1>{title}</h1>
              {lead ? <p className="quiet">{lead}</p> : null}
            </div>
            {children}
          </div>
        </div>
      </div>
    </main>
  );
}
