/**
 * Shows HTML that somebody else wrote. The frame is an empty page of our own, served with a policy that allows
 * styles and embedded images and nothing else: no script, no form, no request to any host. It is sandboxed besides,
 * so that nothing in it runs even if that policy were lost. `allow-same-origin` is what lets us write into it; without
 * `allow-scripts` there is nobody inside who could use it.
 */
import { useEffect, useRef, useState } from 'react';

interface Props {
  readonly html: string;
  readonly title: string;
  readonly phone?: boolean;
}

const TALLEST_PX = 4000;

export function MessageFrame({ html, title, phone = false }: Props) {
  const ref = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(false);
  const [link, setLink] = useState<string | null>(null);

  useEffect(() => {
    const frame = ref.current;
    const page = frame?.contentDocument;
    if (!ready || !frame || !page?.documentElement) return;
    page.documentElement.innerHTML = html;
    const fit = () => {
      frame.style.height = `${Math.min(TALLEST_PX, page.documentElement.scrollHeight + 4)}px`;
    };
    fit();
    // Links are shown and not followed: a preview must not leave traces with anybody.
    const show = (event: Event) => {
      const target = (event.target as Element | null)?.closest?.('a[href]');
      if (!target) return;
      event.preventDefault();
      setLink(target.getAttribute('href'));
    };
    page.addEventListener('click', show);
    frame.contentWindow?.addEventListener('resize', fit);
    return () => {
      page.removeEventListener('click', show);
      frame.contentWindow?.removeEventListener('resize', fit);
    };
  }, [html, ready]);

  return (
    <div>
      <iframe
        ref={ref}
        className={`frame ${phone ? 'phone' : ''}`}
        title={title}
        sandbox="allow-same-origin"
        src="/frame.html"
        onLoad={() => setReady(true)}
      />
      {link === null ? null : (
        <p className="small quiet card-body wrap" role="status">
          This link leads to <code>{link}</code>
        </p>
      )}
    </div>
  );
}
