import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { placeIn } from '../app/places.ts';
import { Icon, type IconName } from './icon.tsx';

interface Props {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly back?: { readonly to: string; readonly label: string };
}

export function PageHead({ title, lead, actions, back }: Props) {
  useEffect(() => {
    document.title = `${title} · Postrider`;
  }, [title]);
  return (
    <header className="page-head">
      <div>
        {back ? (
          <Link to={back.to} search={placeIn(back.to) as never} className="crumb">
            ← {back.label}
          </Link>
        ) : null}
        <h1 className="wrap">{title}</h1>
        {lead ? <p>{lead}</p> : null}
      </div>
      {actions ? <div className="row">{actions}</div> : null}
    </header>
  );
}

export function Card({
  title,
  actions,
  children,
  flush = false,
}: {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Tables and frames go to the edge. */
  readonly flush?: boolean;
}) {
  return (
    <section className="card">
      {title ? (
        <div className="card-head">
          <h2>{title}</h2>
          {actions}
        </div>
      ) : null}
      {flush ? children : <div className="card-body">{children}</div>}
    </section>
  );
}

/** An empty page explains what it is for. */
export function Empty({
  icon,
  title,
  level = 2,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  /** 1 where it is the whole page. */
  readonly level?: 1 | 2;
  readonly children: ReactNode;
}) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className="empty">
      <Icon name={icon} size={34} />
      <Heading>{title}</Heading>
      {children}
    </div>
  );
}

export function Loading({ lines = 5 }: { readonly lines?: number | undefined }) {
  return (
    <div className="stack card-body" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => index).map((line) => (
        <div key={line} className="skeleton" />
      ))}
    </div>
  );
}
