import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Card, Empty, Loading } from '../ui/page.tsx';
import { useIsServerAway } from './lazy-page.ts';

export function WaitingPage() {
  const isServerAway = useIsServerAway();
  return (
    <Card>
      {isServerAway ? (
        <p className="note warn" role="status">
          The server cannot be reached. This page opens as soon as the server answers.
        </p>
      ) : null}
      <Loading />
    </Card>
  );
}

export function NotFoundPage() {
  useEffect(() => {
    document.title = 'Page not found · Postrider';
  }, []);
  return (
    <main className="gate">
      <Empty icon="search" title="Page not found" level={1}>
        <p>The address may be wrong, or the page no longer exists.</p>
        <Link to="/" className="button">
          Go to the overview
        </Link>
      </Empty>
    </main>
  );
}

export function FailedPage({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  return (
    <div className="stack failed">
      <h1>This page could not be shown</h1>
      <ErrorNote error={error} />
      <div className="row">
        <Button
          onClick={() => {
            reset();
            // After an update of the server the pages of the old one are gone.
            location.reload();
          }}
        >
          Reload
        </Button>
        <Link to="/" className="button">
          Go to the overview
        </Link>
      </div>
    </div>
  );
}
