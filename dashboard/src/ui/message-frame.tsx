/**
 * Shows HTML that somebody else wrote. The frame is an empty page of our own, served with a policy that allows
 * styles and embedded images and nothing else: no script, no form, no request to any host. It is sandboxed besides,
 * so that nothing in it runs even if that policy were lost. `allow-same-origin` is what lets us write into it; without
 * `allow-scripts` there is nobody inside who could use it. Whoever asks for images of other hosts gets another empty page,
 * whose policy allows those, too; browsers that know how to ask for them without cookies do.
 */
import { useEffect, useRef, useState } from 'react';
import { disarmed } from './disarmed-mail.ts';
import { inColours } from './mail-colours.ts';
import './styles/preview.css';

interface Props {
  readonly html: string;
  readonly title: string;
  readonly phone?: boolean;
  readonly dark?: boolean;
  /** Load images from other hosts. */
  readonly images?: boolean;
  /** Somebody clicked a text or an image. */
  readonly onPick?: ((place: PickedPlace) => void) | undefined;
}

export interface PickedPlace {
  /** The text that was clicked, or the address of the image. */
  readonly text: string;
  readonly isImage: boolean;
  /** How far down the message it is, from 0 to 1. */
  readonly share: number;
}

const SHORTEST_PX = 140;
const TALLEST_PX = 4000;
/** As wide as mail is made to be read: where there is less room, it is shown smaller. */
const DESKTOP_PX = 600;

export function MessageFrame(props: Props) {
  // Another page has another policy, so it begins anew.
  return <Frame key={props.images ? 'images' : 'plain'} {...props} />;
}

function Frame({ html, title, phone = false, dark = false, images = false, onPick }: Props) {
  const ref = useRef<HTMLIFrameElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const latestPick = useRef(onPick);
  latestPick.current = onPick;

  useEffect(() => {
    const frame = ref.current;
    const page = frame?.contentDocument;
    if (!ready || !frame || !stage.current || !page?.documentElement) return;
    page.documentElement.innerHTML = disarmed(inColours(html, dark ? 'dark' : 'light'), page);
    page.documentElement.style.colorScheme = dark ? 'dark' : 'light';
    const stopFitting = keepFitting(frame, stage.current, phone);
    // Links are shown and not followed: a preview must not leave traces with anybody.
    const show = (event: MouseEvent) => {
      const picked = latestPick.current ? placeOf(event, page) : null;
      if (picked) latestPick.current?.(picked);
      const target = (event.target as Element | null)?.closest?.('a[href]');
      if (!target) return;
      event.preventDefault();
      setLink(target.getAttribute('href'));
    };
    page.addEventListener('click', show);
    return () => {
      stopFitting();
      page.removeEventListener('click', show);
    };
  }, [html, ready, phone, dark]);

  return (
    <>
      <div ref={stage} className="frame-stage">
        <iframe
          ref={ref}
          className={`frame ${phone ? 'phone' : ''} ${dark ? 'dark' : ''}`}
          title={title}
          sandbox="allow-same-origin"
          {...(images ? { credentialless: true } : {})}
          src={images ? '/frame-images.html' : '/frame.html'}
          onLoad={() => setReady(true)}
        />
      </div>
      {link === null ? null : (
        <p className="small quiet card-body wrap" role="status">
          This link leads to <code>{link}</code>
        </p>
      )}
    </>
  );
}

function placeOf({ target, clientX, clientY, pageY }: MouseEvent, page: Document): PickedPlace | null {
  const share = pageY / Math.max(1, page.documentElement.scrollHeight);
  // Elements of another page are no instances of this page's classes.
  const element = target as Element | null;
  if (element?.localName === 'img') return { text: element.getAttribute('src') ?? '', isImage: true, share };
  const node =
    page.caretPositionFromPoint?.(clientX, clientY)?.offsetNode ??
    page.caretRangeFromPoint?.(clientX, clientY)?.startContainer;
  const text = node?.textContent ?? '';
  return text.trim() === '' ? null : { text, isImage: false, share };
}

/** As high as what is in it, and as wide as a screen: made smaller where the place for it is narrower. */
function keepFitting(frame: HTMLIFrameElement, stage: HTMLDivElement, phone: boolean): () => void {
  const fit = () => {
    const root = frame.contentDocument?.documentElement;
    if (!root) return;
    const scale = phone ? 1 : Math.min(1, stage.clientWidth / DESKTOP_PX);
    frame.style.width = scale < 1 ? `${DESKTOP_PX}px` : '';
    frame.style.transform = scale < 1 ? `scale(${scale})` : '';
    // A page is never shorter than its window, so it is made short to be measured; what is around it must not move.
    stage.style.minHeight = `${stage.offsetHeight}px`;
    frame.style.height = `${SHORTEST_PX}px`;
    const height = Math.min(TALLEST_PX, root.scrollHeight + 4);
    frame.style.height = `${height}px`;
    stage.style.minHeight = '';
    stage.style.height = scale < 1 ? `${Math.ceil(height * scale)}px` : '';
  };
  const watcher = new ResizeObserver(fit);
  watcher.observe(stage);
  // Pictures come later, and need room.
  frame.contentDocument?.addEventListener('load', fit, true);
  fit();
  return () => {
    watcher.disconnect();
    frame.contentDocument?.removeEventListener('load', fit, true);
  };
}
