/** Try, pause, resume: for operators of the installation, because it concerns the mail of all organizations. */
import type { Site } from '@postrider/sdk';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../app/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { messageOf } from '../../ui/error-note.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useSiteAction } from './queries.ts';

interface Props {
  readonly site: Site;
  readonly size?: 'small' | 'normal';
}

export function SiteActions({ site, size = 'normal' }: Props) {
  const say = useToast();
  const [pausing, setPausing] = useState(false);
  const tryNow = useSiteAction(() => api.sites.tryNow(site.id));
  const resume = useSiteAction(() => api.sites.resume(site.id));
  const failed = (error: unknown) => say(messageOf(error), 'bad');
  const isPaused = site.state === 'paused';
  const canTry = !isPaused && (site.state !== 'open' || site.connections !== null);
  const row = useFocusKept(canTry);
  if (!site.editable) return null;
  const onTry = () =>
    tryNow.mutate(undefined, {
      onSuccess: () => say(`Postrider tries ${site.name} with the next mail that is due.`),
      onError: failed,
    });
  const onResume = () =>
    resume.mutate(undefined, {
      onSuccess: () => say(`Sending to ${site.name} is resumed.`),
      onError: failed,
    });
  return (
    <div className="row" ref={row}>
      {/* One button that changes its label, so that it keeps the focus after it was pressed. */}
      <Button size={size} busy={resume.isPending} onClick={isPaused ? onResume : () => setPausing(true)}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      {canTry ? (
        <Button size={size} icon="refresh" busy={tryNow.isPending} onClick={onTry}>
          Try now
        </Button>
      ) : null}
      {pausing ? <PauseSite site={site} onClose={() => setPausing(false)} /> : null}
    </div>
  );
}

/** "Try now" goes when there is nothing left to try; the focus stays with what is beside it. */
function useFocusKept(canTry: boolean) {
  const row = useRef<HTMLDivElement>(null);
  const before = useRef(canTry);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (before.current && !canTry && isLost) row.current?.querySelector('button')?.focus();
    before.current = canTry;
  }, [canTry]);
  return row;
}

function PauseSite({ site, onClose }: { readonly site: Site; readonly onClose: () => void }) {
  const pause = useSiteAction(() => api.sites.pause(site.id));
  return (
    <ConfirmDialog
      title="Pause sending to this server?"
      action="Pause sending"
      onClose={onClose}
      onConfirm={() => pause.mutateAsync()}
    >
      <p>
        Mail of all organizations to <strong className="wrap">{site.name}</strong> waits until an operator
        resumes sending. Messages that are being sent now still arrive. Mail that expires meanwhile fails.
      </p>
    </ConfirmDialog>
  );
}
