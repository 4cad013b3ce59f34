/** Mail that is not being tried: the site that it waits for, why, and when it is expected to go. */
import type { Explanation } from '@postrider/sdk';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../ui/icon.tsx';
import { LocalTimes, Time } from '../../ui/time.tsx';
import { Expected, Reply } from '../sites/site-parts.tsx';

type Explained = Explanation['recipients'][number];
type Wait = NonNullable<Explained['wait']>;
type WaitedSite = NonNullable<Wait['site']>;

interface Props {
  readonly wait: Wait;
  /** What to do, where the wait is all there is to say. */
  readonly advice: string | undefined;
}

export function WaitNote({ wait, advice }: Props) {
  const { site, message, worker_running: isWorkerRunning } = wait;
  const isHeld = site !== null && site.state !== 'open';
  if (isWorkerRunning && !isHeld)
    return (
      <p className="quiet small">
        <LocalTimes text={message} />{' '}
        {site ? (
          <>
            The email goes to <SiteLink site={site} />.
          </>
        ) : null}
      </p>
    );
  return (
    <div className="note warn">
      <Icon name="alert" />
      <div className="stack-small grow wrap">
        <div>
          {site ? (
            <span className="strong">
              Waiting for <SiteLink site={site} />.{' '}
            </span>
          ) : null}
          <LocalTimes text={message} />
        </div>
        {isWorkerRunning && site ? <Reply site={site} /> : null}
        {advice ? <div>{advice}</div> : null}
        {isWorkerRunning && site ? <When site={site} expectedAt={wait.expected_at} /> : null}
      </div>
    </div>
  );
}

function SiteLink({ site }: { readonly site: WaitedSite }) {
  return (
    <Link to="/sites/$id" params={{ id: site.id }}>
      {site.name}
    </Link>
  );
}

function When({ site, expectedAt }: { readonly site: WaitedSite; readonly expectedAt: string | null }) {
  return (
    <div className="small">
      {site.since ? (
        <>
          Delayed since <Time at={site.since} style="exact" />.{' '}
        </>
      ) : null}
      {expectedAt ? (
        <>
          The next attempt is expected <Expected at={expectedAt} />.
        </>
      ) : (
        'The time of the next attempt is not known yet.'
      )}
    </div>
  );
}

/** Whether a problem is the wait itself, and not what an attempt ran into before. */
export function isTheWait({ problem, wait }: Explained): boolean {
  return problem !== null && wait !== null && problem.meaning.endsWith(wait.message);
}
